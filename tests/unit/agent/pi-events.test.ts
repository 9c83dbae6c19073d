/** What a turn came to, read from the events that pi prints. */
import {expect, test} from "vitest";
import {pi} from "../../../src/agent/adapters/pi.ts";
import {readEvent} from "../../../src/agent/adapters/pi-events.ts";

const usage = (input: number, output: number, cost: number) => ({
  input,
  output,
  cacheRead: 1,
  cacheWrite: 2,
  totalTokens: input + output,
  cost: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost},
});

const said = (stopReason: string, text: string, more: object = {}) => ({
  type: "message_end",
  message: {
    role: "assistant",
    content: [{type: "thinking", thinking: "…"}, ...(text ? [{type: "text", text}] : [])],
    provider: "anthropic",
    model: "m-1",
    stopReason,
    usage: usage(10, 5, 0.25),
    ...more,
  },
});
const tool = {type: "tool_execution_start", toolCallId: "1", toolName: "bash", args: {command: "npm\n test"}};

function listen(events: readonly unknown[]) {
  const listener = pi.listen();
  const progress = events.map((event) => listener.line(typeof event === "string" ? event : JSON.stringify(event)));
  return {...listener.state(), end: listener.end(), progress: progress.filter((line) => line !== null)};
}

test("answer and model are the last message's; usage and cost are summed over all", () => {
  const turn = listen([
    {type: "session", version: 3, id: "s-1"},
    said("toolUse", "Looking."),
    tool,
    said("stop", "Done."),
  ]);
  expect(turn).toMatchObject({model: "anthropic/m-1", answer: "Done.", toolCalls: 1});
  expect(turn.usage).toEqual({input: 20, output: 10, cacheRead: 2, cacheWrite: 4, costUsd: 0.5});
  expect(turn.end).toEqual({kind: "answered"});
  expect(turn.progress).toEqual(["bash npm, test"]);
});

test.each([
  ["stop, with a text", [said("stop", "Hi")], "answered"],
  ["stop without a word, but with work done", [said("toolUse", ""), tool, said("stop", "")], "answered"],
  ["stop without a word or deed", [said("stop", " ")], "no-answer"],
  ["error", [said("error", "", {errorMessage: "503 overloaded"})], "model-failed"],
  ["aborted", [said("aborted", "half")], "model-failed"],
  ["length", [said("length", "half")], "no-answer"],
  ["toolUse", [said("toolUse", "I will now"), tool], "no-answer"],
  ["a reason nobody knows", [said("quantum", "x")], "no-answer"],
  ["no stop reason", [said("stop", "x", {stopReason: null})], "no-answer"],
  ["nothing at all", [], "no-answer"],
  ["an error that a retry made good", [said("error", ""), said("stop", "ok")], "answered"],
  ["an answer, then an error", [said("stop", "ok"), said("error", "")], "model-failed"],
  ["only a user's message", [{type: "message_end", message: {role: "user", content: "stop"}}], "no-answer"],
])("%s", (_, events, kind) => {
  expect(listen(events).end.kind).toBe(kind);
});

test("the model's error stands in the turn's end", () => {
  expect(listen([said("error", "", {errorMessage: "503 overloaded"})]).end).toEqual({
    kind: "model-failed",
    message: "503 overloaded",
  });
});

test("what is no event, or no event we know, changes nothing", () => {
  const noise = [
    "",
    "not json",
    "{",
    "[]",
    "null",
    '{"type":"agent_settled"}',
    '{"type":"message_end"}',
    '{"no":"type"}',
  ];
  expect(listen([said("stop", "Done."), ...noise])).toMatchObject({answer: "Done.", end: {kind: "answered"}});
});

test("usage of an odd shape counts as nothing instead of as NaN", () => {
  const turn = listen([said("stop", "x", {usage: {input: "many", output: -1, cost: null}}), said("stop", "y")]);
  expect(turn.usage).toEqual({input: 10, output: 5, cacheRead: 1, cacheWrite: 2, costUsd: 0.25});
});

test("updates are not parsed", () => {
  expect(readEvent('{"type":"message_update","message":{}}')).toBeNull();
});
