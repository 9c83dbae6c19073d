/** What a first look at a candidate has found so far, and what that means for the stages that run in full. */
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import {notRun} from "../stage/stage.ts";
import {isCausedByChange} from "../verdict.ts";
import type {AffectedPlan} from "./plan-affected-run.ts";

export interface AffectedRun {
  /** narrowed stages, each with the one of the plan that it stands for */
  readonly narrowed: ReadonlyMap<Stage, Stage>;
  /** what ends this stage when a failure was found; null for one that belongs to the look */
  signalFor(stage: Stage): AbortSignal | null;
  /** Takes what came of a stage, in full or narrowed; null where nothing did. */
  note(stage: Stage, result: StageResult | null): void;
  /** What stands in the record for a stage that need not run in full; null where it has to. */
  insteadOf(stage: Stage): StageResult | null;
}

/** Opens the look at these stages of the plan; without a plan for it nothing is looked at first. */
export function openAffectedRun(plan: AffectedPlan | null, stages: readonly Stage[]): AffectedRun {
  const narrowed = new Map<Stage, Stage>();
  for (const stage of stages) {
    const instead = plan?.instead.get(stage);
    if (instead !== undefined) narrowed.set({...stage, ...instead}, stage);
  }
  const members = new Set([...narrowed.keys(), ...stages.filter((stage) => plan?.whole.has(stage))]);
  const pending = new Set(members);
  const seen = new Map<Stage, StageResult>();
  const cut = new AbortController();
  return {
    narrowed,
    signalFor: (stage) => (members.has(stage) ? null : cut.signal),
    note(stage, result) {
      const planned = narrowed.get(stage);
      if (planned !== undefined && result !== null) seen.set(planned, result);
      const tells = result !== null && (planned === undefined || isTellingRed(result));
      // Where all of it was green, whatever fails later fails beside stages that run to their end.
      if (tells && pending.size > 0 && !result.optional && isCausedByChange(result)) cut.abort();
      pending.delete(stage);
    },
    insteadOf(stage) {
      const result = seen.get(stage);
      if (result !== undefined && isTellingRed(result)) {
        return {...result, reason: `${result.reason}, in a look at what the change touches: \`${result.narrowed}\``};
      }
      if (!cut.signal.aborted || members.has(stage)) return null;
      return notRun(stage, {outcome: "skipped", reason: reasonOf(result)});
    },
  };
}

/** A narrowed run that passed claims nothing, and is no pass. */
function reasonOf(narrowed: StageResult | undefined): string {
  if (narrowed === undefined) return "not run in full yet: what failed comes first";
  const told = narrowed.outcome === "passed" ? "passed, and what failed comes first" : "did not tell enough";
  return `not run in full yet: \`${narrowed.narrowed}\` ${told}`;
}

/** One that failed without a failing test or a complaint about a file says too little: the tool may not know what it was given. */
function isTellingRed({kind, outcome, failureKind, tests, diagnostics, baseline}: StageResult): boolean {
  if (outcome !== "failed" || failureKind !== "code") return false;
  const isNew = baseline === null || baseline.outcome === "new";
  const hasErrors = diagnostics.some(({severity, file}) => severity === "error" && file !== undefined);
  return isNew && (kind === "test" ? (tests?.failed ?? 0) > 0 || hasErrors : hasErrors);
}
