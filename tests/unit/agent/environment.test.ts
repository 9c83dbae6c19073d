/** What the agent's process gets of the runner's variables, and what it does not. */
import {expect, test} from "vitest";
import {pi} from "../../../src/agent/adapters/pi.ts";
import {agentEnvironment} from "../../../src/agent/environment.ts";

const variables = {
  PATH: "/usr/bin",
  https_proxy: "http://proxy:3128",
  NODE_EXTRA_CA_CERTS: "/ca.pem",
  NODE_OPTIONS: "--require /evil.js",
  ANTHROPIC_API_KEY: "a",
  OPENAI_API_KEY: "o",
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: "s",
  AWS_REGION: "eu-1",
  GITHUB_TOKEN: "g",
  GH_TOKEN: "h",
  GITHUB_ENV: "/env",
  ACTIONS_RUNTIME_TOKEN: "r",
  RUNNER_TEMP: "/tmp/runner",
  "INPUT_GITHUB-TOKEN": "i",
  SOMEONES_SECRET: "x",
  PI_CODING_AGENT_DIR: "/someone/elses",
};

const hide = {script: "/s/hide", prefix: "/s/prefix"};

const names = (provider: string) =>
  Object.keys(agentEnvironment({adapter: pi, provider, variables, home: "/h", tmp: "/t", configFolder: "/c", hide}));

test("of all keys, those of the one provider, and nothing of the runner's", () => {
  const keys = Object.keys(variables).filter((name) =>
    /^(ANTHROPIC|OPENAI|AWS|GITHUB|GH|ACTIONS|RUNNER|INPUT|SOME|NODE_OPT)/.test(name),
  );
  const given = (provider: string) =>
    names(provider)
      .filter((name) => keys.includes(name))
      .sort();
  expect(given("anthropic")).toEqual(["ANTHROPIC_API_KEY"]);
  expect(given("amazon-bedrock")).toEqual(["AWS_ACCESS_KEY_ID", "AWS_REGION", "AWS_SECRET_ACCESS_KEY"]);
  expect(given("github-copilot")).toEqual([]);
  expect(given("somebody-else")).toEqual([]);
  expect(given("")).toEqual([]);
});

test("a relative folder of the PATH, where a checkout could put its own pi, is left out", () => {
  const source = {...variables, PATH: "node_modules/.bin:/usr/bin:."};
  const made = agentEnvironment({
    adapter: pi,
    provider: "",
    variables: source,
    home: "/h",
    tmp: "/t",
    configFolder: "/c",
    hide,
  });
  expect(made["PATH"]).toBe("/usr/bin");
});

test("the way to the model is kept, and pi is told where its config lies", () => {
  const made = agentEnvironment({
    adapter: pi,
    provider: "openai",
    variables,
    home: "/h",
    tmp: "/t",
    configFolder: "/c",
    hide,
  });
  expect(made).toMatchObject({
    HOME: "/h",
    https_proxy: "http://proxy:3128",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    PI_CODING_AGENT_DIR: "/c",
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
  });
});
