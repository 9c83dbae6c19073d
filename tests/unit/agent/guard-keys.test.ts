/** Which keys stay with Assay, what the agent gets instead, and that pi's addresses are those of its pinned version. */
import {getModels, getProviders} from "@mariozechner/pi-ai";
import {expect, test} from "vitest";
import {ADAPTERS} from "../../../src/agent/adapters/all.ts";
import {guardKeys} from "../../../src/agent/guard-keys.ts";
import type {AgentName} from "../../../src/record/agent-names.ts";

const KEY = "sk-a-real-key-0001";
const guard = (agent: AgentName, provider: string, variables: Record<string, string>) =>
  guardKeys(ADAPTERS[agent], provider, variables);

test.each([
  ["pi", "anthropic", "ANTHROPIC_API_KEY", "api.anthropic.com"],
  ["pi", "mistral", "MISTRAL_API_KEY", "api.mistral.ai"],
  ["claude", "anthropic", "ANTHROPIC_AUTH_TOKEN", "api.anthropic.com"],
  ["codex", "openai", "OPENAI_API_KEY", "api.openai.com/v1"],
  ["gemini", "google", "GEMINI_API_KEY", "generativelanguage.googleapis.com"],
  ["opencode", "openrouter", "OPENROUTER_API_KEY", "openrouter.ai/api/v1"],
] as const)("%s with %s gets a stand-in for %s, and an address for %s", async (agent, provider, name, path) => {
  const {proxy, variables = {}} = (await guard(agent, provider, {[name]: KEY})) ?? {};
  expect(proxy?.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/${path}$`));
  expect(variables[name]).toMatch(/^assay-[0-9a-f]{64}$/);
  expect(variables).toMatchObject({NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1"});
  expect(JSON.stringify(variables)).not.toContain(KEY);
});

test("an address of the owner is the provider's, and the agent gets the proxy's in all its variables", async () => {
  const own = {OPENAI_API_KEY: KEY, OPENAI_API_BASE: "https://models.example/v2/", NO_PROXY: "example"};
  const {proxy, variables} = (await guard("command", "openai", own)) ?? {};
  expect(proxy?.url).toContain("/models.example/v2");
  expect(variables).toMatchObject({OPENAI_BASE_URL: proxy?.url, OPENAI_API_BASE: proxy?.url});
  expect(variables).toMatchObject({NO_PROXY: "example,127.0.0.1"});
});

test("the stand-in of an OAuth token begins as the token, because the agent chooses its protocol by that", async () => {
  const {variables} = (await guard("pi", "anthropic", {ANTHROPIC_OAUTH_TOKEN: "sk-ant-oat01-secret"})) ?? {};
  expect(variables?.["ANTHROPIC_OAUTH_TOKEN"]).toMatch(/^sk-ant-oat01-[0-9a-f]{64}$/);
});

test.each([
  ["a provider that signs its requests", "pi", "amazon-bedrock", {AWS_ACCESS_KEY_ID: KEY}],
  ["a provider without an address", "codex", "azure", {AZURE_OPENAI_API_KEY: KEY}],
  ["a program that may not read the address", "command", "anthropic", {ANTHROPIC_API_KEY: KEY}],
  ["a token for other addresses", "claude", "anthropic", {CLAUDE_CODE_OAUTH_TOKEN: KEY, ANTHROPIC_API_KEY: KEY}],
  ["an address that is none", "pi", "openai", {OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "models.example"}],
  ["a word as the key", "pi", "openai", {OPENAI_API_KEY: "dummy"}],
  ["no key", "pi", "openai", {}],
  ["an unknown provider", "pi", "someone", {OPENAI_API_KEY: KEY}],
] as const)("%s keeps the agent as it is", async (_, agent, provider, variables) => {
  expect(await guard(agent, provider, variables)).toBeNull();
});

test("the addresses for pi are those of its own models", () => {
  const rows = Object.entries(ADAPTERS.pi.providers).filter(([, {proxied}]) => proxied !== undefined);
  expect(rows.length).toBeGreaterThan(10);
  for (const [name, {proxied}] of rows) {
    const provider = getProviders().find((one) => one === name);
    if (provider === undefined) throw new Error(`pi has no provider ${name}`);
    expect([name, ...new Set(getModels(provider).map(({baseUrl}) => baseUrl))]).toEqual([name, proxied?.address]);
  }
});
