/** Holds a failing stage against the same stage on the base: which failures are new, which were there before (P15). */

import type {Attempt} from "../record/attempt.ts";
import type {BaselineComparison, Captured, Diagnostic, StageResult} from "../record/evidence.ts";
import {causedFailures} from "../record/failure-cause.ts";
import {whyCutShort, whyUnreached} from "./cut-short.ts";
import {bodiesOf, readLines} from "./lines.ts";
import {signature} from "./signature.ts";

/** A stage's result keeps no more items than this; a list that long may have been cut. */
export const MAX_DIAGNOSTICS = 200;

/** Lines that tell of a failure, whichever tool said them, and lines that tell of a success. */
const TELLS_FAILURE =
  /error|fail|fatal|panic|exception|assert|not ok|unexpected|invalid|missing|cannot|denied|[✖✗✘×❌]/i;
const TELLS_SUCCESS = /^\s*(?:[✓✔√✅]|ok\b|pass(?:ed)?\b|---? PASS)|\b0 (?:errors?|fail(?:ed|ures?)?)\b/i;

/** Commands that start several others at once. */
const SIDE_BY_SIDE = /(?:^|[\s(/])(?:run-p|concurrently)\s|[^&>]&(?![&>])/;

/**
 * Compares what a stage left on the candidate with what it left on the base. Pre-existing only when every failure of the
 * candidate is known by its signature and the base has it as often, and both runs are whole; the exit code alone proves
 * nothing. `line` is the base's command, scripts written out. What a base that was cut short could not show is not proven new.
 */
export function compareWithBase(options: {
  candidate: StageResult;
  base: StageResult;
  line: string;
  /** why the stage may end at a failing test, as its plan says */
  stopsEarly?: string | undefined;
}): BaselineComparison {
  const {candidate, base, line, stopsEarly = ""} = options;
  const failures = failuresOf(candidate);
  const nothing = {new: [], preexisting: [], fixed: 0};
  if (base.outcome === "passed") {
    return {...nothing, outcome: "new", new: failures, why: "the base passes this stage"};
  }
  if (!hasRun(base)) {
    return {...nothing, outcome: "unknown", why: `the base's run says too little: ${base.reason || base.outcome}`};
  }
  const {fresh, knownItems, missingCount} = split(failures, failuresOf(base));
  const parts = {new: fresh, preexisting: knownItems, fixed: 0};
  const isTest = runsTests(candidate) || runsTests(base);
  const whyPartial = (result: StageResult) => stopsEarly || (isTest ? whyCutShort : whyUnreached)({result, line});
  const notComparable = (why: string): BaselineComparison => ({...parts, outcome: "not-comparable", why});
  const [baseGap, basePartial] = [gapIn(base), whyPartial(base)];
  if (baseGap !== "") return notComparable(`on the base, ${baseGap}`);
  // A test that never ran may have failed as well; what a compiler or linter complains about now, it did not print there.
  if (basePartial !== "" && (isTest || fresh.length === 0)) return notComparable(`on the base, ${basePartial}`);
  if (fresh.length > 0) return {...parts, fixed: missingCount, outcome: "new", why: ""};
  // If the list may be incomplete, a failure that is missing from it does not count as fixed.
  const gap = gapIn(candidate);
  if (gap !== "") return {...parts, outcome: "unknown", why: gap};
  const partial = whyPartial(candidate);
  if (partial !== "") return notComparable(`with the change, ${partial}`);
  const difference = differenceIn(options);
  if (difference !== "") return {...parts, outcome: "unknown", why: difference};
  return {...parts, fixed: missingCount, outcome: "pre-existing", why: ""};
}

/** True for a base that failed by its code or its time: one that could not run at all has no failure to compare with. */
const hasRun = ({outcome, failureKind}: StageResult): boolean =>
  outcome === "timed-out" || (outcome === "failed" && (failureKind === "code" || failureKind === "timeout"));

/** A `check` runs a project's checks one after the other, tests among them. */
const runsTests = ({kind, tests}: StageResult): boolean => kind === "test" || kind === "check" || tests !== null;

/** The failures that a passing stage has fixed; null if the base passes too, or failed without a readable list. */
export function fixedFailures(base: StageResult): BaselineComparison | null {
  if (base.outcome !== "failed" || base.failureKind !== "code") return null;
  const fixed = Math.max(1, failuresOf(base).length);
  return {outcome: "fixed", new: [], preexisting: [], fixed, why: ""};
}

/** The items that make the stage fail. A linter can be configured to fail for warnings; then warnings alone must be the cause. */
function failuresOf(result: StageResult): Diagnostic[] {
  const errors = result.diagnostics.filter((item) => item.severity === "error");
  const warnings = result.diagnostics.filter((item) => item.severity === "warning");
  const warningsCount = result.kind === "lint" || result.kind === "check" || errors.length === 0;
  return warningsCount ? [...errors, ...warnings] : errors;
}

/** Equal failures are counted, not only named: the same message once more in the same file is a new failure. */
function split(candidate: readonly Diagnostic[], base: readonly Diagnostic[]) {
  const unmatched = new Map<string, number>();
  for (const item of base) unmatched.set(signature(item), (unmatched.get(signature(item)) ?? 0) + 1);
  const fresh: Diagnostic[] = [];
  const knownItems: Diagnostic[] = [];
  for (const item of candidate) {
    const name = signature(item);
    const count = unmatched.get(name) ?? 0;
    unmatched.set(name, count - 1);
    (count > 0 ? knownItems : fresh).push(item);
  }
  const missingCount = [...unmatched.values()].filter((count) => count > 0).reduce((sum, count) => sum + count, 0);
  return {fresh, knownItems, missingCount};
}

/** Why the list of a stage's failures may not be all of them; empty when it is complete. */
function gapIn(result: StageResult): string {
  const {outcome, failureKind, exit, output, diagnostics, tests} = result;
  if (outcome !== "failed" || failureKind !== "code") return result.reason || outcome;
  if (exit?.kind !== "exited") return "it did not end by itself";
  if (output === null || output.droppedBytes > 0) return "its output is too long to be kept whole";
  if (diagnostics.length >= MAX_DIAGNOSTICS) return "it has too many failures to list them all";
  const failures = failuresOf(result);
  if (failures.length === 0) return "no failure in its output has a known form";
  if (tests !== null && tests.failed > failures.length) return "not every failing test could be read";
  return "";
}

/** The difference between two runs although the candidate's failures are among the base's; empty if there is none. */
function differenceIn({candidate, base, line}: Parameters<typeof compareWithBase>[0]): string {
  const [code, before] = [exitCode(candidate), exitCode(base)];
  if (code > before) return `it ends with exit code ${code}, on the base with ${before}`;
  if (candidate.tests !== null && base.tests !== null) {
    if (allTests(candidate.tests) < allTests(base.tests)) return "fewer tests ran than on the base";
    // Each failing test is accounted for by name: lines next to them prove nothing more, unless another command printed them.
    const isNamed = candidate.tests.failed === failuresOf(candidate).length;
    if (isNamed && !SIDE_BY_SIDE.test(line)) return "";
  }
  const baseLines = new Set(tellingLines(base.output));
  const unseen = tellingLines(candidate.output).find((line) => !baseLines.has(line));
  return unseen === undefined ? "" : `a line that the base does not print: ${unseen.slice(0, 200)}`;
}

const exitCode = ({exit}: StageResult): number => (exit?.kind === "exited" ? exit.code : 0);
const allTests = (tests: {passed: number; failed: number; skipped: number}) =>
  tests.passed + tests.failed + tests.skipped;

/** Lines that may tell of a failure no parser knew, in a form that stays equal between runs. */
function tellingLines(output: Captured | null): string[] {
  return bodiesOf(readLines(`${output?.head ?? ""}${output?.tail ?? ""}`))
    .filter((body) => TELLS_FAILURE.test(body) && !TELLS_SUCCESS.test(body))
    .map((body) => signature({tool: "", message: body, severity: "error"}).replace(/\d+/g, "<n>"));
}

/** True when both verifications failed in the same stages with the same failures: the fix made no progress. */
export function hasSameFailures(one: Attempt, other: Attempt): boolean {
  const [before, after] = [chargedFailures(one), chargedFailures(other)];
  return before.length > 0 && before.join("\n") === after.join("\n");
}

function chargedFailures({verdict, verification}: Attempt): string[] {
  if (verdict.kind === "tampered") return [...verdict.findings].sort();
  if (verdict.kind !== "failed" || verification === null) return [];
  const charged = [...verification.setup, ...verification.stages].filter(({name}) => verdict.stages.includes(name));
  return [...new Set(charged.flatMap(signaturesOf))].sort();
}

/** Output that no parser knows is compared as a whole. */
function signaturesOf(result: StageResult): string[] {
  const {name, reason, excerpt} = result;
  const errors = causedFailures(result).filter(({severity}) => severity === "error");
  if (errors.length > 0) return errors.map((item) => `${name}: ${signature(item)}`);
  return [`${name}: ${signature({tool: reason, message: excerpt, severity: "error"})}`];
}
