/** The door to the coding agent: a session in which the bot asks, again and again, in one conversation. */
import {existsSync} from "node:fs";
import {mkdir, readFile, writeFile} from "node:fs/promises";
import {constants} from "node:os";
import {dirname, join} from "node:path";
import {type Ran, run} from "../process/run.ts";
import type {Sandbox} from "../process/sandbox.ts";
import type {Turn, TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import type {Isolation} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import {toolchainOf} from "../verify/isolation/sandbox-view.ts";
import type {Adapter, AgentChoice, Listener} from "./adapters/adapter.ts";
import {splitLines} from "./adapters/json-lines.ts";
import {pi} from "./adapters/pi.ts";
import {agentEnvironment, secretVariables} from "./environment.ts";
import {findAgent} from "./install.ts";
import {findProvider} from "./keys.ts";

const ADAPTERS = {pi} satisfies Record<string, Adapter>;
export type AgentName = keyof typeof ADAPTERS;

/** Longest event that is read; a line beyond it is passed over. pi's closing event repeats the whole turn. */
const LINE_BYTES = 32 * 1024 * 1024;
const ANSWER_CHARS = 100_000;
const GRACE_MS = 3_000;

export interface SessionOptions extends AgentChoice {
  readonly agent: AgentName;
  /** the runner's variables; the agent gets an allow-list of them */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** where the agent works */
  readonly folder: string;
  /** where the conversation is kept; one that is there already is gone on with */
  readonly file: string;
  /** HOME of the agent and of the tools it starts */
  readonly home: string;
  /** a folder of ours outside the checkout, for the agent's config, temporary files and, if need be, its program */
  readonly scratch: string;
  /** the owner's own config folder for the agent, where there is one */
  readonly configFolder?: string;
  /** for a turn that starts now */
  readonly timeoutMs: () => number;
  readonly isolation: Isolation;
  /** what the agent may see and write, and what its home names to it; without it, what the machine's user may */
  readonly confinement?: Confinement;
  /** folders that are empty for an agent that is not confined, where it gets a process namespace */
  readonly hidden?: readonly string[];
  /** short lines on what the agent is doing; must not throw */
  readonly onProgress?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface Confinement {
  readonly toolchains: {readonly realHome: string; readonly existing: readonly string[]};
  /** where the agent finds its temporary folder */
  readonly tmp: string;
  /** For one start of a program: `shown` are files and folders to read, `writable` folders of ours to write. */
  readonly sandbox: (o: {
    readonly env: Readonly<Record<string, string>>;
    readonly shown: readonly string[];
    readonly writable: readonly string[];
  }) => Sandbox | null;
}

export interface Session {
  readonly file: string;
  readonly provider: string;
  /** One turn. Never rejects: what went wrong is the turn's `end`. */
  ask(prompt: string): Promise<Turn>;
}

/** Makes everything ready for the first turn. Fails as `missing-key` or `agent-unavailable`; nothing ran then. */
export async function openSession(options: SessionOptions): Promise<Result<Session, Failure>> {
  const adapter = ADAPTERS[options.agent];
  const configFolder = options.configFolder ?? join(options.scratch, "config");
  const tmp = join(options.scratch, "tmp");
  await mkdir(configFolder, {recursive: true});
  await mkdir(tmp, {recursive: true});
  await mkdir(dirname(options.file), {recursive: true});

  const configured = adapter.configured(await readTexts(configFolder, adapter.configFiles));
  const provider = findProvider({adapter, choice: options, variables: options.variables, configured});
  if (!provider.ok) return provider;
  if (options.configFolder === undefined) {
    const own = adapter.ownConfig(secretVariables(adapter, provider.value));
    await writeFile(join(configFolder, own.file), own.text);
  }

  const {variables, home, confinement} = options;
  const base = {adapter, variables, home, tmp: confinement?.tmp ?? tmp, configFolder};
  const toolchains = confinement && {toolchains: confinement.toolchains};
  const writable = [options.scratch, configFolder, dirname(options.file)];
  const installing = agentEnvironment({...base, ...toolchains, provider: ""});
  // npm needs no model's key
  const program = await findAgent({
    adapter,
    environment: installing,
    folder: join(options.scratch, adapter.name),
    isolation: options.isolation,
    sandbox: confinement?.sandbox({env: installing, shown: [], writable}) ?? null,
    ...(options.signal && {signal: options.signal}),
  });
  if (!program.ok) return program;

  const choice: AgentChoice = {...options, provider: provider.value};
  const env = agentEnvironment({...base, ...toolchains, provider: provider.value});
  const argv = [...program.value, ...adapter.arguments(choice, options.file)] as const;
  return ok({
    file: options.file,
    provider: provider.value,
    ask: (prompt) => {
      const shown = [...program.value.flatMap(partsOf), ...settingsOf(adapter, {provider: provider.value, home})];
      const sandbox = confinement?.sandbox({env, shown, writable}) ?? null;
      return takeTurn({adapter, options, sandbox, command: {argv, cwd: options.folder, env, stdin: prompt}});
    },
  });
}

/** A program and what it is made of: the packages that a Node program lies among, or the folder around a `bin`. */
function partsOf(program: string): string[] {
  const [packages] = /^.*?\/node_modules(?=\/)/.exec(program) ?? [];
  return packages === undefined ? [program, ...toolchainOf(dirname(program))] : [packages];
}

/** Where its provider's own tools keep the key, if the variables do not. */
function settingsOf(adapter: Adapter, o: {provider: string; home: string}): string[] {
  return (adapter.providers[o.provider]?.folders ?? []).map((name) => join(o.home, name));
}

async function takeTurn(o: {
  adapter: Adapter;
  options: SessionOptions;
  sandbox: Sandbox | null;
  command: Parameters<typeof run>[0];
}): Promise<Turn> {
  const {adapter, options, sandbox} = o;
  const listener = adapter.listen();
  const lines = splitLines({
    maxBytes: LINE_BYTES,
    onLine: (text) => {
      const progress = listener.line(text);
      if (progress !== null) options.onProgress?.(progress);
    },
  });
  const blocked = await makeReady({adapter, file: options.file, folder: options.folder});
  if (blocked !== null) {
    const {answer, usage, model} = listener.heard();
    return {end: {kind: "not-started", message: blocked}, answer, usage, model, durationMs: 0};
  }
  const ran = await run(o.command, {
    timeoutMs: options.timeoutMs(),
    graceMs: GRACE_MS,
    isolation: options.isolation,
    ...(sandbox && {sandbox}),
    ...(options.hidden && {hidden: options.hidden}),
    onStdout: lines.push,
    ...(options.signal && {signal: options.signal}),
  });
  lines.end();
  const {answer, usage, model} = listener.heard();
  return {end: endOf(ran, listener), answer: answer.slice(0, ANSWER_CHARS), usage, model, durationMs: ran.durationMs};
}

/** A session file that was made elsewhere, or left by a killed agent, is put in order first. Gives what hindered it. */
async function makeReady(o: {adapter: Adapter; file: string; folder: string}): Promise<string | null> {
  if (!existsSync(o.file)) return null;
  try {
    const text = await readFile(o.file, "utf8");
    const ready = o.adapter.resume(text, o.folder);
    if (ready !== text) await writeFile(o.file, ready);
    return null;
  } catch (error) {
    return `the session's file could not be made ready: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Only a program that ended by itself, with 0, is asked what the model said: the exit code alone proves nothing. */
function endOf(ran: Ran, listener: Listener): TurnEnd {
  const {exit} = ran;
  switch (exit.kind) {
    case "not-started":
    case "cancelled":
    case "timed-out":
      return exit;
    case "signaled":
      return {kind: "killed", signal: exit.signal};
    case "exited": {
      const said = listener.end();
      if (exit.code === 0 || said.kind === "model-failed") return said;
      // An agent that catches a signal to clean up ends with 128 + its number, as shells do.
      const signal = Object.entries(constants.signals).find(([, number]) => number === exit.code - 128);
      if (signal) return {kind: "killed", signal: signal[0]};
      return {kind: "exited", code: exit.code, message: (ran.stderr.tail || ran.stderr.head).trim().slice(-2000)};
    }
  }
}

async function readTexts(folder: string, names: readonly string[]): Promise<Record<string, string>> {
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), "utf8").catch(() => "")] as const),
  );
  return Object.fromEntries(texts);
}
