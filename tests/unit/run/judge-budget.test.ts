/** The judge's calls stay within the budget of the run, and contain no secret. */
import {expect, test} from "vitest";
import type {ModelReply} from "../../../src/judge/ask-model.ts";
import {NO_USAGE} from "../../../src/record/usage.ts";
import {withinBudget} from "../../../src/run/judge-budget.ts";

/** Asks `count` times; each call costs a dollar, as long as the budget allows it. */
async function askTimes(
  count: number,
  options: {usd?: number; minutes?: number; turnsUsd?: number; endsAtMs?: number},
) {
  const prompts: string[] = [];
  const ask = withinBudget(
    {
      budget: {usd: options.usd ?? null, minutes: options.minutes ?? null},
      job: options.endsAtMs === undefined ? null : {minutes: 60, endsAtMs: options.endsAtMs},
      turnsUsd: () => options.turnsUsd ?? 0,
      redact: (text) => text.replaceAll("s3cret", "***"),
    },
    async (prompt): Promise<ModelReply> => {
      prompts.push(prompt);
      return {kind: "answered", text: "{}", model: "m", usage: {...NO_USAGE, costUsd: 1}, durationMs: 1};
    },
  );
  const replies: string[] = [];
  for (let call = 0; call < count; call++) {
    const reply = await ask("the s3cret request");
    replies.push(reply.kind === "failed" ? reply.why : reply.kind);
  }
  return {replies, prompts};
}

test("`budget.usd` counts the agent's turns and the judge's own calls", async () => {
  expect((await askTimes(3, {usd: 2})).replies).toEqual(["answered", "answered", "out-of-budget"]);
  expect((await askTimes(2, {usd: 2, turnsUsd: 1.5})).replies).toEqual(["answered", "out-of-budget"]);
  expect((await askTimes(1, {usd: 2, turnsUsd: 2})).prompts).toEqual([]);
  expect((await askTimes(3, {turnsUsd: 100})).replies).toEqual(["answered", "answered", "answered"]);
});

test("nothing is asked once the time of the run or of the job is used up", async () => {
  expect((await askTimes(1, {minutes: 0})).replies).toEqual(["out-of-budget"]);
  expect((await askTimes(1, {endsAtMs: 0})).replies).toEqual(["out-of-budget"]);
});

test("secrets of the run do not reach the model", async () => {
  expect((await askTimes(1, {})).prompts).toEqual(["the *** request"]);
});
