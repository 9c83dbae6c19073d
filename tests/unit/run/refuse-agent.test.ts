/** Which agent and model an organization's policy refuses, whatever the workflow's inputs say. */
import {expect, test} from "vitest";
import {withDefaults} from "../../../src/detect/config/config.ts";
import {parseInputs} from "../../../src/github/inputs.ts";
import {refuseAgent} from "../../../src/run/organization-policy.ts";

function refusedPaths(
  rules: Parameters<typeof refuseAgent>[0]["policy"],
  given: Record<string, string>,
  entries: Parameters<typeof withDefaults>[1] = {},
): string[] {
  const inputs = parseInputs((name) => ({"github-token": "a-token", ...given})[name]);
  if (!inputs.ok) throw new Error("the inputs are wrong");
  const failure = refuseAgent({
    context: {inputs: inputs.value},
    policy: rules,
    config: withDefaults("verify.json", entries),
  });
  return failure?.kind === "config-invalid" ? failure.mistakes.map(({path}) => path) : [];
}
const within = (rules: object) => ({place: "octo/.github@0", rules});

test.each([
  [{}, {agent: "codex", "agent-args": "--model x"}, []],
  [{agents: ["pi"]}, {agent: "pi"}, []],
  [{agents: ["claude"]}, {agent: "pi"}, ["agent"]],
  [{models: ["good"]}, {model: "good"}, []],
  [{models: ["good"]}, {model: "other"}, ["model"]],
  // The agent's own default is not known.
  [{models: ["good"]}, {}, ["model"]],
  [{models: ["good"]}, {model: "good", "agent-args": "--model\nother"}, ["agent-args"]],
])("the policy %j with the inputs %j refuses %j", (rules, given, paths) => {
  expect(refusedPaths(within(rules), given as Record<string, string>)).toEqual(paths);
  expect(refusedPaths(null, given as Record<string, string>)).toEqual([]);
});

const JUDGE = {enabled: true, provider: "openai", model: "other"} as const;
const FREE = {other: {input: 0, output: 0}, mine: {input: 1, output: 2}};

test.each([
  [{models: ["good"]}, {model: "good"}, {judge: JUDGE}, ["judge.model"]],
  [{models: ["good", "other"]}, {model: "good"}, {judge: JUDGE}, []],
  [{models: ["good"]}, {model: "good"}, {judge: {enabled: true}}, []],
  [{models: ["good"]}, {model: "good"}, {judge: {...JUDGE, enabled: false}}, []],
  [{}, {agent: "codex", model: "mine"}, {budget: {usd: 1}}, []],
  [{}, {agent: "codex", model: "mine"}, {budget: {usdPerDay: 9}}, ["model"]],
  [{}, {agent: "codex", model: "mine"}, {budget: {usdPerDay: 9}, prices: FREE}, []],
  [{}, {agent: "codex"}, {budget: {usdPerMonth: 9}, prices: FREE}, ["model"]],
  [{}, {agent: "codex", model: "constructor"}, {budget: {usdPerMonth: 9}, prices: FREE}, ["model"]],
  [{}, {}, {budget: {usdPerMonth: 9}}, []],
  [{}, {}, {budget: {usdPerMonth: 9}, judge: JUDGE}, ["judge.model"]],
  [{}, {}, {budget: {usdPerMonth: 9}, judge: JUDGE, prices: FREE}, []],
])("the policy %j with the inputs %j and verify.json %j refuses %j", (rules, given, entries, paths) => {
  expect(refusedPaths(within(rules), given as Record<string, string>, entries)).toEqual(paths);
});
