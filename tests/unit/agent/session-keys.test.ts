/** Which secret encrypts a conversation, and which may have encrypted an earlier one. */
import {expect, test} from "vitest";
import {findSessionKeys} from "../../../src/agent/session-keys.ts";
import type {AgentName} from "../../../src/record/agent-names.ts";

const LONG = "sk-0123456789-0123456789-0123456789";
const names = (
  variables: Readonly<Record<string, string>>,
  {
    agent = "pi",
    provider = "",
    model = "",
    sessionKey = "",
  }: Partial<Record<"provider" | "model" | "sessionKey", string>> & {agent?: AgentName} = {},
) => {
  const {sealing, all} = findSessionKeys({agent, choice: {provider, model}, sessionKey, variables});
  return [sealing?.name ?? null, all.map(({name}) => name)];
};

test.each([
  [
    "the owner's secret comes first",
    {OPENAI_API_KEY: LONG},
    {sessionKey: "sixteen-letters!"},
    "session-key",
    ["session-key", "OPENAI_API_KEY"],
  ],
  [
    "a short one is not replaced by another",
    {OPENAI_API_KEY: LONG},
    {sessionKey: "fifteen-letters"},
    null,
    ["OPENAI_API_KEY"],
  ],
  [
    "the key of the run's provider",
    {ANTHROPIC_API_KEY: LONG, OPENAI_API_KEY: LONG},
    {provider: "openai"},
    "OPENAI_API_KEY",
    ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"],
  ],
  [
    "the key of the model's provider",
    {ANTHROPIC_API_KEY: LONG, OPENAI_API_KEY: LONG},
    {model: "openai/gpt"},
    "OPENAI_API_KEY",
    ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"],
  ],
  ["31 characters are too few", {OPENAI_API_KEY: LONG.slice(0, 31)}, {}, null, []],
  [
    "a provider that nobody knows",
    {OPENAI_API_KEY: LONG, MINE_API_KEY: LONG},
    {provider: "mine"},
    null,
    ["OPENAI_API_KEY"],
  ],
  [
    "a path is no key",
    {GOOGLE_APPLICATION_CREDENTIALS: `/home/runner/${LONG}.json`},
    {provider: "google-vertex"},
    null,
    [],
  ],
  ["the name of a profile is no key", {AWS_PROFILE: LONG}, {provider: "amazon-bedrock"}, null, []],
  ["no key at all", {HOME: `/home/${LONG}`}, {}, null, []],
  ["a program of the owner without a provider", {HOME: LONG}, {agent: "command" as const}, null, []],
])("%s", (_, variables, options, sealing, all) => {
  expect(names(variables, options)).toEqual([sealing, all]);
});
