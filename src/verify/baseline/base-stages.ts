/** The base's stages: what is known of them, and the one checkout that they run in, one after the other. */
import type {Repository} from "../../git/repository.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import type {Checkout, Checkouts} from "../checkout/checkout.ts";
import {asRewriting, rewrittenFiles} from "../checkout/rewritten-files.ts";
import {prerequisitesOf} from "../schedule/order.ts";
import {isDeterministic} from "../stage/contention.ts";
import {runStage, type StageEnvironment} from "../stage/stage.ts";
import type {KeptBaseline} from "./kept-baseline.ts";

export interface BaseOptions {
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

/** Where a stage of the base runs, and how its caches are kept. */
export type BaseCheckout = Pick<Checkout, "surroundings" | "keepCaches">;

export interface BaseStages {
  /** The base's checkout, which the first call makes; or why there is none. */
  open(): Promise<Checkout | string>;
  /** Waits until nothing else runs there: the stages share the checkout. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** What this run has learnt of the stage so far. */
  known(stage: Stage): StageResult | null;
  /** The same, or what an earlier run has seen of it on the same base, with the same tools. */
  find(stage: Stage): StageResult | null;
  /** Whether it has run in the checkout, whatever came of it. */
  hasRun(stage: Stage): boolean;
  /**
   * Runs the stage after what it builds on, and remembers what came of it. An end before the end leaves nothing behind. In the
   * background there is also time to keep what the stage left in caches.
   */
  run(stage: Stage, place: BaseCheckout): Promise<void>;
  /** Runs the stage, or what stands in its place, by itself; nothing is remembered. */
  runOnly(stage: Stage, surroundings: StageEnvironment): Promise<StageResult>;
}

export function openBaseStages(options: BaseOptions): BaseStages {
  const {plan, kept, repository, base} = options;
  const results = new Map<string, StageResult>();
  const ran = new Set<string>();
  let place: Promise<Checkout | string> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function runOnly(stage: Stage, surroundings: StageEnvironment): Promise<StageResult> {
    const result = await runStage(stage, surroundings);
    return asRewriting(result, await rewrittenFiles({repository, folder: surroundings.folder, commit: base}));
  }

  return {
    open() {
      place ??= openPlace(options);
      return place;
    },
    inTurn(work) {
      const done = queue.then(work);
      queue = done.catch(() => null);
      return done;
    },
    known: ({name}) => results.get(name) ?? null,
    find(stage) {
      const found = results.get(stage.name) ?? kept?.find(stage) ?? null;
      if (found !== null) results.set(stage.name, found);
      return found;
    },
    hasRun: ({name}) => ran.has(name),
    async run(stage, {surroundings, keepCaches}) {
      const {signal, isBackground = false} = surroundings;
      for (const one of [...prerequisitesOf(stage, plan), stage]) {
        if (one !== stage && ran.has(one.name) && results.has(one.name)) continue;
        if (signal.aborted) return;
        const result = await runOnly(one, surroundings);
        if (signal.aborted) return;
        ran.add(one.name);
        const isUsable = isDeterministic(result);
        if (isUsable) kept?.keep(one, result);
        if (isUsable || !isBackground) results.set(one.name, result);
        if (isBackground && result.exit?.kind === "exited") await keepCaches({stage: one, signal});
      }
    },
    runOnly,
  };
}

async function openPlace(options: BaseOptions): Promise<Checkout | string> {
  const {checkouts, base, changes} = options;
  const opened = await checkouts.open({commit: base, changes});
  if (!opened.ok) return "the base could not be checked out";
  const isReady = opened.value.setup.every((step) => step.outcome === "passed");
  return isReady ? opened.value : "the setup fails on the base";
}
