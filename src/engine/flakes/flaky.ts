/** Classifies flaky tests and decides the outcome of a stage whose failures are all flaky. */
import {type FailedTests, failedTests} from "../../diagnostics/failed-tests.ts";
import {failedInReport} from "../../diagnostics/reports/reconcile.ts";
import type {BaselineComparison, Diagnostic, StageResult} from "../../record/evidence.ts";
import {listSome} from "../../record/words.ts";
import type {TestName} from "../../tools/tool.ts";
import {wholeText} from "../stage/stage.ts";

/** If more tests fail at once, they are not flaky, and a second run wastes time. */
export const MAX_FAILURES = 20;

/**
 * True for a failure that may be flaky: of a test stage, with its own exit code, not too many tests, and not on the
 * base.
 */
export function shouldRerun(result: StageResult): boolean {
  const {kind, outcome, exit, failureKind, tests, baseline} = result;
  const failedCount = Math.max(tests?.failed ?? 0, failuresOf(result).length);
  const mayBeFlaky = kind === "test" && outcome === "failed" && failureKind === "code" && exit?.kind === "exited";
  return mayBeFlaky && exit.code !== 0 && failedCount <= MAX_FAILURES && baseline?.outcome !== "pre-existing";
}

/** True if a second run counts as a pass: it ran at least `least` tests, or with null as many as the first run. */
export function passedOnRerun({
  first,
  second,
  least,
}: {
  first: StageResult;
  second: StageResult;
  least: number | null;
}): boolean {
  if (second.outcome !== "passed") return false;
  if (least === null && first.tests === null) return true;
  const requiredCount = least ?? (first.tests?.passed ?? 0) + (first.tests?.failed ?? 0);
  return second.tests !== null && second.tests.passed >= requiredCount;
}

/** The failed tests with the names that the runner accepts, from its output or its report; null if unknown. */
export function failedIn({output, reported}: StageResult): FailedTests | null {
  if (output === null) return null;
  const text = wholeText(output);
  return failedTests(text) ?? failedInReport(reported, text);
}

/**
 * The possible ids of each failed test; null if a failed test has no name, because then no list can excuse the failure.
 */
function failingIds(result: StageResult): string[][] | null {
  const failed = failedIn(result);
  if (failed !== null) return failed.isComplete ? failed.tests.map(idsOf) : null;
  const failures = failuresOf(result);
  if (failures.length === 0 || (result.tests?.failed ?? 0) > failures.length) return null;
  const ids = failures.flatMap(({testId}) => (testId === undefined ? [] : [[testId]]));
  return ids.length === failures.length ? ids : null;
}

/** True if verify.json lists each failed test. */
export function isListed(result: StageResult, known: readonly string[]): boolean {
  return failingIds(result)?.every((ids) => ids.some((id) => known.includes(id))) ?? false;
}

/**
 * The result of a stage that failed and passed on one tree. The report shows the failures of `failed`. `excuse` is the
 * reason why the failure does not block (P15), or null if it blocks. A flaky result is never a pass.
 */
export function flakyResult(options: {
  failed: StageResult;
  /** describes both runs */
  reason: string;
  durationMs: number;
  excuse: string | null;
}): StageResult {
  const {failed, durationMs, excuse} = options;
  const baseline: BaselineComparison | null =
    excuse === null ? null : {outcome: "pre-existing", new: [], preexisting: failuresOf(failed), fixed: 0, why: excuse};
  const reason = excuse === null ? options.reason : `${options.reason}; ${excuse}`;
  return {...failed, outcome: "flaky", failureKind: null, reason, durationMs, baseline};
}

/** The names of some failed tests, for a sentence in a report. */
export function namesOf(result: StageResult): string {
  const names = (failingIds(result) ?? []).flatMap(([name]) => name ?? []);
  return names.length === 0 ? "" : ` (${listSome(names, 3)})`;
}

const failuresOf = ({diagnostics}: StageResult): Diagnostic[] =>
  diagnostics.filter(({severity}) => severity === "error");

/** The ids of a test: its name alone, and with its file in the notations of reports and runners. */
function idsOf({file, name}: TestName): string[] {
  if (name === null) return file === null ? [] : [file];
  return file === null ? [name] : [name, `${file} > ${name}`, `${file}::${name}`];
}
