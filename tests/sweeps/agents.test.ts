/** Each agent with its real program and a scripted model: work, a failing test, the fix in the same session, a pull request, no key. */
import {mkdir, mkdtemp, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {delimiter, dirname, join} from "node:path";
import {setTimeout as pause} from "node:timers/promises";
import {expect, onTestFailed, test} from "vitest";
import type {AgentName} from "../../src/record/agent-names.ts";
import {isMain} from "../rig/hunt-along.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {processesOf} from "../rig/runner/processes.ts";
import {type Hunt, huntFor} from "../rig/runner/token-hunt.ts";
import {installAgent} from "./agents/install.ts";
import {type ShellModel, startShellModel} from "./agents/model.ts";

const write = (path: string, text: string) => `echo ${Buffer.from(text).toString("base64")} | base64 -d > ${path}`;

interface AgentCase {
  readonly inputs: Record<string, string>;
  /** the variables of the step */
  readonly env: (options: {url: string; key: string}) => Record<string, string>;
  /** Files of the folder `agent-config`, for an agent that reads the model's address from there. */
  readonly config?: (url: string) => Record<string, string>;
  readonly model: string;
  /** the tokens of both turns: two calls each; null if the agent reports none */
  readonly tokens: {readonly input: number; readonly output: number} | null;
}

const TOKENS = {input: 4800, output: 136};
const CASES: Partial<Record<AgentName, AgentCase>> = {
  claude: {
    inputs: {provider: "anthropic", model: "claude-opus-5-5"},
    env: ({url, key}) => ({ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key}),
    model: "anthropic/claude-opus-5-5",
    tokens: TOKENS,
  },
  codex: {
    inputs: {provider: "openai", model: "gpt-scripted"},
    env: ({url, key}) => ({OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key}),
    model: "openai/gpt-scripted",
    tokens: TOKENS,
  },
  gemini: {
    inputs: {provider: "google", model: "gemini-2.5-pro"},
    env: ({url, key}) => ({GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key}),
    model: "google/gemini-2.5-pro",
    tokens: TOKENS,
  },
  opencode: {
    inputs: {provider: "scripted", model: "gpt-scripted"},
    env: ({key}) => ({OPENAI_API_KEY: key}),
    config: (url) => ({"opencode/opencode.json": JSON.stringify({provider: {scripted: scriptedProvider(url)}})}),
    model: "scripted/gpt-scripted",
    tokens: TOKENS,
  },
  copilot: {
    inputs: {provider: "custom", model: "gpt-scripted"},
    env: ({url, key}) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_OFFLINE: "true",
    }),
    model: "custom/gpt-scripted",
    tokens: null,
  },
};

function scriptedProvider(url: string) {
  return {
    npm: "@ai-sdk/openai-compatible",
    options: {baseURL: `${url}/v1`, apiKey: "no-key-needed"},
    models: {"gpt-scripted": {limit: {context: 128_000, output: 8_000}, cost: {input: 2, output: 8}}},
  };
}

/** No other process sleeps this long. */
const SLEEP = `sleep 100.${process.pid}`;

function startProductModel(): Promise<ShellModel> {
  return startShellModel([
    {
      when: "multiply, please",
      run: `${write("src/product.js", PRODUCT_FILES.wrong)}; ${write("tests/product.test.js", PRODUCT_FILES.test)}; env > ../seen-by-tools.txt`,
      say: "Added a product.",
    },
    {
      when: "products multiply",
      run: `${write("src/product.js", PRODUCT_FILES.right)}; ${SLEEP} || true`,
      say: "Multiplied it.",
    },
  ]);
}

const OPENCODE_WITH_KEY: AgentCase = {
  inputs: {provider: "openai", model: "gpt-5-mini"},
  env: ({url, key}) => ({OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key}),
  model: "openai/gpt-5-mini",
  tokens: TOKENS,
};

/** Looks from outside for the key in all processes and files of the run when the agent's shell has begun to sleep, and ends the sleep. Null if it never does. */
async function huntWhileAsleep(options: {key: string; place: string; ended: Promise<unknown>}): Promise<Hunt | null> {
  let isOver = false;
  void options.ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const sleeping = processesOf(options.place).filter((line) => line.endsWith(`: ${SLEEP}`));
    const hunt = sleeping.length === 0 ? null : huntFor({key: options.key}, options.place);
    for (const line of sleeping) process.kill(Number.parseInt(line, 10));
    if (hunt !== null) return hunt;
    await pause(100);
  }
  return null;
}

test.each([...Object.entries(CASES), ["opencode", OPENCODE_WITH_KEY] as const])(
  "%s works, fixes its failure in the same session, and its work is published",
  async (name, one) => {
    const agent = name as AgentName;
    process.env["PATH"] = [installAgent(agent), process.env["PATH"]].join(delimiter);
    await using model = await startProductModel();
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const folder = await configFolder(one.config?.(model.url) ?? {});
    const {key} = rig.model;
    const {ended} = await rig.begin("/assay multiply, please", {
      by: "will",
      inputs: {agent, ...one.inputs, "agent-config": folder},
      env: one.env({url: model.url, key}),
    });
    const hunt = await huntWhileAsleep({key, place: join(rig.folder, "run-1"), ended});
    const outcome = await ended;
    await assertPromises(rig, outcome);
    // Only Assay itself has the key, so the hunt does find keys.
    const holders = hunt?.holders.map(({name, where}) => `${where} of ${isMain(name) ? "Assay" : name}`);
    expect(holders).toEqual(["environment of Assay", "memory of Assay"]);
    expect(hunt?.closed).toEqual([]);
    expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2", branch: "assay/issue-1"});
    // The key proxy needs settings of its own.
    expect(outcome.log.includes("The agent has the model's key")).toBe(one.config !== undefined);
    expect(await rig.origin.read("assay/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
    expect(model.memories.at(-1)?.join("\n")).toContain("Added a product.");
    const turns = (outcome.record?.attempts ?? []).map(({turn}) => turn);
    expect(turns.map((turn) => turn?.answer)).toEqual(["Added a product.", "Multiplied it."]);
    expect(turns.map((turn) => turn?.model)).toEqual([one.model, one.model]);
    const total = (key: "input" | "output") => turns.reduce((sum, turn) => sum + (turn?.usage[key] ?? 0), 0);
    expect({input: total("input"), output: total("output")}).toEqual(one.tokens ?? {input: 0, output: 0});

    // Another run on another machine: only Assay's ref has the conversation.
    const again = await rig.comment("/assay products multiply wrongly, look again", {
      by: "will",
      inputs: {agent, ...one.inputs, "agent-config": await configFolder(one.config?.(model.url) ?? {})},
      env: one.env({url: model.url, key}),
    });
    await assertPromises(rig, again);
    expect(model.memories.at(-1)?.join("\n")).toContain("Added a product.");
  },
);

/** Empty without files: then Assay writes the agent's settings. */
async function configFolder(files: Record<string, string>): Promise<string> {
  if (Object.keys(files).length === 0) return "";
  const folder = await mkdtemp(join(tmpdir(), "rig-agent-config-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), {recursive: true});
    await writeFile(join(folder, path), text);
  }
  return folder;
}
