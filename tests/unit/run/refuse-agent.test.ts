/** Which agent and model an organization's policy refuses, whatever the workflow's inputs say. */
import {expect, test} from "vitest";
import {parseInputs} from "../../../src/github/inputs.ts";
import {refuseAgent} from "../../../src/run/organization-policy.ts";

function refusedPaths(rules: Parameters<typeof refuseAgent>[0]["policy"], given: Record<string, string>): string[] {
  const inputs = parseInputs((name) => ({"github-token": "a-token", ...given})[name]);
  if (!inputs.ok) throw new Error("the inputs are wrong");
  const failure = refuseAgent({context: {inputs: inputs.value}, policy: rules});
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
