/** Whether there is a key for the model's provider, in the environment or in the agent's own configuration. */
import {expect, test} from "vitest";
import {pi} from "../../../src/agent/adapters/pi.ts";
import {findProvider} from "../../../src/agent/keys.ts";

const find = (provider: string, model: string, variables: Record<string, string>, configured: string[] = []) => {
  const found = findProvider({adapter: pi, choice: {provider, model}, variables, configured: new Set(configured)});
  if (found.ok) return found.value;
  return found.failure.kind === "missing-key" ? `missing ${found.failure.provider} ${found.failure.variable}` : "?";
};

test.each([
  ["openai", "", {OPENAI_API_KEY: "k"}, "openai"],
  ["openai", "", {ANTHROPIC_API_KEY: "k"}, "missing openai OPENAI_API_KEY"],
  ["openai", "", {OPENAI_API_KEY: ""}, "missing openai OPENAI_API_KEY"],
  ["", "openai/gpt-x", {ANTHROPIC_API_KEY: "k"}, "missing openai OPENAI_API_KEY"],
  ["", "openai/gpt-x", {OPENAI_API_KEY: "k"}, "openai"],
  ["openrouter", "openai/gpt-x", {OPENROUTER_API_KEY: "k"}, "openrouter"],
  ["", "meta/llama", {OPENROUTER_API_KEY: "k"}, "openrouter"],
  ["", "some-model", {GEMINI_API_KEY: "k"}, "google"],
  ["", "", {ANTHROPIC_OAUTH_TOKEN: "k"}, "anthropic"],
  ["", "", {}, "missing anthropic ANTHROPIC_API_KEY"],
  ["", "", {GITHUB_TOKEN: "k", GH_TOKEN: "k"}, "missing anthropic ANTHROPIC_API_KEY"],
  ["their-own", "m", {}, "their-own"],
])("provider %j, model %j, %j: %s", (provider, model, variables, expected) => {
  expect(find(provider, model, variables)).toBe(expected);
});

test("a key in the agent's own config is a key", () => {
  expect(find("anthropic", "", {}, ["anthropic"])).toBe("anthropic");
  expect(find("", "mock/one", {}, ["mock"])).toBe("mock");
  expect(find("", "", {}, ["mock"])).toBe("mock");
});

test("config files: only entries that carry a key count, and a broken file counts as none", () => {
  const models = {providers: {anthropic: {baseUrl: "http://x"}, mock: {baseUrl: "http://x", apiKey: "K"}}};
  const files = {"auth.json": '{"openai": {"type": "api_key", "key": "k"}}', "models.json": JSON.stringify(models)};
  expect([...pi.configured(files)].sort()).toEqual(["mock", "openai"]);
  expect([...pi.configured({"auth.json": "[1, {", "models.json": "nonsense"})]).toEqual([]);
  expect([...pi.configured({})]).toEqual([]);
});
