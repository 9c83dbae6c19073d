/** Starts one program in a separate process group, with real pipes, with or without a namespace. */
import {type ChildProcess, spawn} from "node:child_process";
import {randomBytes} from "node:crypto";
import {once} from "node:events";
import {constants} from "node:os";
import {basename, isAbsolute} from "node:path";
import {type Exit, ok, type Result, refused} from "../record/words.ts";
import {findProgram, inNamespace, isFolder, isProgram, SANDBOX_FD, type Wrapper} from "./isolation.ts";
import {ownPrograms} from "./own-programs.ts";
import {openPipes, type PipeReaders} from "./pipes.ts";
import {MARKER, openProcessTree, type ProcessTree, signalTree} from "./process-tree.ts";

/** `env` is the whole environment; nothing is inherited. Without `stdin` the program's input is empty. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface Child {
  readonly tree: ProcessTree;
  /** resolves on the exit of the program, even if another process keeps its pipes open */
  readonly exited: Promise<ChildExit>;
  /** resolves at the end of its pipes, which another process may keep open for long */
  readonly drained: Promise<unknown>;
  /**
   * What the exit means; valid once the pipes are drained. `errors` is the stderr, where a sandbox reports what is
   * missing.
   */
  meaning(ended: ChildExit, errors: string): Exit;
  /** closes all pipes; later output is lost */
  close(): void;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const MAX_REMARK = 4096;
/** The shells of `inNamespace` and of the stages, and the Node that the agent may run on. */
const SHELLS = ["/bin/sh", "/bin/bash", "/usr/bin/env", process.execPath].filter(isProgram);
const WRAPPERS = new Set(["bwrap", "setpriv", "unshare", "mount"]);
/** If two names have the same number, the more common name comes first. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);
/** Shells print no message about a child that one of these ended. */
const SILENT_SIGNALS = new Set<number>([constants.signals.SIGINT, constants.signals.SIGPIPE]);

/** Starts the command, in a namespace if a wrapper is given. Refused with a sentence if the system did not start it. */
export async function start(
  command: Command,
  options: {readonly wrapper: Wrapper | null; readonly readers: PipeReaders},
): Promise<Result<Child, string>> {
  // Checked first, because in a sandbox the failure would be the inner shell's exit code 127, like that of any script.
  const problem = missingReason(command) ?? changedReason(options.wrapper);
  if (problem !== null) return refused(problem);
  const marker = randomBytes(16).toString("hex");
  const pipes = await openPipes(options.readers);
  const spawnResult = trySpawn(command, {
    argv: inNamespace(options.wrapper, command),
    marker,
    output: pipes?.fds ?? ["pipe", "pipe"],
    remarks: options.wrapper === null ? "ignore" : "pipe",
  });
  pipes?.release();
  if (!spawnResult.ok || spawnResult.value.pid === undefined) {
    for (const end of pipes?.ends ?? []) end.destroy();
    return refused(spawnResult.ok ? await spawnError(spawnResult.value) : spawnResult.failure);
  }
  const child = spawnResult.value;
  const tree = openProcessTree(spawnResult.value.pid, marker);
  protect(tree);
  child.stdout?.on("data", options.readers.stdout);
  child.stderr?.on("data", options.readers.stderr);
  let remark = "";
  const remarks = child.stdio[SANDBOX_FD];
  remarks?.on("data", (chunk: Buffer) => {
    if (remark.length < MAX_REMARK) remark += chunk.toString("latin1");
  });
  child.stdin?.end(command.stdin);
  const sources = [...(pipes?.ends ?? [child.stdout, child.stderr]), remarks];
  for (const emitter of [child, child.stdin, ...sources]) emitter?.on("error", ignoreError);
  return ok({
    tree,
    exited: new Promise((resolve) => child.once("exit", (code, signal) => resolve({code, signal}))),
    drained: Promise.all(sources.map((source) => source && new Promise((resolve) => source.once("close", resolve)))),
    meaning: (ended, errors) => interpretExit(ended, {remark: options.wrapper === null ? null : remark, errors}),
    close() {
      runningTrees.delete(tree);
      child.unref();
      for (const stream of [...sources, child.stdin]) stream?.destroy();
    },
  });
}

function missingReason(command: Command): string | null {
  const [name] = command.argv;
  if (!isFolder(command.cwd)) return `cannot run ${name}: there is no folder ${command.cwd}`;
  const program = findProgram(name, {cwd: command.cwd, path: command.env["PATH"] ?? ""});
  return program === null ? `cannot run ${name}: there is no such program` : null;
}

/**
 * The programs between Assay and the command must be unchanged: another file could free the command, or fake its
 * result.
 */
function changedReason(wrapper: Wrapper | null): string | null {
  const programs = ownPrograms();
  programs.seal();
  const wrappers = (wrapper ?? []).filter(
    (word) => isAbsolute(word) && WRAPPERS.has(basename(word)) && isProgram(word),
  );
  const intermediates = [...SHELLS, ...wrappers];
  const changeReasons = intermediates.flatMap((file) => {
    const lookup = programs.use(file);
    return lookup.ok ? [] : [lookup.failure];
  });
  return changeReasons[0] ?? null;
}

/** A program may close its input early, or a pipe may break; only the exit matters. */
function ignoreError(): void {}

interface Wiring {
  readonly argv: readonly [string, ...string[]];
  readonly marker: string;
  readonly output: readonly [number | "pipe", number | "pipe"];
  readonly remarks: "ignore" | "pipe";
}

/** Node throws for some errors (a NUL in an argument, a command line that is too long) and emits others as an event. */
function trySpawn(command: Command, wiring: Wiring): Result<ChildProcess, string> {
  const [program, ...argv] = wiring.argv;
  try {
    const child = spawn(program, argv, {
      cwd: command.cwd,
      env: {...command.env, [MARKER]: wiring.marker},
      detached: true,
      stdio: [command.stdin === undefined ? "ignore" : "pipe", ...wiring.output, wiring.remarks],
    });
    return ok(child);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

async function spawnError(child: ChildProcess): Promise<string> {
  const [error] = await once(child, "error");
  return error instanceof Error ? error.message : String(error);
}

/** `remark` is the message of the shell in the namespace, null without a namespace: see `INIT` in isolation.ts. */
function interpretExit(
  ended: ChildExit,
  {remark, errors}: {readonly remark: string | null; readonly errors: string},
): Exit {
  if (ended.signal !== null) return {kind: "signaled", signal: ended.signal};
  if (ended.code === null) return {kind: "signaled", signal: "unknown"};
  if (remark === null) return {kind: "exited", code: ended.code};
  if (!remark.startsWith(".")) {
    const reason = errors.trim().split("\n").at(-1) || `exit code ${ended.code}`;
    return {kind: "not-started", message: `the sandbox could not be set up: ${reason}`};
  }
  const signal = SIGNALS.get(ended.code - 128);
  const wasKilled = signal !== undefined && (remark.length > 1 || SILENT_SIGNALS.has(ended.code - 128));
  return wasKilled ? {kind: "signaled", signal} : {kind: "exited", code: ended.code};
}

const runningTrees = new Set<ProcessTree>();

/** If Assay exits early, this kills the program's processes; if Assay is killed, the namespace does. */
function protect(tree: ProcessTree): void {
  runningTrees.add(tree);
  if (!process.listeners("exit").includes(killAll)) process.on("exit", killAll);
}

function killAll(): void {
  for (const tree of runningTrees) signalTree(tree, "SIGKILL");
}
