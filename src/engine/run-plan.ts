/** Runs the plan's stages as the machine's capacity allows, and returns the results in the plan's order. */
import {availableParallelism} from "node:os";
import {isPartlyRun, type StageResult} from "../record/evidence.ts";
import type {Stage} from "../record/plan.ts";
import type {Verification} from "../record/verification.ts";
import {openAffectedRun} from "./affected/affected-run.ts";
import type {AffectedPlan} from "./affected/plan-affected-run.ts";
import {openStageCheckouts, type RestoreRewritten, type StageCheckouts} from "./checkout/stage-checkouts.ts";
import {failedFirst, orderStages, prerequisitesOf} from "./schedule/order.ts";
import {longestFirst, type MachineCapacity, runScheduled} from "./schedule/schedule.ts";
import {requiredLeftOut, skipReason} from "./schedule/skip-reasons.ts";
import {type PipelineState, runScheduledStage} from "./stage-run.ts";

const THIS_MACHINE: MachineCapacity = {
  cores: availableParallelism(),
  availableBytes: () => process.availableMemory(),
};

interface PassOptions extends Pick<PipelineState, "options" | "checkouts" | "blockedBy" | "baseline" | "scripts"> {
  readonly restoreRewritten: RestoreRewritten;
  readonly affectedPlan: AffectedPlan | null;
  readonly machine?: MachineCapacity;
}

/** The result of one pass over the plan, from which the verdict is decided. */
interface PassResult {
  readonly stages: StageResult[];
  readonly skipped: Set<string>;
  readonly leftOut: string[];
  readonly outOfTime: string;
}

/**
 * Returns a result for every stage of the plan, in its order. The narrowed stages of `affectedPlan` run first. If one
 * of them finds a failure, the stages outside that plan are stopped.
 */
export async function runStages(pass: PassOptions): Promise<PassResult> {
  const {options, checkouts, baseline, affectedPlan, machine = THIS_MACHINE} = pass;
  const {plan, previous} = options;
  const relevant = plan.stages.filter((stage) => skipReason(stage, {...options, stages: plan.stages}) === "");
  const affectedRun = openAffectedRun(affectedPlan, relevant);
  const isIsolating = isWorthIsolating(checkouts, machine, relevant);
  for (const [narrowed, planned] of affectedRun.narrowed) if (isIsolating.has(planned)) isIsolating.add(narrowed);
  const neededStages = new Set(plan.stages.flatMap((stage) => prerequisitesOf(stage, plan)).map(({name}) => name));
  const state: PipelineState = {
    ...pass,
    affectedRun,
    isolated: isIsolating,
    runIn: openStageCheckouts(checkouts, {
      restoreRewritten: pass.restoreRewritten,
      isLeaf: ({name}) => !neededStages.has(name),
    }),
    stop: new AbortController(),
    started: new Set(),
    results: [],
    skipped: new Set(),
    left: new Set(),
    outOfTime: "",
  };
  const orderedStages = longestFirst({
    stages: orderStages(plan, previous),
    first: new Set([...failedFirst(plan, previous), ...(affectedPlan?.whole ?? [])]),
    isolated: isIsolating,
    durationMs: (stage) => previousDurationMs(previous, stage) ?? baseline?.durationMs(stage) ?? null,
  });
  await runScheduled({
    stages: [...affectedRun.narrowed.keys(), ...orderedStages],
    machine,
    isolated: isIsolating,
    run: (stage, slot) => runScheduledStage(state, stage, slot),
  });
  const places = new Map(plan.stages.map(({name}, place) => [name, place]));
  const stages = state.results.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
  return {
    stages,
    skipped: state.skipped,
    leftOut: [...requiredLeftOut(plan.stages, options), ...runInPart(stages, state.left)],
    outOfTime: state.outOfTime,
  };
}

/** Required stages of which only a narrowed run passed, or that another machine runs. */
const runInPart = (stages: readonly StageResult[], left: ReadonlySet<string>): string[] =>
  stages.filter((stage) => !stage.optional && (isPartlyRun(stage) || left.has(stage.name))).map(({name}) => name);

/** A separate checkout costs a copy of the dependencies, so it is only used if another stage can run in parallel. */
function isWorthIsolating(checkouts: StageCheckouts, machine: MachineCapacity, stages: readonly Stage[]): Set<Stage> {
  if (checkouts.openAnother === null || machine.cores < 2 || stages.length < 2) return new Set();
  const isolatedStages = new Set(stages.filter((stage) => checkouts.isolated.has(stage)));
  const [first] = isolatedStages;
  if (isolatedStages.size === stages.length && first !== undefined) isolatedStages.delete(first);
  return isolatedStages;
}

function previousDurationMs(previous: Verification | null, {name, command}: Stage): number | null {
  const result = previous?.stages.find((one) => one.name === name && one.command === command);
  return result?.exit?.kind === "exited" && result.narrowed === undefined ? result.durationMs : null;
}
