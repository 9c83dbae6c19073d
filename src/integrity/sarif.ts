/** Writes findings as SARIF 2.1.0, which code scanning and editors read. */
import type {FindingLevel, IntegrityFinding} from "../record/finding.ts";
import {INTEGRITY_CHECKS} from "./registry.ts";

const LEVELS: Readonly<Record<FindingLevel, "error" | "warning" | "note">> = {
  block: "error",
  flag: "warning",
  note: "note",
};

export function toSarif(findings: readonly IntegrityFinding[], version: string): Record<string, unknown> {
  const rules = INTEGRITY_CHECKS.map(({name}) => ({
    id: name,
    helpUri: "https://github.com/assay-run/assay/blob/main/docs/integrity.md",
  }));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{tool: {driver: {name: "assay", version, rules}}, results: findings.map(toResult)}],
  };
}

function toResult({check, level, path, line, message, fix}: IntegrityFinding): Record<string, unknown> {
  const region = line === null ? {} : {region: {startLine: line}};
  return {
    ruleId: check,
    level: LEVELS[level],
    message: {text: `${message}. ${fix}`},
    locations: [{physicalLocation: {artifactLocation: {uri: encodeURI(path)}, ...region}}],
  };
}
