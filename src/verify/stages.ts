/** Runs the plan's stages in one checkout: which are passed over and why, which run side by side, and what they did to files. */
import {availableParallelism} from "node:os";
import {minimatch} from "minimatch";
import type {OnEvent} from "../events.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Plan, Stage} from "../record/plan.ts";
import type {Change, Verification} from "../record/verification.ts";
import type {Result} from "../words.ts";
import type {Baseline} from "./baseline.ts";
import {inOrder, redFirst} from "./order.ts";
import {asRewriting} from "./rewritten.ts";
import {longestFirst, type Machine, runScheduled, type Turn} from "./schedule.ts";
import type {Scripts} from "./scripts.ts";
import {lookAgain} from "./second-look.ts";
import {notRun, runStage, type Surroundings} from "./stage.ts";
import {isSteady} from "./steady.ts";
import {isTheBases} from "./verdict.ts";

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

/** The machine that this process runs on. */
const THIS_MACHINE: Machine = {
  cores: availableParallelism(),
  availableBytes: () => process.availableMemory(),
};

/** Where stages run: a checkout that they share, and how to get one more like it; null where there can be no other. */
export interface Rooms {
  readonly shared: Surroundings;
  readonly another: (() => Promise<Result<Surroundings, unknown>>) | null;
  /** stages that may have a checkout of their own */
  readonly apart: ReadonlySet<Stage>;
}

/** What is different in a part of a verification: a first look, or what is left to do after it. */
export interface Part {
  /** other commands for some stages; they are compared with the base as what the plan says */
  readonly instead: ReadonlyMap<Stage, Pick<Stage, "command" | "path">>;
  /** stages that do not run now, each with the reason */
  readonly leftOut: ReadonlyMap<Stage, string>;
  /** stages that have run in full already on this very commit */
  readonly done: ReadonlyMap<Stage, StageResult>;
}

/** All stages, as the plan says. */
export const WHOLE: Part = {instead: new Map(), leftOut: new Map(), done: new Map()};

/**
 * Gives a result for every stage of the plan, in its order, and which of them had a checkout of their own. `blockedBy` says
 * why none may start, if so.
 */
export async function runStages(o: {
  options: StagesOptions;
  rooms: Rooms;
  blockedBy: string;
  baseline: Baseline | null;
  findRewritten: (folder: string, spare: readonly string[]) => Promise<string[]>;
  /** the package.json scripts that commands in this folder may go by */
  scripts: (cwd: string) => Promise<Scripts>;
  part?: Part;
  machine?: Machine;
}): Promise<{stages: StageResult[]; irrelevant: Set<string>; outOfTime: string; apart: ReadonlySet<Stage>}> {
  const {options, rooms, baseline, part = WHOLE, machine = THIS_MACHINE} = o;
  const {plan, onEvent, only} = options;
  // Where nothing is required, the optional stages are all the evidence there is, so they decide.
  const hasRequired = plan.stages.some((stage) => !stage.optional);
  const stages: StageResult[] = [];
  const irrelevant = new Set<string>();
  let outOfTime = "";
  const shared = new Set<Stage>();
  const runs = (stage: Stage) =>
    whyIrrelevant(stage, options) === "" && !part.leftOut.has(stage) && !part.done.has(stage);
  const apart = worthIt(rooms, {machine, stages: plan.stages.filter(runs)});
  const told = new Set<Stage>();
  const stop = new AbortController();

  const lookAt = async (planned: Stage, stage: Stage, turn: Turn) => {
    const own = apart.has(planned) ? await rooms.another?.() : undefined;
    // Without a checkout of its own it takes the shared one, when nobody else is there.
    if (own?.ok === false) return null;
    const room = own?.value ?? rooms.shared;
    const signal = AbortSignal.any([room.signal, turn.signal, stop.signal]);
    if (own === undefined) shared.add(planned);
    const ran = await runStage(stage, {...room, signal});
    // What changes in the folder of a stage that still runs is looked at when that one ends, and put back by it.
    const spare = own ? [] : [...shared].filter((other) => other !== planned).map(({cwd}) => cwd);
    const result = asRewriting(ran, await o.findRewritten(room.folder, spare));
    shared.delete(planned);
    return part.instead.has(planned) ? {...result, command: planned.command, narrowed: stage.command} : result;
  };
  const runOne = async (planned: Stage, turn: Turn): Promise<"done" | "again"> => {
    const at = plan.stages.indexOf(planned);
    const isAskedFor = only.includes(planned.name) || only.includes(planned.kind);
    const optional = planned.optional && hasRequired && !isAskedFor;
    const stage = {...planned, ...part.instead.get(planned), optional};
    const beside = whyIrrelevant(stage, options);
    if (beside !== "") irrelevant.add(stage.name);
    const before = part.done.get(planned);
    if (before !== undefined) {
      stages.push(before);
      return "done";
    }
    outOfTime ||= options.spent() ?? "";
    const place = {stage, done: stages, options, surroundings: rooms.shared, blockedBy: o.blockedBy};
    const reason = beside || part.leftOut.get(planned) || whySkipped(place) || outOfTime;
    if (reason !== "") {
      stages.push(notRun(stage, {outcome: "skipped", reason}));
      return "done";
    }
    if (!told.has(planned)) onEvent({kind: "stage-started", stage, index: at + 1, of: plan.stages.length});
    told.add(planned);
    const seen = await lookAt(planned, stage, turn);
    if (seen === null || (turn.hadCompany() && (turn.signal.aborted || mayBeTheNeighbours(seen)))) {
      apart.delete(planned);
      return "again";
    }
    const first = baseline === null ? seen : await baseline.compare(planned, seen);
    const isClaim = first.narrowed === undefined || first.outcome !== "passed";
    const judged = !isClaim
      ? first
      : await lookAgain({
          ...{first, stage, changes: options.changes, known: options.flaky},
          scripts: () => o.scripts(stage.cwd),
          here: async (command) => (await lookAt(planned, {...stage, command}, turn)) ?? seen,
          onBase: baseline === null ? null : (command) => baseline.again(planned, command),
          isSpent: () => rooms.shared.signal.aborted || stop.signal.aborted || options.spent() !== null,
        });
    const why = stop.signal.aborted && judged.outcome === "skipped" ? whySkipped(place) : "";
    const result = why === "" ? judged : notRun(stage, {outcome: "skipped", reason: why});
    // A narrowed pass is no news: the stage runs in full later, and says so then.
    const isNews = result.outcome !== "passed" || result.narrowed === undefined;
    if (isNews) onEvent({kind: "stage-finished", result, index: at + 1, of: plan.stages.length});
    stages.push(result);
    if (options.failFast && stopsOthers(result)) stop.abort();
    return "done";
  };
  const tookMs = (stage: Stage) => tookBefore(options.before, stage) ?? baseline?.tookMs(stage) ?? null;
  const first = redFirst(plan, options.before);
  const ordered = longestFirst({stages: inOrder(plan, options.before), first, apart, tookMs});
  await runScheduled({stages: ordered, machine, apart, run: runOne});
  const places = new Map(plan.stages.map(({name}, place) => [name, place]));
  stages.sort((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
  return {stages, irrelevant, outOfTime, apart};
}

/** A further checkout costs a copy of the dependencies, so that it has to have somebody to run beside. */
function worthIt(rooms: Rooms, o: {machine: Machine; stages: readonly Stage[]}): Set<Stage> {
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

/** Two that run at once share cores and memory: what ends for lack of those says nothing of the code. */
function mayBeTheNeighbours(result: StageResult): boolean {
  return (result.outcome === "failed" || result.outcome === "timed-out") && !isSteady(result);
}

function stopsOthers(result: StageResult): boolean {
  return !result.optional && result.outcome !== "passed" && result.outcome !== "skipped" && !isTheBases(result);
}

function whyIrrelevant(stage: Stage, o: Pick<StagesOptions, "only" | "changes">): string {
  if (o.only.length > 0 && !o.only.includes(stage.name) && !o.only.includes(stage.kind)) return "not asked for";
  if (stage.when.length === 0 || o.changes.length === 0) return "";
  const touched = o.changes.some((change) => stage.when.some((glob) => minimatch(change.path, glob, {dot: true})));
  return touched ? "" : `no change matches \`when\` (${stage.when.join(", ")})`;
}

function whySkipped(o: {
  stage: Stage;
  done: readonly StageResult[];
  options: Pick<StagesOptions, "failFast">;
  surroundings: Surroundings;
  blockedBy: string;
}): string {
  if (o.surroundings.signal.aborted) return "the run was cancelled";
  if (o.blockedBy !== "") return o.blockedBy;
  const needed = o.done.find((result) => o.stage.needs.includes(result.name) && result.outcome !== "passed");
  if (needed !== undefined) return `needs ${needed.name}, which did not pass`;
  const first = o.done.find(stopsOthers);
  return o.options.failFast && first !== undefined ? `failFast: ${first.name} did not pass` : "";
}
