/** Keeps the judge's calls within the run's budget, and removes the run's secrets from its prompts. */
import type {AskModel, ModelReply} from "../judge/ask-model.ts";
import type {NotJudgedReason} from "../record/opinion.ts";
import {NO_USAGE} from "../record/usage.ts";
import {type BudgetLimits, type JobTime, timeSpent} from "./budget.ts";

/** Makes no more calls once the time or the dollars of the run are used up. */
export function withinBudget(
  options: {
    budget: BudgetLimits;
    job: JobTime | null;
    /** the cost of the agent's turns so far */
    turnsUsd: () => number;
    redact: (text: string) => string;
  },
  ask: AskModel,
): AskModel {
  const {usd} = options.budget;
  let callsUsd = 0;
  return async (prompt) => {
    const failedReply = (why: NotJudgedReason, detail: string): ModelReply => ({
      ...{kind: "failed", why, detail},
      ...{usage: NO_USAGE, durationMs: 0},
    });
    const spentBudget = timeSpent(options.budget, {elapsedMs: performance.now(), job: options.job});
    if (spentBudget !== null) return failedReply("out-of-budget", spentBudget);
    if (usd !== null && options.turnsUsd() + callsUsd >= usd)
      return failedReply("out-of-budget", "the budget in dollars is used up");
    const reply = await ask(options.redact(prompt));
    callsUsd += reply.usage.costUsd;
    return reply;
  };
}
