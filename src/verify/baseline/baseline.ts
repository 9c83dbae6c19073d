/** The same stages on the base commit: run while the agent thinks, or when a failure asks for it, and compared with the candidate's (P15). */
import {rm} from "node:fs/promises";
import {join} from "node:path";
import type {Repository} from "../../changes/repository.ts";
import {compareWithBase, mended} from "../../evidence/compare.ts";
import {narrowLog} from "../../evidence/narrow-log.ts";
import type {BaselineComparison, StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import type {Checkout, Checkouts} from "../checkout/checkout.ts";
import {asRewriting, rewrittenFiles} from "../checkout/rewritten.ts";
import {incremental, isWorthNotes} from "../commands/incremental.ts";
import {scriptsAt} from "../commands/scripts.ts";
import {writtenOut} from "../commands/written-out.ts";
import {groundOf} from "../schedule/order.ts";
import {EXCERPT_CHARS, runStage, type Surroundings, wholeText} from "../stage/stage.ts";
import {isSteady} from "../stage/steady.ts";
import type {KeptBaseline} from "./kept-baseline.ts";

/** A checkout for what shares one, one for the first look, and as many more as are likely to be in use on one machine. */
const MOST_SPARES = 6;

export interface Baseline {
  /**
   * Goes on with the base's stages at low priority, for as long as nothing else is verified. Ends when there is nothing left
   * to do, or with `pause`; never rejects.
   */
  begin(): Promise<void>;
  /** Ends what `begin` started, before the candidate's stages run: they may use the same ports. */
  pause(): Promise<void>;
  /** Gives the result with its comparison. Runs the stage on the base first when a failure needs that. Never rejects. */
  compare(stage: Stage, result: StageResult): Promise<StageResult>;
  /** Runs another command in the stage's place on the base; null where the base cannot be had. Never rejects. */
  again(stage: Stage, command: string): Promise<StageResult | null>;
  /** Milliseconds that the stage took on the base; null where it has not run there. */
  tookMs(stage: Stage): number | null;
}

interface Options {
  /** their base is the commit that is compared with */
  readonly checkouts: Checkouts;
  readonly repository: Repository;
  readonly base: string;
  readonly plan: Plan;
  /** changes that tell whether the base needs an install of its own; empty where the checkouts hold the base's */
  readonly changes: readonly Change[];
  /** what earlier runs saw of the same base; null where nothing is kept */
  readonly kept: KeptBaseline | null;
  readonly signal: AbortSignal;
}

export function openBaseline(options: Options): Baseline {
  const {plan, kept} = options;
  const results = new Map<string, StageResult>();
  /** what has run in the base's checkout, whatever came of it */
  const ran = new Set<string>();
  /** whose notes have been taken, and judged */
  const noted = new Set<string>();
  let place: Promise<Checkout | string> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let background = new AbortController();

  const open = () => {
    place ??= openPlace(options);
    return place;
  };
  /** One stage of the base at a time: they share the checkout. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work);
    queue = done.catch(() => null);
    return done;
  };

  /** True when an earlier run has seen this stage on the same base, with the same tools. */
  async function isKnown(stage: Stage): Promise<boolean> {
    const found = results.get(stage.name) ?? (await kept?.find(stage)) ?? null;
    if (found !== null) results.set(stage.name, found);
    return found !== null;
  }

  /**
   * Runs the stage in the base's checkout, after what it builds on. An end before the end leaves nothing behind. In the
   * background there is also time to keep what the stage left in caches.
   */
  async function runHere(stage: Stage, {surroundings, keepCaches}: Pick<Checkout, "surroundings" | "keepCaches">) {
    for (const one of [...groundOf(stage, plan), stage]) {
      if (one !== stage && ran.has(one.name) && results.has(one.name)) continue;
      if (surroundings.signal.aborted) return;
      const result = await runOnBase(options, one, surroundings);
      if (surroundings.signal.aborted) return;
      ran.add(one.name);
      const isUsable = isSteady(result);
      if (isUsable) kept?.keep(one, result);
      if (isUsable || surroundings.isBackground !== true) results.set(one.name, result);
      const hasEnded = result.exit?.kind === "exited";
      if (hasEnded && surroundings.isBackground === true) await keepCaches({stage: one, signal: surroundings.signal});
    }
  }

  /** Lets a type check leave its notes here, for first looks at candidates. Those that are not worth it go again. */
  async function takeNotes(o: Pick<Checkout, "surroundings" | "keepCaches"> & {stage: Stage; line: string}) {
    const {stage, surroundings, keepCaches} = o;
    const {signal, folder} = surroundings;
    const check = incremental(o);
    const whole = results.get(stage.name);
    if (check === null || whole === undefined || noted.has(stage.name) || groundOf(stage, plan).length > 0) return;
    const run = () => runOnBase(options, {...stage, ...check.instead}, surroundings);
    const [first, second] = [await run(), await run()];
    if (!signal.aborted) noted.add(stage.name);
    if (!signal.aborted && isWorthNotes({whole, first, second})) await keepCaches({stage, signal});
    else await rm(join(folder, check.notes), {force: true});
  }

  async function rehearse(signal: AbortSignal): Promise<void> {
    // Also where all results are known: the candidate needs the install that this begins.
    const opened = await open();
    if (typeof opened === "string") return;
    const prepare = () => options.checkouts.prepare({upTo: Math.min(plan.stages.length + 2, MOST_SPARES), signal});
    await inTurn(prepare);
    const surroundings = {...opened.surroundings, signal, isBackground: true};
    for (const stage of plan.stages) {
      if (signal.aborted) return;
      if (ran.has(stage.name) || (await isKnown(stage))) continue;
      await inTurn(() => runHere(stage, {...opened, surroundings}));
    }
    const written = await writtenOut(plan.stages, (cwd) => scriptsAt({...options, commit: options.base, cwd}));
    for (const stage of plan.stages) {
      if (!signal.aborted) await inTurn(() => takeNotes({...opened, surroundings, stage, line: written(stage)}));
    }
    await inTurn(prepare);
  }

  async function resultOf(stage: Stage): Promise<StageResult | string> {
    if (!(await isKnown(stage))) {
      const opened = await open();
      if (typeof opened === "string") return opened;
      await runHere(stage, opened);
    }
    return results.get(stage.name) ?? "it was not run there";
  }

  async function pause(): Promise<void> {
    background.abort();
    await queue;
  }

  return {
    async begin() {
      background = new AbortController();
      // What goes wrong here is met again, and said, when the result is needed.
      await rehearse(AbortSignal.any([background.signal, options.signal])).catch(() => null);
    },
    pause,
    async compare(stage, result) {
      if (result.outcome === "passed") {
        const before = results.get(stage.name);
        return before === undefined ? result : {...result, baseline: mended(before)};
      }
      const isCompared = result.failureKind === "code" || result.failureKind === "timeout";
      if (!isCompared || options.signal.aborted) return result;
      await pause();
      const base = await inTurn(() => resultOf(stage));
      return withComparison(result, base);
    },
    async again(stage, command) {
      await pause();
      return inTurn(async () => {
        const opened = await open();
        if (typeof opened === "string") return null;
        for (const one of groundOf(stage, plan)) if (!ran.has(one.name)) await runHere(one, opened);
        return runOnBase(options, {...stage, command}, opened.surroundings);
      });
    },
    tookMs: ({name}) => results.get(name)?.durationMs ?? null,
  };
}

async function openPlace(options: Options): Promise<Checkout | string> {
  const {checkouts, base, changes} = options;
  const opened = await checkouts.open({commit: base, changes});
  if (!opened.ok) return "the base could not be checked out";
  const isReady = opened.value.setup.every((step) => step.outcome === "passed");
  return isReady ? opened.value : "the setup fails on the base";
}

async function runOnBase(o: Options, stage: Stage, surroundings: Surroundings): Promise<StageResult> {
  const result = await runStage(stage, surroundings);
  const {repository, base} = o;
  return asRewriting(result, await rewrittenFiles({repository, folder: surroundings.folder, commit: base}));
}

function withComparison(result: StageResult, base: StageResult | string): StageResult {
  const baseline: BaselineComparison =
    typeof base === "string"
      ? {outcome: "unknown", new: [], preexisting: [], fixed: 0, why: base}
      : compareWithBase({candidate: result, base});
  if (baseline.outcome !== "new" || baseline.preexisting.length === 0 || result.output === null) {
    return {...result, baseline};
  }
  const log = wholeText(result.output);
  return {...result, baseline, excerpt: narrowLog({log, wanted: baseline.new, maxChars: EXCERPT_CHARS})};
}
