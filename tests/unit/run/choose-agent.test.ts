/** The inputs of a run whose request names an agent or a model. */
import {expect, test} from "vitest";
import {parseInputs} from "../../../src/github/inputs.ts";
import {chooseAgent} from "../../../src/run/choose-agent.ts";

function inputsWith(values: Readonly<Record<string, string>>) {
  const inputs = parseInputs((name) => ({"github-token": "t", ...values})[name]);
  if (!inputs.ok) throw new Error(JSON.stringify(inputs.failure));
  return inputs.value;
}

const inputs = inputsWith({
  agent: "claude",
  provider: "anthropic",
  model: "opus",
  thinking: "high",
  "agent-args": "--x",
});
const work = {kind: "work", text: "fix it"} as const;

test("without a choice, and for other requests, the workflow decides", () => {
  expect(chooseAgent(inputs, work)).toEqual(inputs);
  expect(chooseAgent(inputs, {kind: "continue", hint: "model=x"})).toEqual(inputs);
  expect(chooseAgent(inputs, null)).toEqual(inputs);
});

test("another model keeps the agent's settings, another agent does not", () => {
  expect(chooseAgent(inputs, {...work, agent: "claude", model: "haiku"})).toEqual({...inputs, model: "haiku"});
  const others = {provider: "", model: "", thinking: "", "agent-args": [], "agent-config": ""};
  expect(chooseAgent(inputs, {...work, agent: "codex"})).toEqual({...inputs, ...others, agent: "codex"});
});

test("the lists are words, and an agent that is none is a mistake", () => {
  const {"allowed-agents": agents, "allowed-models": models} = inputsWith({
    "allowed-agents": " pi,codex ",
    "allowed-models": "a/b c",
  });
  expect([agents, models]).toEqual([
    ["pi", "codex"],
    ["a/b", "c"],
  ]);
  expect(() => inputsWith({"allowed-agents": "command"})).toThrow("may have these words: pi, claude");
});
