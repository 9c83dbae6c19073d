/** Runs the plan's stages: each when the machine is there for it, the results in the plan's order. */
import {availableParallelism} from "node:os";
import type {StageResult} from "../record/evidence.ts";
import type {Stage} from "../record/plan.ts";
import type {Verification} from "../record/verification.ts";
import {openAffectedRun} from "./affected/affected-run.ts";
import type {AffectedPlan} from "./affected/plan-affected-run.ts";
import {openStageCheckouts, type StageCheckouts} from "./checkout/stage-checkouts.ts";
import {failedFirst, inOrder} from "./schedule/order.ts";
import {longestFirst, type Machine, runScheduled} from "./schedule/schedule.ts";
import {requiredLeftOut, skipReason} from "./schedule/skip-reasons.ts";
import {type PipelineState, runScheduledStage} from "./stage-run.ts";

/** The machine that this process runs on. */
const THIS_MACHINE: Machine = {
  cores: availableParallelism(),
  availableBytes: () => process.availableMemory(),
};

/** What a pass over the plan is given; the rest of its course is made here. */
interface Given extends Pick<PipelineState, "options" | "rooms" | "blockedBy" | "baseline" | "scripts"> {
  /** puts back the tracked files that a checkout no longer has as committed, but in the folders `spare`, and names them */
  readonly findRewritten: (folder: string, spare: readonly string[]) => Promise<string[]>;
  readonly look: AffectedPlan | null;
  readonly machine?: Machine;
}

/**
 * Gives a result for every stage of the plan, in its order. The narrowed stages of `look` come first. Once it has found a
 * failure, what is not part of it is cut off.
 */
export async function runStages(
  given: Given,
): Promise<{stages: StageResult[]; passedOver: Set<string>; leftOut: string[]; outOfTime: string}> {
  const {options, rooms, baseline, machine = THIS_MACHINE} = given;
  const {plan, before} = options;
  const relevant = plan.stages.filter((stage) => skipReason(stage, {...options, stages: plan.stages}) === "");
  const look = openAffectedRun(given.look, relevant);
  const apart = worthIt(rooms, {machine, stages: relevant});
  for (const [narrowed, planned] of look.narrowed) if (apart.has(planned)) apart.add(narrowed);
  const course: PipelineState = {
    ...given,
    look,
    apart,
    runIn: openStageCheckouts(given),
    stop: new AbortController(),
    told: new Set(),
    done: [],
    passedOver: new Set(),
    outOfTime: "",
  };
  const ordered = longestFirst({
    stages: inOrder(plan, before),
    first: new Set([...failedFirst(plan, before), ...(given.look?.whole ?? [])]),
    apart,
    tookMs: (stage) => tookBefore(before, stage) ?? baseline?.tookMs(stage) ?? null,
  });
  await runScheduled({
    stages: [...look.narrowed.keys(), ...ordered],
    machine,
    apart,
    run: (stage, turn) => runScheduledStage(course, {stage, turn}),
  });
  const places = new Map(plan.stages.map(({name}, place) => [name, place]));
  const stages = course.done.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
  const leftOut = requiredLeftOut(plan.stages, options);
  return {stages, passedOver: course.passedOver, leftOut, outOfTime: course.outOfTime};
}

/** A further checkout costs a copy of the dependencies, so that it has to have somebody to run beside. */
function worthIt(rooms: StageCheckouts, o: {machine: Machine; stages: readonly Stage[]}): Set<Stage> {
  if (rooms.another === null || o.machine.cores < 2 || o.stages.length < 2) return new Set();
  const apart = new Set(o.stages.filter((stage) => rooms.apart.has(stage)));
  const [any] = apart;
  if (apart.size === o.stages.length && any !== undefined) apart.delete(any);
  return apart;
}

function tookBefore(before: Verification | null, {name, command}: Stage): number | null {
  const result = before?.stages.find((one) => one.name === name && one.command === command);
  return result?.exit?.kind === "exited" && result.narrowed === undefined ? result.durationMs : null;
}
