/** Runs chosen tests of some stages in a checkout of another commit, such as the base with the candidate's tests. */
import type {Checkouts} from "../../engine/checkout/checkout.ts";
import {openReadyCheckout} from "../../engine/checkout/open-ready.ts";
import {prerequisitesOf} from "../../engine/schedule/order.ts";
import {runStage} from "../../engine/stage/stage.ts";
import type {Repository} from "../../git/repository.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Plan, Stage} from "../../record/plan.ts";
import {ok, type Result, refused} from "../../record/words.ts";

/**
 * Opens a checkout of `commit`, runs the prerequisites of the stages there, and then the commands, one after another. A
 * refusal contains the reason. Never rejects.
 */
export async function runChosenTests(options: {
  checkouts: Checkouts;
  repository: Repository;
  plan: Plan;
  commit: string;
  /** stages of the plan, each with a command that runs only the chosen tests of it */
  runs: readonly {readonly stage: Stage; readonly command: string}[];
  signal: AbortSignal;
}): Promise<Result<StageResult[], string>> {
  const {plan, runs, signal} = options;
  const checkoutResult = await openReadyCheckout(options);
  if (!checkoutResult.ok) return checkoutResult;
  const environment = checkoutResult.value;
  const hasRun = new Set<string>();
  const results: StageResult[] = [];
  for (const {stage, command} of runs) {
    for (const prerequisite of prerequisitesOf(stage, plan).filter(({name}) => !hasRun.has(name))) {
      hasRun.add(prerequisite.name);
      await runStage(prerequisite, environment);
    }
    if (signal.aborted) return refused("it was cancelled");
    results.push(await runStage({...stage, command}, environment));
  }
  return ok(results);
}
