/** Compares a failing stage with the same stage on the base: new and pre-existing failures (P15). */

import type {Attempt} from "../record/attempt.ts";
import type {BaselineComparison, Captured, Diagnostic, StageResult} from "../record/evidence.ts";
import {causedFailures} from "../record/failure-cause.ts";
import {whyCutShort, whyUnreached} from "./cut-short.ts";
import {bodiesOf, readLines} from "./lines.ts";
import {whyNotLoaded} from "./not-loaded.ts";
import {signature} from "./signature.ts";

/** A stage's result has at most this many diagnostics, so a list of this length may be cut. */
export const MAX_DIAGNOSTICS = 200;

/** Lines that report a failure or a success, of any tool. */
const FAILURE_LINE =
  /error|fail|fatal|panic|exception|assert|not ok|unexpected|invalid|missing|cannot|denied|[✖✗✘×❌]/i;
const SUCCESS_LINE = /^\s*(?:[✓✔√✅]|ok\b|pass(?:ed)?\b|---? PASS)|\b0 (?:errors?|fail(?:ed|ures?)?)\b/i;

/** Commands that start several others in parallel. */
const SIDE_BY_SIDE = /(?:^|[\s(/])(?:run-p|concurrently)\s|[^&>]&(?![&>])/;

/**
 * Compares a stage's result on the candidate with its result on the base. A failure is pre-existing only if both runs
 * are complete, each failure of the candidate has a signature, and the base has it at least as often. The exit code
 * alone proves nothing. `line` is the base's expanded command. A failure that an incomplete base run may have missed is
 * not called new.
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
  const noFailures = {new: [], preexisting: [], fixed: 0};
  if (base.outcome === "passed") {
    return {...noFailures, outcome: "new", new: failures, why: "the base passes this check"};
  }
  if (!hasRun(base)) {
    return {...noFailures, outcome: "unknown", why: `the base's run says too little: ${base.reason || base.outcome}`};
  }
  const {fresh, knownItems, missingCount} = splitByBase(failures, failuresOf(base));
  const parts = {new: fresh, preexisting: knownItems, fixed: 0};
  const isTest = runsTests(candidate) || runsTests(base);
  const whyPartial = (result: StageResult) => stopsEarly || (isTest ? whyCutShort : whyUnreached)({result, line});
  const notComparable = (why: string): BaselineComparison => ({...parts, outcome: "not-comparable", why});
  const [baseGap, basePartial] = [gapIn(base), whyPartial(base)];
  if (baseGap !== "") return notComparable(`on the base, ${baseGap}`);
  // A test that did not run on the base might have failed there, too. A new complaint of a compiler or linter was not
  // printed there.
  if (basePartial !== "" && (isTest || fresh.length === 0)) return notComparable(`on the base, ${basePartial}`);
  if (fresh.length > 0) return {...parts, fixed: missingCount, outcome: "new", why: ""};
  // If the list may be incomplete, a failure that is missing from it does not count as fixed.
  const gap = gapIn(candidate);
  if (gap !== "") return {...parts, outcome: "unknown", why: gap};
  const partial = whyPartial(candidate);
  if (partial !== "") return notComparable(`with the change, ${partial}`);
  const difference = differenceIn(options);
  if (difference !== "") return {...parts, outcome: "unknown", why: difference};
  const unloaded = whyNotLoaded(candidate);
  if (unloaded !== "") return notComparable(`with and without the change, ${unloaded}`);
  return {...parts, fixed: missingCount, outcome: "pre-existing", why: ""};
}

/**
 * True if the base failed because of its code or its time. A base that could not run has no failures to compare with.
 */
const hasRun = ({outcome, failureKind}: StageResult): boolean =>
  outcome === "timed-out" || (outcome === "failed" && (failureKind === "code" || failureKind === "timeout"));

/** A `check` runs several of a project's checks in sequence, including tests. */
const runsTests = ({kind, tests}: StageResult): boolean => kind === "test" || kind === "check" || tests !== null;

/** The failures that a passing stage has fixed; null if the base passes too, or failed without a readable list. */
export function fixedFailures(base: StageResult): BaselineComparison | null {
  if (base.outcome !== "failed" || base.failureKind !== "code") return null;
  const fixedCount = Math.max(1, failuresOf(base).length);
  return {outcome: "fixed", new: [], preexisting: [], fixed: fixedCount, why: ""};
}

/**
 * The diagnostics that make the stage fail. Warnings count only if there is no error, because a linter can be
 * configured to fail for them.
 */
function failuresOf(result: StageResult): Diagnostic[] {
  const errors = result.diagnostics.filter((item) => item.severity === "error");
  const warnings = result.diagnostics.filter((item) => item.severity === "warning");
  const includesWarnings = result.kind === "lint" || result.kind === "check" || errors.length === 0;
  return includesWarnings ? [...errors, ...warnings] : errors;
}

/** Equal failures are counted: a second occurrence of the same message in the same file is a new failure. */
function splitByBase(candidate: readonly Diagnostic[], base: readonly Diagnostic[]) {
  const unmatchedCounts = new Map<string, number>();
  for (const item of base) unmatchedCounts.set(signature(item), (unmatchedCounts.get(signature(item)) ?? 0) + 1);
  const fresh: Diagnostic[] = [];
  const knownItems: Diagnostic[] = [];
  for (const item of candidate) {
    const name = signature(item);
    const count = unmatchedCounts.get(name) ?? 0;
    unmatchedCounts.set(name, count - 1);
    (count > 0 ? knownItems : fresh).push(item);
  }
  const missingCount = [...unmatchedCounts.values()]
    .filter((count) => count > 0)
    .reduce((sum, count) => sum + count, 0);
  return {fresh, knownItems, missingCount};
}

/** Why the list of a stage's failures may be incomplete; empty if it is complete. */
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

/** A difference between two runs although each failure of the candidate is on the base, too; empty if there is none. */
function differenceIn({candidate, base, line}: Parameters<typeof compareWithBase>[0]): string {
  const [code, before] = [exitCode(candidate), exitCode(base)];
  if (code > before) return `it ends with exit code ${code}, on the base with ${before}`;
  if (candidate.tests !== null && base.tests !== null) {
    if (allTests(candidate.tests) < allTests(base.tests)) return "fewer tests ran than on the base";
    // If each failing test is known by name, other lines prove nothing more, unless another command printed them.
    const isNamed = candidate.tests.failed === failuresOf(candidate).length;
    if (isNamed && !SIDE_BY_SIDE.test(line)) return "";
  }
  const baseLines = new Set(failureLinesIn(base.output));
  const newLine = failureLinesIn(candidate.output).find((line) => !baseLines.has(line));
  return newLine === undefined ? "" : `a line that the base does not print: ${newLine.slice(0, 200)}`;
}

const exitCode = ({exit}: StageResult): number => (exit?.kind === "exited" ? exit.code : 0);
const allTests = (tests: {passed: number; failed: number; skipped: number}) =>
  tests.passed + tests.failed + tests.skipped;

/** Lines that may report a failure in an unknown format, without the parts that change between runs. */
function failureLinesIn(output: Captured | null): string[] {
  return bodiesOf(readLines(`${output?.head ?? ""}${output?.tail ?? ""}`))
    .filter((body) => FAILURE_LINE.test(body) && !SUCCESS_LINE.test(body))
    .map((body) => signature({tool: "", message: body, severity: "error"}).replace(/\d+/g, "<n>"));
}

/**
 * The titles of the tests of a replay that fail at the assertion at which they fail on the base; null if there are none.
 * Empty if the tests have no names, and the base prints the same failures.
 */
export function repeatedFailures(options: {
  replay: StageResult;
  base: StageResult;
  candidate: StageResult;
}): string[] | null {
  const {replay, base, candidate} = options;
  if (!hasRun(base) || replay.outcome !== "failed") return null;
  const [failures, baseFailures] = [namedFailures(replay), namedFailures(base)];
  if (failures.length > 0) {
    const titles = failures.filter((one) => baseFailures.some((other) => isSameAssertion(one, other)));
    return titles.length > 0 ? titles.map(({testId = ""}) => testId) : null;
  }
  const [passingLines, baseLines] = [candidate, base].map((one) => new Set(linesOf(one.output)));
  const lines = linesOf(replay.output).filter((line) => !passingLines?.has(line));
  const cases = lines.filter((line) => FAILED_CASE.test(line));
  const repeated = cases.length > 0 ? cases : lines.filter((line) => VALUE.test(line));
  return repeated.length > 0 && repeated.every((line) => baseLines?.has(line)) ? [] : null;
}

/** A line of a script that names a failed case. */
const FAILED_CASE = /^[^\w\s]*\s*(?:FAIL(?:ED|URE)?|not ok|fail(?:ed)?)\b[\s:]+(?=\S*[A-Za-z])\S/;
/** A line with more than one word, or with a number, says what failed. */
const VALUE = /\w\W+\w|\d/;

/** The failed tests of the report, if there is one. */
function namedFailures(result: StageResult): Diagnostic[] {
  const {reported} = result;
  if (reported === undefined || reported.failed.length === 0)
    return failuresOf(result).filter(({testId}) => testId !== undefined);
  return reported.failed.map(({file, title, message}) => {
    const line = file === null ? undefined : lineIn(message, file);
    return {
      ...{tool: reported.tool, severity: "error", testId: title, ...(file !== null && {file})},
      ...(line !== undefined && {line}),
      message: message
        .split("\n")
        .filter((text) => !STACK_LINE.test(text))
        .join("\n"),
    };
  });
}

/** With the line of the test in both, what it got may differ. Without one, only equal messages show the same assertion. */
function isSameAssertion(one: Diagnostic, other: Diagnostic): boolean {
  if (one.testId !== other.testId || one.file !== other.file) return false;
  return one.line !== undefined && other.line !== undefined
    ? one.line === other.line
    : signature(one) === signature(other);
}

/** Where the first frame in the file of the test is. */
function lineIn(message: string, file: string): number | undefined {
  const name = file.slice(file.lastIndexOf("/") + 1);
  for (let at = message.indexOf(name); at >= 0; at = message.indexOf(name, at + 1)) {
    const end = at + name.length;
    const [, line] = /^(?::|", line )(\d+)/.exec(message.slice(end, end + 20)) ?? [];
    if (line !== undefined && /^[\s("'/]?$/.test(message.slice(Math.max(0, at - 1), at))) return Number(line);
  }
  return undefined;
}

/** Folders differ between checkouts. */
const STACK_LINE = /^\s*(?:at\s|File "|from\s)|(?:^|[\s(])\/\S*:\d+/;

const linesOf = (output: Captured | null): string[] =>
  bodiesOf(readLines(`${output?.head ?? ""}${output?.tail ?? ""}`))
    .filter((body) => body.trim() !== "")
    .map((message) => signature({tool: "", message, severity: "error"}).replace(/^[ |]+/, ""));

/** True if both verifications failed in the same stages with the same failures, so that the fix made no progress. */
export function hasSameFailures(one: Attempt, other: Attempt): boolean {
  const [before, after] = [attributedFailures(one), attributedFailures(other)];
  return before.length > 0 && before.join("\n") === after.join("\n");
}

function attributedFailures({verdict, verification}: Attempt): string[] {
  if (verdict.kind === "tampered") return [...verdict.findings].sort();
  if (verdict.kind !== "failed" || verification === null) return [];
  const attributedStages = [...verification.setup, ...verification.stages].filter(({name}) =>
    verdict.stages.includes(name),
  );
  return [...new Set(attributedStages.flatMap(signaturesOf))].sort();
}

/** Output in an unknown format is compared as a whole. */
function signaturesOf(result: StageResult): string[] {
  const {name, reason, excerpt} = result;
  const errors = causedFailures(result).filter(({severity}) => severity === "error");
  if (errors.length > 0) return errors.map((item) => `${name}: ${signature(item)}`);
  return [`${name}: ${signature({tool: reason, message: excerpt, severity: "error"})}`];
}
