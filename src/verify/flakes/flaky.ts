/** What chance may have brought about, which tests those are, and what becomes of a stage that chance decides. */
import {type FailedTests, failedTests} from "../../diagnostics/failed-tests.ts";
import {failedInReport} from "../../diagnostics/reports/reconcile.ts";
import type {BaselineComparison, Diagnostic, StageResult} from "../../record/evidence.ts";
import type {FailedTest} from "../../tools/tool.ts";
import {wholeText} from "../stage/stage.ts";

/** Where more fail at once it is no chance, and a second run is time lost. */
export const MOST_FAILURES = 20;

/** True for a failure that chance may have brought about: of a test stage, by its own exit, not too many, none the base has. */
export function shouldRerun(result: StageResult): boolean {
  const {kind, outcome, exit, failureKind, tests, baseline} = result;
  const failed = Math.max(tests?.failed ?? 0, failuresOf(result).length);
  const mayBeChance = kind === "test" && outcome === "failed" && failureKind === "code" && exit?.kind === "exited";
  return mayBeChance && exit.code !== 0 && failed <= MOST_FAILURES && baseline?.outcome !== "pre-existing";
}

/** What a second run must show to count as a pass: at least so many tests, or null for all that the first one ran. */
export function passedOnRerun(o: {first: StageResult; second: StageResult; least: number | null}): boolean {
  const {first, second, least} = o;
  if (second.outcome !== "passed") return false;
  if (least === null && first.tests === null) return true;
  const wanted = least ?? (first.tests?.passed ?? 0) + (first.tests?.failed ?? 0);
  return second.tests !== null && second.tests.passed >= wanted;
}

/** The tests that failed as the runner takes their names: as it printed them, else as its own report has them. Null: unknown. */
export function failedIn({output, reported}: StageResult): FailedTests | null {
  if (output === null) return null;
  const text = wholeText(output);
  return failedTests(text) ?? failedInReport(reported, text);
}

/**
 * The tests that failed, each by the ids that an owner may know it by; null where not every one is named, and then no
 * list can excuse them.
 */
function failingIds(result: StageResult): string[][] | null {
  const failed = failedIn(result);
  if (failed !== null) return failed.isComplete ? failed.tests.map(idsOf) : null;
  const failures = failuresOf(result);
  if (failures.length === 0 || (result.tests?.failed ?? 0) > failures.length) return null;
  const ids = failures.flatMap(({testId}) => (testId === undefined ? [] : [[testId]]));
  return ids.length === failures.length ? ids : null;
}

/** True where each failing test of the result is on the owner's list. */
export function isListed(result: StageResult, known: readonly string[]): boolean {
  return failingIds(result)?.every((ids) => ids.some((id) => known.includes(id))) ?? false;
}

/**
 * The stage's result where both happened on one tree. `failed` is the run that failed, whose failures are shown; `excuse`
 * says why it does not stand in the way (P15), null where it does. It is never a pass.
 */
export function flakyResult(o: {
  failed: StageResult;
  /** how it went, both tries, in words */
  reason: string;
  durationMs: number;
  excuse: string | null;
}): StageResult {
  const {failed, durationMs, excuse} = o;
  const baseline: BaselineComparison | null =
    excuse === null ? null : {outcome: "pre-existing", new: [], preexisting: failuresOf(failed), fixed: 0, why: excuse};
  const reason = excuse === null ? o.reason : `${o.reason}; ${excuse}`;
  return {...failed, outcome: "flaky", failureKind: null, reason, durationMs, baseline};
}

/** Some of the failing tests by name, for a sentence. */
export function namesOf(result: StageResult): string {
  const names = (failingIds(result) ?? []).flatMap(([name]) => name ?? []);
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return names.length === 0 ? "" : ` (${names.slice(0, 3).join(", ")}${more})`;
}

const failuresOf = ({diagnostics}: StageResult): Diagnostic[] =>
  diagnostics.filter(({severity}) => severity === "error");

/** By its name, or with its file as reports and runners write it. */
function idsOf({file, name}: FailedTest): string[] {
  if (name === null) return file === null ? [] : [file];
  return file === null ? [name] : [name, `${file} > ${name}`, `${file}::${name}`];
}
