/** The built-in stage that compares the specs of the base with a change. It can make a verdict worse, never better. */
import type {SpecRules} from "../detect/config/config.ts";
import {readBlobs} from "../git/read-blobs.ts";
import type {Repository} from "../git/repository.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Candidate, Change, Verdict} from "../record/verification.ts";
import {isVerified} from "../record/words.ts";
import type {SpecWithText} from "../specs/drift/claims.ts";
import {findDrift} from "../specs/drift/find-drift.ts";
import {findModulesWithoutSpec} from "../specs/drift/write-first.ts";
import {findSpecFiles} from "../specs/find-specs.ts";

/** A stage of the owner cannot have this name, which has a space. */
export const SPEC_DRIFT = "spec drift";
/** These programs compare specs with code themselves; `openspec validate` checks only the specs' syntax. */
const CHECKERS = /\b(?:specsync check|fledge spec check)\b/;
const FILE_BYTES = 256 * 1024;
/** A row of `git ls-tree`; links and submodules have no text. */
const REGULAR_FILE = /^100\d{3} blob \w+\t/;
const ALL_BYTES = 64 * 1024 * 1024;

/** The specs to compare the change with. */
export interface SpecCheck {
  readonly rules: SpecRules;
  /** the commit that the rules and the specs come from */
  readonly commit: string;
}

/**
 * Returns an empty list if no comparison is needed: no spec owns a changed file, and every file that a spec names
 * exists.
 */
export async function checkSpecDrift(options: {
  repository: Repository;
  candidate: Candidate;
  changes: readonly Change[];
  stages: readonly StageResult[];
  check: SpecCheck;
  codeExtensions: readonly string[];
}): Promise<StageResult[]> {
  const {repository, candidate, changes} = options;
  const {rules, commit} = options.check;
  const begin = performance.now();
  const hasChecker = options.stages.some(
    ({command, outcome}) => CHECKERS.test(command) && outcome !== "unavailable" && outcome !== "skipped",
  );
  const isCompared = rules.drift !== "off" && !hasChecker;
  if (changes.length === 0 || !(isCompared || rules.writeFirst)) return [];
  const end = (findings: StageResult["diagnostics"]) =>
    resultOf({findings, isRequired: rules.drift === "required", durationMs: performance.now() - begin});
  const [before, after] = [await specsAt(options, commit), await specsAt(options, candidate.commit)];
  if (before === null || after === null) return [end([UNREAD_SPECS])];
  const readSide = async (side: "base" | "candidate", path: string): Promise<string | null> => {
    const text = await repository.readText(side === "base" ? commit : candidate.commit, path, {maxBytes: FILE_BYTES});
    return text.ok ? text.value : null;
  };
  const basePaths = new Set(before.specs.map(({path}) => path));
  const changedPathSet = new Set(changes.map(({path}) => path));
  const keptSpecs = after.specs.filter(({path}) => basePaths.has(path));
  const addedSpecs = after.specs.filter(({path}) => !basePaths.has(path));
  const keptPaths = new Set(keptSpecs.map(({path}) => path));
  const removedSpecs = before.specs.filter(({path}) => !keptPaths.has(path));
  const drift = isCompared
    ? await findDrift({specs: keptSpecs, added: addedSpecs, removed: removedSpecs, changes, read: readSide})
    : {findings: [], concerned: 0};
  const missingSpecs = rules.writeFirst
    ? findModulesWithoutSpec({
        ...options,
        specs: before.specs,
        newSpecs: after.specs.filter(({path}) => changedPathSet.has(path)),
        basePaths: before.paths,
      })
    : [];
  const findings = [...drift.findings, ...missingSpecs];
  if (findings.length === 0 && drift.concerned === 0) return [];
  return [end(findings)];
}

/** Specs that cannot be compared do not count as a pass (P7). */
const UNREAD_SPECS: StageResult["diagnostics"][number] = {
  ...{tool: "specs", code: "specs-unread", severity: "warning"},
  message: "the specs could not be listed, so they were not compared with the change",
};

function resultOf({
  findings,
  isRequired,
  durationMs,
}: {
  findings: StageResult["diagnostics"];
  isRequired: boolean;
  durationMs: number;
}): StageResult {
  const hasPassed = findings.length === 0;
  return {
    name: SPEC_DRIFT,
    kind: "check",
    command: "compare the specs with the change",
    cwd: ".",
    optional: !isRequired,
    outcome: hasPassed ? "passed" : "failed",
    failureKind: hasPassed ? null : "code",
    reason: hasPassed ? "" : `${findings.length} ${findings.length === 1 ? "finding" : "findings"}`,
    exit: null,
    durationMs,
    output: null,
    excerpt: "",
    diagnostics: findings,
    tests: null,
    baseline: null,
  };
}

/** A failed required comparison turns a verified change into a failed one. It does not affect other verdicts. */
export function withSpecDrift(verdict: Verdict, results: readonly StageResult[]): Verdict {
  if (!results.some(({optional, outcome}) => !optional && outcome === "failed")) return verdict;
  if (verdict.kind === "failed") return {...verdict, stages: [...verdict.stages, SPEC_DRIFT]};
  return isVerified(verdict) ? {kind: "failed", stages: [SPEC_DRIFT]} : verdict;
}

/** The paths and specs of a commit, null if git does not list them. A spec that cannot be read has no text. */
async function specsAt(
  {repository, check}: {repository: Repository; check: SpecCheck},
  commit: string,
): Promise<{paths: string[]; specs: SpecWithText[]} | null> {
  const listing = await repository.git(["ls-tree", "-r", "-z", "--full-tree", commit]);
  if (!listing.ok) return null;
  const rows = listing.value.split("\0").filter((row) => REGULAR_FILE.test(row));
  const idsByPath = new Map(rows.map((row) => [row.slice(row.indexOf("\t") + 1), row.slice(12, row.indexOf("\t"))]));
  const paths = [...idsByPath.keys()];
  const files = findSpecFiles(paths, check.rules.paths);
  const textsById = new Map<string, string>();
  await readBlobs({
    repository,
    ids: files.map(({path}) => idsByPath.get(path) ?? ""),
    limits: {fileBytes: FILE_BYTES, allBytes: ALL_BYTES},
    take: (id, content) => textsById.set(id, content.toString("utf8")),
  });
  return {paths, specs: files.map((spec) => ({...spec, text: textsById.get(idsByPath.get(spec.path) ?? "") ?? ""}))};
}
