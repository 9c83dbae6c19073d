/** Runs the plan's stages on the base, while the agent works or when needed, and compares results (P15). */
import {rm} from "node:fs/promises";
import {join} from "node:path";
import {compareWithBase, fixedFailures} from "../../diagnostics/compare.ts";
import {narrowLog} from "../../diagnostics/narrow-log.ts";
import type {Repository} from "../../git/repository.ts";
import type {BaselineComparison, StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import {withScripts} from "../../shell/append-arguments.ts";
import type {Checkout, Checkouts} from "../checkout/checkout.ts";
import {failIfRewritten, rewrittenFiles} from "../checkout/rewritten-files.ts";
import {expandScripts, scriptsAt} from "../commands/expand-scripts.ts";
import {isWorthBuildInfo, makeIncremental} from "../commands/incremental.ts";
import {prerequisitesOf} from "../schedule/order.ts";
import {isDeterministic} from "../stage/outcome.ts";
import {EXCERPT_CHARS, runStage, type StageEnvironment, wholeText} from "../stage/stage.ts";
import type {KeptBaseline} from "./kept-baseline.ts";

export interface BaselineOptions {
  /** its base is the commit to compare with */
  readonly checkouts: Checkouts;
  readonly repository: Repository;
  readonly base: string;
  readonly plan: Plan;
  /** changes that decide whether the base needs its own install; empty if the checkouts hold the base's */
  readonly changes: readonly Change[];
  /** results of earlier runs on the same base; null if none are saved */
  readonly kept: KeptBaseline | null;
  readonly signal: AbortSignal;
}

export interface Baseline {
  /**
   * Runs the base's stages at low priority until all have run or `pause` is called. Continues where it stopped. Never
   * rejects.
   */
  begin(): Promise<void>;
  /** Stops `begin` before the candidate's stages run, because they may use the same ports. */
  pause(): Promise<void>;
  /**
   * Adds the comparison with the base to the result. If a failure needs it, the stage runs on the base first. Never
   * rejects.
   */
  compare(stage: Stage, result: StageResult): Promise<StageResult>;
  /**
   * Returns the stage's result on the base, and runs it there if needed; null if the base cannot be run. Never rejects.
   */
  onBase(stage: Stage): Promise<StageResult | null>;
  /** Runs another command instead of the stage's on the base; null if the base cannot be run. Never rejects. */
  rerun(stage: Stage, command: string): Promise<StageResult | null>;
  /** Milliseconds that the stage took on the base; null if it has not run there. */
  durationMs(stage: Stage): number | null;
  /** True if the stage took at least this long on the base, even if it was stopped there. */
  takes(stage: Stage, ms: number): boolean;
}

interface BaselineState extends BaselineOptions {
  /** by the stage's name */
  readonly results: Map<string, StageResult>;
  /** how long stages ran before `pause` stopped them */
  readonly stoppedAfterMs: Map<string, number>;
  /** names of stages that have run in the checkout, whatever the result */
  readonly hasRun: Set<string>;
  /** stages whose incremental build info has been written and judged */
  readonly isBuildInfoJudged: Set<Stage>;
  checkout: Promise<Checkout | string> | undefined;
  /** resolves when nothing runs in the checkout, which the stages share */
  queue: Promise<unknown>;
}

export function openBaseline(options: BaselineOptions): Baseline {
  const state: BaselineState = {
    ...options,
    results: new Map(),
    stoppedAfterMs: new Map(),
    hasRun: new Set(),
    isBuildInfoJudged: new Set(),
    checkout: undefined,
    queue: Promise.resolve(),
  };
  let background = new AbortController();

  const afterPause = <T>(work: () => Promise<T>): Promise<T> => {
    background.abort();
    return runAfterOthers(state, work);
  };

  return {
    async begin() {
      background = new AbortController();
      // A machine error would occur again when the base is needed, and is reported then.
      await warmUp(state, AbortSignal.any([background.signal, options.signal])).catch(() => null);
    },
    pause: () => afterPause(async () => undefined),
    async compare(stage, result) {
      if (result.outcome === "passed") {
        const base = state.results.get(stage.name);
        return base === undefined ? result : {...result, baseline: fixedFailures(base)};
      }
      const isComparable = result.failureKind === "code" || result.failureKind === "timeout";
      if (!isComparable || options.signal.aborted) return result;
      const base = await afterPause(() => resultOf(state, stage));
      const {repository, base: commit} = options;
      const scripts = await scriptsAt({repository, commit, cwd: stage.cwd});
      return withComparison({result, base, stage, line: withScripts(stage.command, scripts)});
    },
    async onBase(stage) {
      const result = await afterPause(() => resultOf(state, stage));
      return typeof result === "string" ? null : result;
    },
    rerun: (stage, command) =>
      afterPause(async () => {
        const checkout = await openBase(state);
        if (typeof checkout === "string") return null;
        for (const prerequisite of prerequisitesOf(stage, options.plan)) {
          if (!state.hasRun.has(prerequisite.name)) await runOnBase(state, prerequisite, checkout);
        }
        return runAlone(state, {...stage, command}, checkout.environment);
      }),
    durationMs: (stage) => state.results.get(stage.name)?.durationMs ?? null,
    takes: ({name}, ms) => (state.results.get(name)?.durationMs ?? state.stoppedAfterMs.get(name) ?? 0) >= ms,
  };
}

function runAfterOthers<T>(state: BaselineState, work: () => Promise<T>): Promise<T> {
  const workResult = state.queue.then(work);
  state.queue = workResult.catch(() => null);
  return workResult;
}

/** Opens the base's checkout on the first call. Returns the checkout, or the reason why there is none. */
function openBase(state: BaselineState): Promise<Checkout | string> {
  const open = async (): Promise<Checkout | string> => {
    const checkout = await state.checkouts.open({commit: state.base, changes: state.changes});
    if (!checkout.ok) return "the base could not be checked out";
    return checkout.value.isReady ? checkout.value : "the setup fails on the base";
  };
  state.checkout ??= open();
  return state.checkout;
}

/** The result of this run, or of an earlier run on the same base with the same tools. */
function findResult({results, kept}: BaselineState, stage: Stage): StageResult | null {
  const result = results.get(stage.name) ?? kept?.find(stage) ?? null;
  if (result !== null) results.set(stage.name, result);
  return result;
}

async function resultOf(state: BaselineState, stage: Stage): Promise<StageResult | string> {
  if (findResult(state, stage) === null) {
    const checkout = await openBase(state);
    if (typeof checkout === "string") return checkout;
    await runOnBase(state, stage, checkout);
  }
  return state.results.get(stage.name) ?? "it was not run there";
}

/**
 * Runs the stage after its prerequisites and saves the results. An aborted stage leaves no result. Saves caches in the
 * background only.
 */
async function runOnBase(
  state: BaselineState,
  stage: Stage,
  {environment, saveCaches}: Pick<Checkout, "environment" | "saveCaches">,
): Promise<void> {
  const {results, hasRun, kept, plan} = state;
  const {signal, isBackground = false} = environment;
  for (const next of [...prerequisitesOf(stage, plan), stage]) {
    if (next !== stage && hasRun.has(next.name) && results.has(next.name)) continue;
    if (signal.aborted) return;
    const result = await runAlone(state, next, environment);
    if (signal.aborted) {
      state.stoppedAfterMs.set(next.name, result.durationMs);
      return;
    }
    hasRun.add(next.name);
    const isReusable = isDeterministic(result);
    if (isReusable) kept?.keep(next, result);
    if (isReusable || !isBackground) results.set(next.name, result);
    if (isBackground && result.exit?.kind === "exited") await saveCaches(next, signal);
  }
}

/** Runs a stage without its prerequisites and without saving the result. */
async function runAlone(
  {repository, base}: BaselineState,
  stage: Stage,
  environment: StageEnvironment,
): Promise<StageResult> {
  const result = await runStage(stage, environment);
  return failIfRewritten(result, await rewrittenFiles({repository, folder: environment.folder, commit: base}));
}

/** While the agent works: installs the base, runs the stages, and saves what candidates can reuse. */
async function warmUp(state: BaselineState, signal: AbortSignal): Promise<void> {
  const {plan, repository, base} = state;
  // Opened even if all results are known, because this also starts the install, which the candidate needs.
  const openedBase = await openBase(state);
  if (typeof openedBase === "string") return;
  const checkout = {...openedBase, environment: {...openedBase.environment, signal, isBackground: true}};
  for (const stage of plan.stages) {
    if (signal.aborted) return;
    if (state.hasRun.has(stage.name) || findResult(state, stage) !== null) continue;
    await runAfterOthers(state, () => runOnBase(state, stage, checkout));
  }
  const expandedCommands = await expandScripts(plan.stages, (cwd) => scriptsAt({repository, commit: base, cwd}));
  for (const stage of plan.stages) {
    if (!signal.aborted)
      await runAfterOthers(state, () => writeBuildInfo(state, stage, {line: expandedCommands(stage), checkout}));
  }
}

/** Lets a type check write incremental build info for affected runs, and deletes it if it does not save time. */
async function writeBuildInfo(
  state: BaselineState,
  stage: Stage,
  {line, checkout}: {line: string; checkout: Pick<Checkout, "environment" | "saveCaches">},
): Promise<void> {
  const {signal, folder} = checkout.environment;
  const check = makeIncremental({stage, line});
  const wholeResult = state.results.get(stage.name);
  if (check === null || wholeResult === undefined || state.isBuildInfoJudged.has(stage)) return;
  if (prerequisitesOf(stage, state.plan).length > 0) return;
  const run = () => runAlone(state, {...stage, ...check.instead}, checkout.environment);
  const [first, second] = [await run(), await run()];
  if (!signal.aborted) state.isBuildInfoJudged.add(stage);
  if (!signal.aborted && isWorthBuildInfo({whole: wholeResult, first, second}))
    await checkout.saveCaches(stage, signal);
  else await rm(join(folder, check.notes), {force: true});
}

function withComparison({
  result,
  base,
  stage,
  line,
}: {
  result: StageResult;
  base: StageResult | string;
  stage: Stage;
  line: string;
}): StageResult {
  const baseline: BaselineComparison =
    typeof base === "string"
      ? {outcome: "unknown", new: [], preexisting: [], fixed: 0, why: base}
      : compareWithBase({candidate: result, base, line, stopsEarly: stage.stopsEarly});
  if (baseline.outcome !== "new" || baseline.preexisting.length === 0 || result.output === null) {
    return {...result, baseline};
  }
  const log = wholeText(result.output);
  return {...result, baseline, excerpt: narrowLog({log, wanted: baseline.new, maxChars: EXCERPT_CHARS})};
}
