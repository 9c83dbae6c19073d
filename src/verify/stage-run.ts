/** One stage's turn: whether it runs at all, and where; what came of it beside the base and on a second look. */

import {isDoubtful, whyLessThanBase} from "../diagnostics/less-than-base.ts";
import type {OnEvent} from "../record/events.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Plan, Stage} from "../record/plan.ts";
import {type Change, changedPaths, type Verification} from "../record/verification.ts";
import type {AffectedRun} from "./affected/affected-run.ts";
import type {Baseline} from "./baseline/baseline.ts";
import type {openStageCheckouts, StageCheckout, StageCheckouts} from "./checkout/stage-checkouts.ts";
import type {Scripts} from "./commands/scripts.ts";
import {rerunFailed} from "./flakes/rerun-failed.ts";
import type {ScheduledStage} from "./schedule/schedule.ts";
import {blockedReason, isOptional, skipReason, stopsOthers} from "./schedule/skip-reasons.ts";
import {isDeterministic} from "./stage/contention.ts";
import {notRun} from "./stage/stage.ts";

export interface StagesOptions {
  readonly plan: Plan;
  readonly changes: readonly Change[];
  /** names or kinds of stages asked for; empty for all. A stage asked for by name is required */
  readonly only: readonly string[];
  readonly failFast: boolean;
  /** the verification before a fix: what did not pass then runs first; null for a first one */
  readonly before: Verification | null;
  /** why no further stage may start; null while one may */
  readonly spent: () => string | null;
  /** ids of tests that are known to be flaky, as the base's verify.json lists them */
  readonly flaky: readonly string[];
  readonly onEvent: OnEvent;
}

/** One pass over the plan: what it was given, and how far it has come. */
export interface PipelineState {
  readonly options: StagesOptions;
  readonly rooms: StageCheckouts;
  /** why no stage may start; empty where they may */
  readonly blockedBy: string;
  readonly baseline: Baseline | null;
  /** the package.json scripts that commands in this folder may go by */
  readonly scripts: (cwd: string) => Promise<Scripts>;
  readonly look: AffectedRun;
  /** stages with a checkout of their own; one that has to run again, alone, loses it */
  readonly apart: Set<Stage>;
  readonly runIn: ReturnType<typeof openStageCheckouts>;
  /** ends what runs, under `failFast` */
  readonly stop: AbortController;
  /** stages whose start was told: of the others the end is no news either */
  readonly told: Set<Stage>;
  readonly done: StageResult[];
  readonly passedOver: Set<string>;
  outOfTime: string;
}

/** A stage of the plan, or a narrowed one, whose turn has come. */
interface Going {
  readonly stage: Stage;
  readonly turn: ScheduledStage;
}

/** Brings a stage's result into the course, or asks for the stage to run again, alone. */
export function runScheduledStage(course: PipelineState, going: Going): Promise<"done" | "again"> {
  return course.look.narrowed.has(going.stage) ? runNarrowed(course, going) : runWhole(course, going);
}

/** What comes of it is for the look alone: the record gets a result when the stage's own turn comes. */
async function runNarrowed(course: PipelineState, going: Going): Promise<"done" | "again"> {
  const tried = whyNotNow(course, going.stage) === "" ? await tryOut(course, going) : null;
  if (tried === "again") return "again";
  course.look.note(going.stage, tried);
  return "done";
}

async function runWhole(course: PipelineState, going: Going): Promise<"done" | "again"> {
  const {look, options} = course;
  const {stage} = going;
  const passedOver = skipReason(stage, {...options, stages: options.plan.stages});
  if (passedOver !== "") {
    course.passedOver.add(stage.name);
    return finish(course, {stage, result: skipped(stage, passedOver)});
  }
  const early = look.insteadOf(stage);
  if (early !== null) return finish(course, {stage, result: early});
  const reason = whyNotNow(course, stage);
  const tried = reason === "" ? await tryOut(course, going) : null;
  if (tried === "again") return "again";
  look.note(stage, tried);
  if (reason !== "") return finish(course, {stage, result: skipped(stage, reason)});
  return finish(course, {stage, result: tried === null ? unplaced(stage) : cutOff(course, {stage, tried})});
}

/** What came of the stage, held against the base and looked at again; null where it has no checkout. Or it has to run again, alone. */
async function tryOut(course: PipelineState, {stage, turn}: Going): Promise<StageResult | null | "again"> {
  const {options, baseline, look, apart, rooms} = course;
  const planned = look.narrowed.get(stage) ?? stage;
  const given = {...stage, optional: isOptional(stage, decidedBy(options))};
  tellStart(course, planned);
  const cut = look.signalFor(stage);
  const signals = [turn.signal, course.stop.signal, ...(cut ? [cut] : [])];
  const room = roomFor(course, stage);
  const lookAt = (command: string) => course.runIn({...given, command}, {room, signals});
  const seen = await lookAt(stage.command);
  if (seen === null && room !== "own") return null;
  if (seen === null || (turn.hadCompany() && (turn.signal.aborted || mayBeTheNeighbours(seen)))) {
    // Without a checkout of its own it takes one with others, when nobody else is there.
    apart.delete(stage);
    return "again";
  }
  const named = planned === stage ? seen : {...seen, command: planned.command, narrowed: stage.command};
  const compared = baseline === null ? named : await baseline.compare(planned, named);
  const first = await withoutDoubt(course, {stage: planned, result: compared});
  if (first.narrowed !== undefined && first.outcome === "passed") return first;
  return rerunFailed({
    first,
    stage: given,
    changes: options.changes,
    known: options.flaky,
    scripts: () => course.scripts(stage.cwd),
    here: async (command) => (await lookAt(command)) ?? seen,
    onBase: baseline === null ? null : (command) => baseline.again(planned, command),
    isSpent: () => [rooms.shared.signal, ...signals].some(({aborted}) => aborted) || options.spent() !== null,
  });
}

/** A pass that shows too little is held against the base's run: tests that ran there have to run here. */
async function withoutDoubt(
  {baseline, options}: PipelineState,
  o: {stage: Stage; result: StageResult},
): Promise<StageResult> {
  const {stage, result} = o;
  if (baseline === null || !isDoubtful(result) || options.spent() !== null) return result;
  const base = await baseline.onBase(stage);
  const why = base === null ? "" : whyLessThanBase({candidate: result, base, changed: changedPaths(options.changes)});
  if (why === "") return result;
  return {...result, outcome: "unavailable", failureKind: "no-check", reason: `exit code 0, but ${why}`};
}

function roomFor({apart, look}: PipelineState, stage: Stage): StageCheckout {
  if (apart.has(stage)) return "own";
  return look.narrowed.has(stage) ? "look" : "shared";
}

function tellStart({options, told}: PipelineState, stage: Stage): void {
  if (!told.has(stage)) {
    const {stages} = options.plan;
    const shown = {...stage, optional: isOptional(stage, decidedBy(options))};
    options.onEvent({kind: "stage-started", stage: shown, index: stages.indexOf(stage) + 1, of: stages.length});
  }
  told.add(stage);
}

/** Puts the result among the others, and says so where the stage was seen to start. */
function finish(course: PipelineState, o: {stage: Stage; result: StageResult}): "done" {
  const {options, told, done, stop} = course;
  const {stages} = options.plan;
  const result = {...o.result, optional: isOptional(o.stage, decidedBy(options))};
  if (told.has(o.stage)) {
    options.onEvent({kind: "stage-finished", result, index: stages.indexOf(o.stage) + 1, of: stages.length});
  }
  done.push(result);
  if (options.failFast && stopsOthers(result)) stop.abort();
  return "done";
}

/** Empty where the stage may start. Time that is spent is noted: it says why a verdict is missing. */
function whyNotNow(course: PipelineState, stage: Stage): string {
  course.outOfTime ||= course.options.spent() ?? "";
  return blocked(course, stage) || course.outOfTime;
}

function blocked({done, options, rooms, blockedBy}: PipelineState, stage: Stage): string {
  const isCancelled = rooms.shared.signal.aborted;
  return blockedReason(stage, {done, failFast: options.failFast, isCancelled, blockedBy});
}

/** The result as it is, but for a stage that others ended before its end, by `failFast` or in a first look: that says so. */
function cutOff(course: PipelineState, o: {stage: Stage; tried: StageResult}): StageResult {
  const {look, rooms, stop} = course;
  const {stage, tried} = o;
  if (tried.outcome !== "skipped" || rooms.shared.signal.aborted) return tried;
  const reason = stop.signal.aborted ? blocked(course, stage) : "";
  return look.insteadOf(stage) ?? (reason === "" ? tried : skipped(stage, reason));
}

const decidedBy = ({plan, only}: StagesOptions) => ({stages: plan.stages, only});
const skipped = (stage: Stage, reason: string) => notRun(stage, {outcome: "skipped", reason});
const unplaced = (stage: Stage) => notRun(stage, {outcome: "unavailable", reason: "it has no checkout to run in"});

/** Two that run at once share cores and memory: what ends for lack of those says nothing of the code. */
function mayBeTheNeighbours(result: StageResult): boolean {
  return (result.outcome === "failed" || result.outcome === "timed-out") && !isDeterministic(result);
}
