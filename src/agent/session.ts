/** Opens a session with the coding agent, in which every prompt continues the same conversation. */
import {mkdir, readFile, realpath} from "node:fs/promises";
import {constants} from "node:os";
import {dirname, join} from "node:path";
import {programFolders} from "../engine/isolation/program-folders.ts";
import {type Ran, run} from "../process/run.ts";
import type {Sandbox} from "../process/sandbox.ts";
import type {AgentName} from "../record/agent-names.ts";
import type {Turn, TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import {NO_USAGE, type Usage} from "../record/usage.ts";
import type {Isolation} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {Adapter, AgentChoice, Listener} from "./adapters/adapter.ts";
import {ADAPTERS} from "./adapters/all.ts";
import {splitLines} from "./adapters/json-lines.ts";
import {openAgentFolder} from "./agent-files.ts";
import {type Conversation, openConversation} from "./conversation.ts";
import {agentEnvironment} from "./environment.ts";
import {hideFiles} from "./hide-keys.ts";
import {findAgent} from "./install.ts";
import type {KeyProxy} from "./key-proxy.ts";
import {findProvider} from "./keys.ts";
import {openSettings, removeSettings} from "./settings.ts";

/** Longer events are skipped. pi's last event repeats the whole turn. */
const LINE_BYTES = 32 * 1024 * 1024;
const ANSWER_CHARS = 100_000;
const MAX_ACTIONS = 200;
const GRACE_MS = 3_000;
/** for reading or writing a conversation, without a model */
const STORE_MS = 60_000;

export interface SessionOptions extends AgentChoice {
  readonly agent: AgentName;
  /** the runner's variables; the agent gets those on an allow-list */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** the agent's working folder */
  readonly folder: string;
  /** the file of the conversation; an existing one is continued */
  readonly file: string;
  /** HOME of the agent and of the tools it starts */
  readonly home: string;
  /**
   * a folder outside the checkout for the agent's configuration, temporary files and, if it must be installed, its
   * program
   */
  readonly scratch: string;
  /** the provider's key stays in this process, where that is possible */
  readonly protectsKey: boolean;
  /** the limit for a turn that starts now */
  readonly timeoutMs: () => number;
  /** the model can only answer; fails as `agent-unavailable` if the agent cannot run without tools */
  readonly hasNoTools?: boolean;
  readonly isolation: Isolation;
  /** what the agent may see and write; without it, everything that the machine's user can access */
  readonly confinement?: Confinement;
  /** folders that look empty to an unconfined agent in a process namespace */
  readonly hidden?: readonly string[];
  /** receives short lines about what the agent does, with the usage of the turn so far; must not throw */
  readonly onProgress?: (line: string, usage: Usage) => void;
  readonly signal?: AbortSignal;
}

export interface Confinement {
  readonly toolchains: {readonly realHome: string; readonly existing: readonly string[]};
  /** the path at which the agent sees its temporary folder */
  readonly tmp: string;
  /** the sandbox for one start of the program, which may read `shown` and write `writable` */
  readonly sandbox: (access: {
    readonly env: Readonly<Record<string, string>>;
    readonly shown: readonly string[];
    readonly writable: readonly string[];
  }) => Sandbox | null;
}

export interface Session {
  readonly file: string;
  /** false if the agent has the provider's key */
  readonly isKeyProtected: boolean;
  /** Runs one turn. Never rejects: a failure is in the turn's `end`. */
  ask(prompt: string): Promise<Turn>;
}

/**
 * Prepares the first turn. Fails before the agent runs, as `missing-key`, as `agent-unavailable`, or as `agent-broke`
 * if the session's folders cannot be written.
 */
export async function openSession(options: SessionOptions): Promise<Result<Session, Failure>> {
  const adapter = ADAPTERS[options.agent];
  const isOwners = options.configFolder !== undefined;
  const configFolder = options.configFolder ?? join(options.scratch, "config");
  const tmp = join(options.scratch, "tmp");
  const problem = await prepareFolders(adapter, {...options, configFolder, isOwners, tmp}).catch(String);
  if (problem !== undefined)
    return refused({kind: "agent-broke", end: {kind: "not-started", message: unpreparedFiles(problem)}});

  const configuredProviders = adapter.configured(await readTexts(configFolder, adapter.configFiles));
  const provider = findProvider({
    adapter,
    choice: options,
    variables: options.variables,
    configured: configuredProviders,
  });
  if (!provider.ok) return provider;
  const settings = await openSettings(adapter, {...options, provider: provider.value, configFolder, isOwners});
  const {proxy, variables, reset} = settings;
  const {home, confinement} = options;
  const base = {
    ...{adapter, variables, home, tmp: confinement?.tmp ?? tmp, configFolder, hide: hideFiles(options.scratch)},
    ...(confinement && {toolchains: confinement.toolchains}),
  };
  // npm does not need the key of a model
  const environment = agentEnvironment({...base, provider: ""});
  const [commandName = ""] = options.extraArguments;
  const program = await findAgent({
    ...{adapter, environment, command: commandName},
    folder: join(options.scratch, adapter.name),
    isolation: options.isolation,
    sandbox: confinement?.sandbox({env: environment, shown: [], writable: [options.scratch, configFolder]}) ?? null,
    ...(options.signal && {signal: options.signal}),
  });
  if (!program.ok) return program;

  const {withoutTools} = adapter;
  if (options.hasNoTools && withoutTools === undefined) {
    return refused({kind: "agent-unavailable", message: `${adapter.name} cannot run without tools`});
  }
  const extraArguments = options.hasNoTools ? (withoutTools ?? []) : options.extraArguments;
  const env = agentEnvironment({...base, provider: provider.value});
  // the provider's own tools may keep the key in folders of the home
  const keyFolders = (adapter.providers[provider.value]?.folders ?? []).map((name) => join(home, name));
  const shown = [options.scratch, ...(await programPaths(program.value, home)), ...keyFolders];
  const start: AgentStart = {
    ...{adapter, options, env, proxy, reset, program: program.value},
    choice: {...options, provider: provider.value, extraArguments},
    // Not the program's folder: the next turn would start what the agent writes there.
    sandbox: () => confinement?.sandbox({env, shown, writable: [configFolder, dirname(options.file)]}) ?? null,
  };
  const conversation = openConversation({
    ...{store: adapter.conversation, file: options.file, folder: options.folder, configFolder},
    runAgent: (args) => runForText(start, args),
  });
  const isKeyProtected = proxy !== null;
  return ok({file: options.file, isKeyProtected, ask: (prompt) => takeTurn(start, conversation, prompt)});
}

async function prepareFolders(
  adapter: Adapter,
  options: {scratch: string; configFolder: string; isOwners: boolean; tmp: string; file: string},
): Promise<void> {
  const {scratch, configFolder, isOwners, tmp, file} = options;
  await openAgentFolder(scratch);
  if (isOwners) await mkdir(configFolder, {recursive: true});
  // The agent may have written settings in an earlier session of the run.
  else await removeSettings(adapter, configFolder);
  await openAgentFolder(tmp);
  await openAgentFolder(dirname(file));
}

const unpreparedFiles = (problem: string): string => `the session's files could not be prepared: ${problem}`;

/** The data that all turns of a session share. */
interface AgentStart {
  readonly adapter: Adapter;
  readonly options: SessionOptions;
  readonly choice: AgentChoice;
  /** with stand-ins for the keys, if there is a proxy */
  readonly env: Readonly<Record<string, string>>;
  readonly proxy: KeyProxy | null;
  readonly reset: () => Promise<void>;
  readonly program: readonly [string, ...string[]];
  readonly sandbox: () => Sandbox | null;
}

async function programPaths(program: readonly string[], home: string): Promise<string[]> {
  // a program on the PATH may be a link into its package
  const files = [...program, ...(await Promise.all(program.map((path) => realpath(path))))];
  return files.flatMap((path) => foldersOf(path, home));
}

/**
 * The folders that a program needs: its `node_modules`, or those around its `bin`. The program itself is in one of
 * them: bubblewrap cannot mount a file over a link whose target is not yet visible.
 */
function foldersOf(program: string, home: string): string[] {
  const [packages] = /^.*?\/node_modules(?=\/)/.exec(program) ?? [];
  return packages === undefined ? programFolders(dirname(program), home) : [packages];
}

async function takeTurn(start: AgentStart, conversation: Conversation, words: string): Promise<Turn> {
  const {adapter, options, choice, program, env, proxy, reset} = start;
  const next = await reset()
    .then(() => conversation.begin(words))
    .catch((error: unknown) => String(error));
  if (typeof next === "string") {
    const message = unpreparedFiles(next);
    return {end: {kind: "not-started", message}, answer: "", usage: NO_USAGE, model: "", durationMs: 0};
  }
  const {id, earlier, prompt} = next;
  const listener = adapter.listen(choice, earlier);
  const actions = new Set<string>();
  const lines = splitLines({
    maxBytes: LINE_BYTES,
    onLine: (text) => {
      const progress = listener.line(text);
      if (progress === null) return;
      actions.add(progress);
      options.onProgress?.(progress, listener.state().usage);
    },
  });
  const argv = [...program, ...adapter.arguments(choice, {file: options.file, id})] as const;
  const runTurn = () =>
    run({argv, cwd: options.folder, env, stdin: prompt}, {...limits(start, options.timeoutMs()), onStdout: lines.push});
  const result = await (proxy === null ? runTurn() : proxy.during(runTurn));
  lines.end();
  const {answer, usage, model, conversation: newId} = listener.state();
  // If the text is lost, only the next run is affected: it lacks the earlier conversation.
  await conversation.keep({id: newId || (id ?? ""), prompt: words, answer}).catch(() => undefined);
  const {durationMs} = result;
  const known = actions.size > 0 && actions.size <= MAX_ACTIONS && {actions: [...actions]};
  return {end: endOf(result, listener), answer: answer.slice(0, ANSWER_CHARS), usage, model, durationMs, ...known};
}

function limits({options, sandbox}: AgentStart, timeoutMs: number): Parameters<typeof run>[1] {
  const activeSandbox = sandbox();
  return {
    ...{timeoutMs, graceMs: GRACE_MS, isolation: options.isolation},
    ...(activeSandbox && {sandbox: activeSandbox}),
    ...(options.hidden && {hidden: options.hidden}),
    ...(options.signal && {signal: options.signal}),
  };
}

/** Runs the agent's program for its output, without a model; null if it failed or printed too much. */
async function runForText(start: AgentStart, args: readonly string[]): Promise<string | null> {
  const {program, env, options} = start;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const onStdout = (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= LINE_BYTES) chunks.push(chunk);
  };
  const argv = [...program, ...args] as const;
  const {exit} = await run({argv, cwd: options.folder, env}, {...limits(start, STORE_MS), onStdout});
  const isComplete = exit.kind === "exited" && exit.code === 0 && bytes <= LINE_BYTES;
  return isComplete ? Buffer.concat(chunks).toString("utf8") : null;
}

/** The model's answer counts only if the program exited with 0; that exit code alone proves nothing. */
function endOf({exit, stderr}: Ran, listener: Listener): TurnEnd {
  switch (exit.kind) {
    case "not-started":
    case "cancelled":
      return exit;
    case "timed-out":
      return {kind: "timed-out", afterMs: exit.afterMs};
    case "signaled":
      return {kind: "killed", signal: exit.signal};
    case "exited": {
      const end = listener.end();
      if (exit.code === 0 || end.kind === "model-failed") return end;
      // An agent that catches a signal to clean up ends with 128 + its number, as shells do.
      const signal = Object.entries(constants.signals).find(([, number]) => number === exit.code - 128);
      if (signal) return {kind: "killed", signal: signal[0]};
      return {kind: "exited", code: exit.code, message: (stderr.tail || stderr.head).trim().slice(-2000)};
    }
  }
}

async function readTexts(folder: string, names: readonly string[]): Promise<Record<string, string>> {
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), "utf8").catch(() => "")] as const),
  );
  return Object.fromEntries(texts);
}
