/** Writes findings as SARIF 2.1.0, which code scanning and editors read. */
import type {IntegrityFinding} from "../record/finding.ts";
import type {FindingLevel} from "../record/words.ts";
import {INTEGRITY_CHECKS} from "./registry.ts";

const LEVELS: Readonly<Record<FindingLevel, "error" | "warning" | "note">> = {
  block: "error",
  flag: "warning",
  note: "note",
};

/**
 * A problem at a place of a file, for code scanning. Code scanning refuses a document with a result without a place.
 */
export interface SarifProblem {
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly text: string;
  readonly path: string;
  readonly line: number | null;
}

/** The findings of `assay inspect` as a document. */
export function toSarif(findings: readonly IntegrityFinding[], version: string): Record<string, unknown> {
  return sarifDocument({rules: INTEGRITY_RULES, problems: findings.map(toProblem), version});
}

export const INTEGRITY_RULES = INTEGRITY_CHECKS.map(({name}) => ({
  id: name,
  helpUri: "https://github.com/assay-run/assay/blob/main/docs/integrity.md",
}));

export function toProblem({check, level, path, line, message, fix}: IntegrityFinding): SarifProblem {
  return {rule: check, level: LEVELS[level], text: `${message}. ${fix}`, path, line};
}

/** One run of Assay as a SARIF document. */
export function sarifDocument(options: {
  rules: readonly {readonly id: string; readonly helpUri: string}[];
  problems: readonly SarifProblem[];
  version: string;
  /** of the verification; absent if nothing ran */
  invocation?: {readonly executionSuccessful: boolean; readonly exitCode: number};
}): Record<string, unknown> {
  const {rules, problems, version, invocation} = options;
  const run = {
    tool: {driver: {name: "assay", version, rules}},
    ...(invocation && {invocations: [invocation]}),
    results: problems.map(toResult),
  };
  return {$schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run]};
}

function toResult({rule, level, text, path, line}: SarifProblem): Record<string, unknown> {
  const region = line === null ? {} : {region: {startLine: line}};
  return {
    ruleId: rule,
    level,
    message: {text: text.toWellFormed()},
    locations: [{physicalLocation: {artifactLocation: {uri: uriOf(path)}, ...region}}],
  };
}

/** A relative reference: without its own scheme, query or fragment, whatever characters the names have. */
function uriOf(path: string): string {
  const segments = path.split("/").map((segment) => encodeURIComponent(segment.toWellFormed()));
  return `${path.startsWith("/") ? "file://" : ""}${segments.join("/")}`;
}
