/** Runs the plan's stages in one checkout: which are passed over and why, which run side by side, and what they did to files. */
import {availableParallelism, freemem} from "node:os";
import {minimatch} from "minimatch";
import type {OnEvent} from "../events.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Plan, Stage} from "../record/plan.ts";
import type {Change, Verification} from "../record/verification.ts";
import type {Baseline} from "./baseline.ts";
import {inOrder} from "./order.ts";
import {asRewriting} from "./rewritten.ts";
import {runScheduled, slotsOf} from "./schedule.ts";
import type {Scripts} from "./scripts.ts";
import {lookAgain} from "./second-look.ts";
import {notRun, runStage, type Surroundings} from "./stage.ts";
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

/** Gives a result for every stage of the plan, in its order. `blockedBy` says why none may start, if so. */
export async function runStages(o: {
  options: StagesOptions;
  surroundings: Surroundings;
  blockedBy: string;
  baseline: Baseline | null;
  findRewritten: (folder: string, spare: readonly string[]) => Promise<string[]>;
  /** the package.json scripts that commands in this folder may go by */
  scripts: (cwd: string) => Promise<Scripts>;
}): Promise<{stages: StageResult[]; irrelevant: Set<string>; outOfTime: string}> {
  const {plan, onEvent, only} = o.options;
  // Where nothing is required, the optional stages are all the evidence there is, so they decide.
  const hasRequired = plan.stages.some((stage) => !stage.optional);
  const stages: StageResult[] = [];
  const irrelevant = new Set<string>();
  let outOfTime = "";
  const running = new Set<Stage>();
  const runOne = async (planned: Stage) => {
    const at = plan.stages.indexOf(planned);
    const isAskedFor = only.includes(planned.name) || only.includes(planned.kind);
    const stage = {...planned, optional: planned.optional && hasRequired && !isAskedFor};
    const beside = whyIrrelevant(stage, o.options);
    if (beside !== "") irrelevant.add(stage.name);
    outOfTime ||= o.options.spent() ?? "";
    const reason = beside || whySkipped({stage, done: stages, ...o}) || outOfTime;
    if (reason !== "") {
      stages.push(notRun(stage, {outcome: "skipped", reason}));
      return;
    }
    onEvent({kind: "stage-started", stage, index: at + 1, of: plan.stages.length});
    const look = async (command: string) => {
      running.add(planned);
      const ran = await runStage({...stage, command}, o.surroundings);
      // What changes in the folder of a stage that still runs is looked at when that one ends, and put back by it.
      const spare = [...running].filter((other) => other !== planned).map(({cwd}) => cwd);
      const result = asRewriting(ran, await o.findRewritten(o.surroundings.folder, spare));
      running.delete(planned);
      return result;
    };
    const seen = await look(stage.command);
    const {baseline} = o;
    const result = await lookAgain({
      first: baseline === null ? seen : await baseline.compare(planned, seen),
      stage,
      changes: o.options.changes,
      known: o.options.flaky,
      scripts: () => o.scripts(stage.cwd),
      here: look,
      onBase: baseline === null ? null : (command) => baseline.again(planned, command),
      isSpent: () => o.surroundings.signal.aborted || o.options.spent() !== null,
    });
    onEvent({kind: "stage-finished", result, index: at + 1, of: plan.stages.length});
    stages.push(result);
  };
  const slots = slotsOf({cores: availableParallelism(), freeBytes: freemem()});
  await runScheduled({stages: inOrder(plan, o.options.before), slots, run: runOne});
  const places = new Map(plan.stages.map(({name}, place) => [name, place]));
  stages.sort((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
  return {stages, irrelevant, outOfTime};
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
  const first = o.done.find(
    (result) => !result.optional && result.outcome !== "passed" && result.outcome !== "skipped" && !isTheBases(result),
  );
  return o.options.failFast && first !== undefined ? `failFast: ${first.name} did not pass` : "";
}
