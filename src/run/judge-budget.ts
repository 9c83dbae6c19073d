/** Keeps the judge's calls within the budget of the run, and the run's secrets out of them. */
import type {AskModel, ModelReply} from "../judge/ask-model.ts";
import type {NotJudgedReason} from "../record/opinion.ts";
import {NO_USAGE} from "../record/usage.ts";
import {type BudgetLimits, type JobTime, timeSpent} from "./budget.ts";

/** Asks nothing once the time or the dollars of the run are used up. */
export function withinBudget(
  o: {
    budget: BudgetLimits;
    job: JobTime | null;
    /** the cost of the agent's turns so far */
    turnsUsd: () => number;
    redact: (text: string) => string;
  },
  ask: AskModel,
): AskModel {
  const {usd} = o.budget;
  let callsUsd = 0;
  return async (prompt) => {
    const failed = (why: NotJudgedReason, detail: string): ModelReply => ({
      ...{kind: "failed", why, detail},
      ...{usage: NO_USAGE, durationMs: 0},
    });
    const spent = timeSpent(o.budget, {elapsedMs: performance.now(), job: o.job});
    if (spent !== null) return failed("out-of-budget", spent);
    if (usd !== null && o.turnsUsd() + callsUsd >= usd)
      return failed("out-of-budget", "the budget in dollars is used up");
    const reply = await ask(o.redact(prompt));
    callsUsd += reply.usage.costUsd;
    return reply;
  };
}
