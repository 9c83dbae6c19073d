/** The results of an affected run so far, and their effect on the stages that run in full. */
import type {StageResult} from "../../record/evidence.ts";
import {isCausedByChange} from "../../record/failure-cause.ts";
import type {Stage} from "../../record/plan.ts";
import {notRun} from "../stage/stage.ts";
import type {AffectedPlan} from "./plan-affected-run.ts";

export interface AffectedRun {
  /** narrowed stages, each with the stage of the plan that it replaces */
  readonly narrowed: ReadonlyMap<Stage, Stage>;
  /** stops this stage when a failure is found; null for a stage of the affected run */
  signalFor(stage: Stage): AbortSignal | null;
  /** Adds the result of a full or narrowed stage; null if the stage has no result. */
  add(stage: Stage, result: StageResult | null): void;
  /** The result to record for a stage that need not run in full, or cannot (`isLong`); null if it must run. */
  replacementFor(stage: Stage, isLong?: boolean): StageResult | null;
}

/** Opens the affected run of these stages; without a plan it has no stages. */
export function openAffectedRun(plan: AffectedPlan | null, stages: readonly Stage[]): AffectedRun {
  const narrowedStages = new Map<Stage, Stage>();
  for (const stage of stages) {
    const instead = plan?.instead.get(stage);
    if (instead !== undefined) narrowedStages.set({...stage, ...instead}, stage);
  }
  const affectedStages = new Set([...narrowedStages.keys(), ...stages.filter((stage) => plan?.whole.has(stage))]);
  const pendingStages = new Set(affectedStages);
  const results = new Map<Stage, StageResult>();
  const stop = new AbortController();
  return {
    narrowed: narrowedStages,
    signalFor: (stage) => (affectedStages.has(stage) ? null : stop.signal),
    add(stage, result) {
      const plannedStage = narrowedStages.get(stage);
      if (plannedStage !== undefined && result !== null) results.set(plannedStage, result);
      const isEvidence = result !== null && (plannedStage === undefined || isConclusiveFailure(result));
      // When no affected stage is pending, a later failure does not stop the other stages.
      if (isEvidence && pendingStages.size > 0 && !result.optional && isCausedByChange(result)) stop.abort();
      pendingStages.delete(stage);
    },
    replacementFor(stage, isLong = false) {
      const result = results.get(stage);
      if (result !== undefined && isConclusiveFailure(result)) {
        return {...result, reason: `${result.reason}, in a run of what the change affects: \`${result.narrowed}\``};
      }
      if ((plan?.isEnough || isLong) && result?.outcome === "passed") return result;
      if (!stop.signal.aborted || affectedStages.has(stage)) return null;
      return notRun(stage, {outcome: "skipped", reason: reasonNotRun(result)});
    },
  };
}

/** A narrowed run that passed does not count as a pass. */
function reasonNotRun(narrowed: StageResult | undefined): string {
  if (narrowed === undefined) return "not run in full yet: the failed checks come first";
  const result = narrowed.outcome === "passed" ? "passed, and the failed checks come first" : "was not conclusive";
  return `not run in full yet: \`${narrowed.narrowed}\` ${result}`;
}

/** Without a failing test or an error in a file, the tool may have rejected the narrowed arguments. */
function isConclusiveFailure(result: StageResult): boolean {
  const {kind, outcome, failureKind, tests, diagnostics, baseline} = result;
  if (outcome !== "failed" || failureKind !== "code") return false;
  const isNew = baseline === null || baseline.outcome === "new";
  const hasErrors = diagnostics.some(({severity, file}) => severity === "error" && file !== undefined);
  return isNew && (hasErrors || (kind === "test" && (tests?.failed ?? 0) > 0));
}
