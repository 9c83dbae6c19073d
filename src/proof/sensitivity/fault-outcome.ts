/** What a test run with an injected fault shows: the tests notice the fault, they do not, or it proves nothing. */

import {wholeText} from "../../engine/stage/stage.ts";
import type {ChangedTest} from "../../integrity/changed-tests/new-tests.ts";
import {isTestPath} from "../../integrity/source/kinds.ts";
import {type BiteTest, failsOnBase} from "../../record/bite.ts";
import type {StageResult} from "../../record/evidence.ts";
import {judgeBite} from "../bite/judge-bite.ts";

export type FaultOutcome = "noticed" | "not-noticed" | "invalid";

/** The language does not accept the fault: no test had a chance to notice it. */
const NOT_COMPILED =
  /\b(?:SyntaxError|IndentationError)\b|\berror\[E\d{4}\]|could not compile|\[build failed\]|COMPILATION ERROR|\berror TS\d+|Transform failed|declared and not used|cannot find symbol|Unexpected token/;

/**
 * A run that hangs counts as noticed. A failure that no test caused proves nothing: the command may also run a linter.
 * `verified`: the run without the fault. If it counted its tests, one of them has to fail.
 */
export function faultOutcome(result: StageResult, verified: Pick<StageResult, "tests">): FaultOutcome {
  if (result.outcome === "passed") return "not-noticed";
  if (result.outcome === "timed-out") return "noticed";
  if (result.exit?.kind !== "exited" || result.outcome !== "failed") return "invalid";
  const text = result.output === null ? "" : wholeText(result.output);
  if (NOT_COMPILED.test(text) || result.failureKind === "environment") return "invalid";
  return verified.tests === null || hasFailedTest(result) ? "noticed" : "invalid";
}

/** A test file that cannot be loaded any more has no failed test. */
const hasFailedTest = ({tests, reported, diagnostics}: StageResult): boolean =>
  (tests?.failed ?? 0) > 0 ||
  (reported?.failed.length ?? 0) > 0 ||
  diagnostics.some(({testId, file}) => testId !== undefined || (file !== undefined && isTestPath(file)));

const passes = ({onBase}: BiteTest): boolean => onBase.kind === "passes";

/**
 * As `faultOutcome`, for these tests alone: a runner that takes only files also runs the other tests in them. If it
 * does not say which test failed or hung, nothing is known about these.
 */
export function faultOutcomeFor(
  tests: readonly ChangedTest[],
  {result, verified}: {readonly result: StageResult; readonly verified: Pick<StageResult, "tests">},
): FaultOutcome {
  const outcome = faultOutcome(result, verified);
  if (outcome !== "noticed") return outcome;
  const testResults = judgeBite({tests, result});
  if (testResults.some(failsOnBase)) return "noticed";
  return testResults.every(passes) ? "not-noticed" : "invalid";
}
