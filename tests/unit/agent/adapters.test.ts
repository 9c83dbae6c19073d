/** Each agent's arguments, and its result from the recorded output of the real program: a turn, and a model that refuses. */
import {readFileSync} from "node:fs";
import {describe, expect, test} from "vitest";
import type {AgentChoice, ConversationStore} from "../../../src/agent/adapters/adapter.ts";
import {ADAPTERS} from "../../../src/agent/adapters/all.ts";
import type {AgentName} from "../../../src/record/agent-names.ts";

const choice: AgentChoice = {model: "m", provider: "openai", thinking: "high", extraArguments: ["--own"]};
const STREAMING: readonly AgentName[] = ["claude", "codex", "gemini", "opencode", "copilot"];

function listen(name: AgentName, recording: string, earlier = "") {
  const listener = ADAPTERS[name].listen(choice, earlier);
  const text = readFileSync(new URL(`recordings/${name}-${recording}.jsonl`, import.meta.url), "utf8");
  const progress = text.split("\n").map((line) => listener.line(line));
  return {...listener.state(), end: listener.end(), progress: progress.filter((line) => line !== null)};
}

const COUNTED = {input: 2400, output: 68, cacheRead: 0, cacheWrite: 0};

test.each([
  ["claude", {usage: {...COUNTED, costUsd: 0.01096}, model: "anthropic/claude-opus-5-5"}],
  ["codex", {usage: {...COUNTED, costUsd: 0, hasUnknownCost: true}, model: "openai/m"}],
  ["gemini", {usage: {...COUNTED, costUsd: 0, hasUnknownCost: true}, model: "google/gemini-2.5-pro"}],
  ["opencode", {usage: {...COUNTED, costUsd: 0.005344}, model: "openai/m"}],
  ["copilot", {usage: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0, hasUnknownCost: true}}],
] as const)("%s: a turn with one tool call", (name, expected) => {
  const heard = listen(name, "answered");
  expect(heard.end).toEqual({kind: "answered"});
  expect(heard).toMatchObject({...expected, toolCalls: 1});
  expect(heard.answer).toMatch(/^Done with \d+\.$/);
  expect(heard.progress.join("\n")).toMatch(/echo/);
  expect(heard.conversation).toMatch(/^[\w-]{8,64}$/);
});

test.each(STREAMING)("%s: a model that refuses is no answer, whatever the exit code", (name) => {
  const heard = listen(name, "refused");
  expect(heard.end).toMatchObject({
    kind: "model-failed",
    message: expect.stringContaining("the scripted model refuses"),
  });
});

test.each(STREAMING)("%s: output that ends early is no answer", (name) => {
  const listener = ADAPTERS[name].listen(choice, "");
  const text = readFileSync(new URL(`recordings/${name}-answered.jsonl`, import.meta.url), "utf8");
  for (const line of text.trimEnd().split("\n").slice(0, -1)) listener.line(line);
  expect(listener.end()).toMatchObject({kind: "no-answer"});
});

test.each(STREAMING)("%s: text that is no event of the agent is skipped", (name) => {
  const listener = ADAPTERS[name].listen(choice, "");
  for (const line of ["", "Warning: x", "{", "[]", '{"type":"of a later version"}', '{"type":null}']) {
    expect(listener.line(line)).toBeNull();
  }
  expect(listener.end()).toMatchObject({kind: "no-answer"});
});

test("codex reports the sum of the thread; the turn gets its part", () => {
  const totals = [1000, 1400].map((input) => `"total_token_usage":{"input_tokens":${input},"output_tokens":8}`);
  expect(listen("codex", "answered", totals.join("\n")).usage).toMatchObject({input: 1000, output: 60});
});

describe("arguments", () => {
  test.each(STREAMING)("%s: no prompt is an argument, and the owner's arguments come after Assay's", (name) => {
    const first = ADAPTERS[name].arguments(choice, {file: "/s/x", id: null});
    const next = ADAPTERS[name].arguments(choice, {file: "/s/x", id: "0123456789"});
    expect(first).toContain("--own");
    expect(first.indexOf("--own")).toBeGreaterThan(first.indexOf("m"));
    expect(first.join(" ")).not.toMatch(/0123456789|\/s\/x/);
    expect(next.join(" ")).toMatch(name === "gemini" ? /--session-file \/s\/x/ : /0123456789/);
  });

  test("the model's name has its provider only where the agent wants it", () => {
    const withProvider = {...choice, model: "openai/m"};
    const modelOf = (name: AgentName) =>
      ADAPTERS[name].arguments(withProvider, {file: "f", id: null}).find((argument) => /^(openai\/)?m$/.test(argument));
    expect(STREAMING.map(modelOf)).toEqual(["m", "m", "m", "openai/m", "m"]);
  });

  test("of the agent `command`, the first argument is the program", () => {
    const extraArguments = ["my-agent", "--fast"];
    expect(ADAPTERS.command.arguments({...choice, extraArguments}, {file: "f", id: null})).toEqual(["--fast"]);
  });
});

const ID = "01a207aa-810e-7350-8966-50521a2791f8";

describe("a stored conversation", () => {
  const place = (name: AgentName, text: string) => {
    const store: ConversationStore = ADAPTERS[name].conversation;
    return store.kind === "folder" ? store.place(text, "/home/run ner/my.repo") : null;
  };

  test.each([
    ["claude", `{"sessionId":"${ID}"}\n`, `projects/-home-run-ner-my-repo/${ID}.jsonl`],
    ["copilot", `{"type":"session.start","data":{"sessionId":"${ID}"}}\n`, `session-state/${ID}/events.jsonl`],
    [
      "codex",
      `{"timestamp":"2026-11-23T09:09:04.694Z","type":"session_meta","payload":{"id":"${ID}"}}\n`,
      `sessions/2026/11/23/rollout-2026-11-23T09-09-04-${ID}.jsonl`,
    ],
  ] as const)("%s finds it again", (name, text, path) => {
    expect(place(name, text)).toEqual({id: ID, path});
    const store: ConversationStore = ADAPTERS[name].conversation;
    expect(store.kind === "folder" && store.pattern(ID).test(path)).toBe(true);
  });

  test.each(["claude", "copilot", "codex"] as const)("%s takes no id that leads out of its folder", (name) => {
    const text = `{"timestamp":"2026-11-23T09:09:04.694Z","sessionId":"../../../x/y","id":"../../../x/y"}\n`;
    expect(place(name, text)).toBeNull();
    expect(place(name, "nothing\n")).toBeNull();
  });

  test("opencode's is moved to the folder of this run", () => {
    const store: ConversationStore = ADAPTERS.opencode.conversation;
    const text = JSON.stringify({info: {id: "ses_12345678", directory: "/gone", title: "t"}, messages: []});
    const adapted = store.kind === "commands" ? store.adapt(text, "/here") : null;
    expect(JSON.parse(adapted?.text ?? "{}")).toEqual({
      info: {id: "ses_12345678", directory: "/here", title: "t"},
      messages: [],
    });
    expect(store.kind === "commands" && store.adapt("{}", "/here")).toBeNull();
  });
});

test("no agent gets GitHub's token as a model key", () => {
  const names = Object.values(ADAPTERS).flatMap(({providers}) =>
    Object.values(providers).flatMap(({keys, also = []}) => [...keys, ...also]),
  );
  expect(names.filter((name) => /^(GH|GITHUB|ACTIONS|INPUT|RUNNER)_/.test(name))).toEqual([]);
});
