/** Runs the plan's stages in one checkout: which are passed over and why, which run side by side, and what they did to files. */
import {availableParallelism} from "node:os";
import {minimatch} from "minimatch";
import type {OnEvent} from "../events.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Plan, Stage} from "../record/plan.ts";
import type {Change, Verification} from "../record/verification.ts";
import type {Baseline} from "./baseline/baseline.ts";
import {openRooms, type Rooms} from "./checkout/rooms.ts";
import type {Scripts} from "./commands/scripts.ts";
import {lookAgain} from "./flakes/second-look.ts";
import type {LookPlan} from "./look/first-look.ts";
import {openLook} from "./look/look.ts";
import {inOrder, redFirst} from "./schedule/order.ts";
import {longestFirst, type Machine, runScheduled, type Turn} from "./schedule/schedule.ts";
import {notRun, type Surroundings} from "./stage/stage.ts";
import {isSteady} from "./stage/steady.ts";
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

/**
 * Gives a result for every stage of the plan, in its order. `blockedBy` says why none may start, if so. The narrowed stages
 * of `look` come first. Once it has found a failure, what is not part of it is cut off.
 */
export async function runStages(o: {
  options: StagesOptions;
  rooms: Rooms;
  blockedBy: string;
  baseline: Baseline | null;
  findRewritten: (folder: string, spare: readonly string[]) => Promise<string[]>;
  /** the package.json scripts that commands in this folder may go by */
  scripts: (cwd: string) => Promise<Scripts>;
  look: LookPlan | null;
  machine?: Machine;
}): Promise<{stages: StageResult[]; irrelevant: Set<string>; outOfTime: string}> {
  const {options, rooms, baseline, machine = THIS_MACHINE} = o;
  const {plan, onEvent, only} = options;
  // Where nothing is required, the optional stages are all the evidence there is, so they decide.
  const hasRequired = plan.stages.some((stage) => !stage.optional);
  const isOptional = ({name, kind, optional}: Stage) =>
    optional && hasRequired && !only.includes(name) && !only.includes(kind);
  const stages: StageResult[] = [];
  const irrelevant = new Set<string>();
  let outOfTime = "";
  const relevant = plan.stages.filter((stage) => whyIrrelevant(stage, options) === "");
  const look = openLook(o.look, relevant);
  const plannedOf = (stage: Stage) => look.narrowed.get(stage) ?? stage;
  const apart = worthIt(rooms, {machine, stages: relevant});
  for (const [narrowed, stage] of look.narrowed) if (apart.has(stage)) apart.add(narrowed);
  const told = new Set<Stage>();
  const stop = new AbortController();
  const runIn = openRooms(o);

  /** What came of the stage; null where it was not run. Or it has to run again, alone. */
  const tryOut = async (stage: Stage, turn: Turn): Promise<StageResult | null | "again"> => {
    const planned = plannedOf(stage);
    const cut = look.signalFor(stage);
    const signals = [turn.signal, stop.signal, ...(cut ? [cut] : [])];
    const given = {...stage, optional: isOptional(stage)};
    const lookAt = (command: string) => {
      // Without a checkout of its own it takes one with others, when nobody else is there.
      const room = apart.has(stage) ? "own" : planned === stage ? "shared" : "look";
      return runIn({...given, command}, {room, signals});
    };
    const seen = await lookAt(stage.command);
    if (seen === null && !apart.has(stage)) return null;
    if (seen === null || (turn.hadCompany() && (turn.signal.aborted || mayBeTheNeighbours(seen)))) {
      apart.delete(stage);
      return "again";
    }
    const named = planned === stage ? seen : {...seen, command: planned.command, narrowed: stage.command};
    const first = baseline === null ? named : await baseline.compare(planned, named);
    if (first.narrowed !== undefined && first.outcome === "passed") return first;
    return lookAgain({
      ...{first, stage: given, changes: options.changes, known: options.flaky},
      scripts: () => o.scripts(stage.cwd),
      here: async (command) => (await lookAt(command)) ?? seen,
      onBase: baseline === null ? null : (command) => baseline.again(planned, command),
      isSpent: () => [rooms.shared.signal, ...signals].some(({aborted}) => aborted) || options.spent() !== null,
    });
  };
  const runOne = async (stage: Stage, turn: Turn): Promise<"done" | "again"> => {
    const planned = plannedOf(stage);
    const [index, of] = [plan.stages.indexOf(planned) + 1, plan.stages.length];
    const end = (came: StageResult, isNews: boolean) => {
      const result = {...came, optional: isOptional(planned)};
      if (isNews) onEvent({kind: "stage-finished", result, index, of});
      stages.push(result);
      if (options.failFast && stopsOthers(result)) stop.abort();
      return "done" as const;
    };
    const beside = whyIrrelevant(stage, options);
    if (beside !== "") irrelevant.add(stage.name);
    const early = planned === stage && beside === "" ? look.insteadOf(stage) : null;
    if (early !== null) return end(early, told.has(stage));
    outOfTime ||= options.spent() ?? "";
    const place = {stage, done: stages, options, surroundings: rooms.shared, blockedBy: o.blockedBy};
    const reason = beside || whySkipped(place) || outOfTime;
    if (reason !== "") {
      look.note(stage, null);
      return planned === stage ? end(notRun(stage, {outcome: "skipped", reason}), false) : "done";
    }
    if (!told.has(planned))
      onEvent({kind: "stage-started", stage: {...planned, optional: isOptional(planned)}, index, of});
    told.add(planned);
    const tried = await tryOut(stage, turn);
    if (tried === "again") return "again";
    look.note(stage, tried);
    // Of a narrowed stage the record has nothing before the stage's own turn comes.
    if (planned !== stage) return "done";
    if (tried === null)
      return end(notRun(stage, {outcome: "unavailable", reason: "it has no checkout to run in"}), true);
    if (tried.outcome !== "skipped" || rooms.shared.signal.aborted) return end(tried, true);
    const why = stop.signal.aborted ? whySkipped(place) : "";
    return end(look.insteadOf(stage) ?? (why === "" ? tried : notRun(stage, {outcome: "skipped", reason: why})), true);
  };
  const tookMs = (stage: Stage) => tookBefore(options.before, stage) ?? baseline?.tookMs(stage) ?? null;
  const first = new Set([...redFirst(plan, options.before), ...(o.look?.whole ?? [])]);
  const ordered = longestFirst({stages: inOrder(plan, options.before), first, apart, tookMs});
  await runScheduled({stages: [...look.narrowed.keys(), ...ordered], machine, apart, run: runOne});
  const places = new Map(plan.stages.map(({name}, place) => [name, place]));
  stages.sort((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
  return {stages, irrelevant, outOfTime};
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
