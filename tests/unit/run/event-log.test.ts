/** The lines of the judge in the log of a run: its start, its opinion, another turn, and the end of its turns. */
import {expect, test} from "vitest";
import type {Opinion} from "../../../src/record/opinion.ts";
import {NO_USAGE} from "../../../src/record/usage.ts";
import {eventLine} from "../../../src/run/event-log.ts";

const point = {text: "Has a test", category: null, reason: "", quote: ""} as const;
const opinionOf = (answer: "met" | "not-met", usage = NO_USAGE): Opinion => ({
  ...{kind: "judged", outcome: answer, points: [{...point, answer}], objections: [], model: "m"},
  ...{isSameFamily: null, cut: [], usage, durationMs: 1},
});
const judged = (opinion: Opinion) => eventLine({kind: "judged", attempt: 1, opinion});

test("each step of the judge has its line", () => {
  expect(eventLine({kind: "judge-started", attempt: 2})).toBe("🧭 A second model compares attempt 2 with the request.");
  expect(judged(opinionOf("met", {...NO_USAGE, costUsd: 0.5}))).toBe("🧭 Second opinion: 1 of 1 point met, $0.50");
  expect(judged(opinionOf("not-met"))).toBe("🧭 Second opinion: 0 of 1 point met, $0");
  const missing: Opinion = {kind: "not-judged", why: "timed-out", detail: "", usage: NO_USAGE, durationMs: 1};
  expect(judged(missing)).toBe("🧭 Second opinion: not judged: its model gave no answer in time, $0");
  expect(eventLine({kind: "turn-started", attempt: 1, prompt: "", reason: "task", ofTry: {number: 2, of: 3}})).toBe(
    "🤖 Try 2 of 3: the agent starts.",
  );
  expect(eventLine({kind: "turn-started", attempt: 2, prompt: "", reason: "objection"})).toContain(
    "Attempt 2: the objections go back to the agent",
  );
  expect(eventLine({kind: "objections-exhausted", opinions: 3})).toBe(
    "🧭 The second model still objects after 3 opinions.",
  );
});

test("a cost that an endpoint does not report is unknown, not zero", () => {
  const unknown = {...NO_USAGE, input: 9, hasUnknownCost: true};
  expect(judged(opinionOf("met", unknown))).toContain("1 of 1 point met, cost unknown");
  expect(judged(opinionOf("met", {...unknown, costUsd: 0.5}))).toContain("at least $0.50");
});
