/** Decides whether the change causes the failure of a stage (P15). */
import type {Diagnostic, StageResult} from "./evidence.ts";

/** True if the change causes the failure. A required stage with such a failure makes the verdict `failed`. */
export function isCausedByChange(stage: StageResult): boolean {
  const isFailing = stage.outcome === "failed" || stage.outcome === "timed-out";
  const isCode = stage.failureKind !== "environment" && stage.failureKind !== "no-check";
  return isFailing && isCode && !isPreExisting(stage) && !isNotComparable(stage);
}

/** True if the base has every failure of the stage too, compared by signature. */
export function isPreExisting({outcome, narrowed, baseline}: StageResult): boolean {
  const isFailing = outcome === "failed" || outcome === "flaky";
  return isFailing && narrowed === undefined && baseline?.outcome === "pre-existing";
}

/**
 * True if the base fails, too, and one of the two runs shows too little to decide whether the failures are the same.
 */
export function isNotComparable({outcome, baseline}: StageResult): boolean {
  return (outcome === "failed" || outcome === "timed-out") && baseline?.outcome === "not-comparable";
}

/** The failures of a stage that the change causes; all of them if there is nothing to compare with. */
export function causedFailures({baseline, diagnostics}: StageResult): readonly Diagnostic[] {
  return baseline !== null && baseline.outcome !== "unknown" ? baseline.new : diagnostics;
}
