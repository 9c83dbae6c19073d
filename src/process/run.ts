/** The one way to run a program: bounded in time and bytes, and nothing of it lives on afterwards. */
import {setTimeout as wait} from "node:timers/promises";
import type {Captured} from "../record/evidence.ts";
import type {Isolation} from "../record/verification.ts";
import type {Exit} from "../record/words.ts";
import {type Child, type Command, type Ended, start} from "./child.ts";
import {hideFolders} from "./hide-folders.ts";
import {namespaceWrapper, unshareWrapper, type Wrapper} from "./isolation.ts";
import {eachLine, openLines} from "./lines.ts";
import {confineInNamespace} from "./namespace-view.ts";
import {NO_OUTPUT, openCapture} from "./output.ts";
import {type OutputFile, type OutputFileOptions, openOutputFile} from "./output-file.ts";
import type {Readers} from "./pipes.ts";
import {probeSandbox} from "./probes.ts";
import {killRemaining, signalTree} from "./process-tree.ts";
import {clearOverlays, confineWithBubblewrap, type Sandbox} from "./sandbox.ts";

export interface Limits {
  readonly timeoutMs: number;
  /** between the polite signal and the one that cannot be refused; 5000 by default */
  readonly graceMs?: number;
  /** bytes kept of the beginning and of the end of the output; 65536 each by default */
  readonly headBytes?: number;
  readonly tailBytes?: number;
  readonly signal?: AbortSignal;
  /** raw stdout as it comes */
  readonly onStdout?: (chunk: Uint8Array) => void;
  /** stdout and stderr merged, line by line and cleaned; not yet `quiet` */
  readonly onLine?: (line: string) => void;
  readonly isolation: Isolation;
  /** with isolation `pid-namespace` and no sandbox: folders that are empty for the program */
  readonly hidden?: readonly string[];
  /** what the program may see and write; isolation `sandbox` needs it, `pid-namespace` keeps to it */
  readonly sandbox?: Sandbox;
  /** puts other text in the place of whole lines of the output before anything is kept of them */
  readonly translation?: {add(lines: string): string; end(): string};
  /** a file for the whole output, stdout and stderr merged, raw */
  readonly spill?: OutputFileOptions;
}

export interface Ran {
  readonly exit: Exit;
  /** wall time on a monotonic clock, until nothing of the program was left */
  readonly durationMs: number;
  /** stdout and stderr merged in order of arrival, clean, lines of at most 2 kB */
  readonly output: Captured;
  /** the same of stderr alone; smaller */
  readonly stderr: Captured;
  /** processes that had to be killed after the exit; behind a fence the kernel kills them with it, uncounted */
  readonly survivors: number;
  /** what became of the file; null where none was asked for */
  readonly spilled: OutputFile | null;
}

const GRACE_MS = 5000;
/** The grace period of a cancelled program, because the runner kills Assay 10 s after it cancels (ProcessInvoker.cs). */
const CANCEL_GRACE_MS = 1000;
const KEPT_BYTES = 65_536;
const STDERR_BYTES = {headBytes: 4096, tailBytes: 16_384};
/** After SIGKILL: a process that the kernel does not let go (a dead network disk) must not hold the run. */
const UNKILLABLE_MS = 2000;
/** What the pipes still hold is read in no time; a longer wait is for a stranger who keeps them open. */
const DRAIN_MS = 250;
/** Node's timers take no more (about 24 days) and would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs one program to its end and answers once it has exited, whoever still holds its pipes. Never rejects: what goes
 * wrong is in `exit`. The exit code counts only when the program ended by itself; after the time limit or an abort it
 * gets SIGTERM, the grace period (at most 1 s after an abort) and SIGKILL, and the answer is `timed-out` or `cancelled`
 * whatever it returned. Takes at most timeout + grace + 0.5 s, and 2 s more where the kernel will not kill. With isolation `sandbox` or
 * `pid-namespace` on a machine that has none the program is not started: never silently less.
 */
export async function run(command: Command, limits: Limits): Promise<Ran> {
  if (limits.isolation === "degraded") return runBehind(null, command, limits);
  if (limits.isolation === "sandbox") return runConfined(command, limits);
  if (limits.sandbox !== undefined) return runInView(limits.sandbox, command, limits);
  const wrapper = await namespaceWrapper();
  if (wrapper !== null) return runBehind(hideFolders(wrapper, limits.hidden ?? []), command, limits);
  return unstarted({kind: "not-started", message: "this machine offers no PID namespace"});
}

async function runConfined(command: Command, limits: Limits): Promise<Ran> {
  const {sandbox} = limits;
  if (sandbox === undefined) return unstarted({kind: "not-started", message: "nobody said what the sandbox contains"});
  const found = await probeSandbox({network: sandbox.network});
  if (found.kind === "missing") return unstarted({kind: "not-started", message: found.why});
  return runCleaning(sandbox, () => runBehind(confineWithBubblewrap(found.program, sandbox), command, limits));
}

/** The same view of the files as in a sandbox; its network and its other namespaces are the machine's. */
async function runInView(sandbox: Sandbox, command: Command, limits: Limits): Promise<Ran> {
  const wrapper = sandbox.network ? await unshareWrapper() : null;
  if (wrapper === null) return unstarted({kind: "not-started", message: "this machine offers no such namespace"});
  return runCleaning(sandbox, () => runBehind(confineInNamespace(wrapper, sandbox), command, limits));
}

/** What the sandbox needs is made by us, and may fail to be made or removed. */
async function runCleaning(sandbox: Sandbox, running: () => Promise<Ran>): Promise<Ran> {
  try {
    const ran = await running();
    clearOverlays(sandbox);
    return ran;
  } catch (error) {
    return unstarted({kind: "not-started", message: error instanceof Error ? error.message : String(error)});
  }
}

/** `run` behind one fence of `workingWrappers`, null for none. */
export async function runBehind(wrapper: Wrapper | null, command: Command, limits: Limits): Promise<Ran> {
  if (limits.signal?.aborted === true) return unstarted({kind: "cancelled"});
  const began = performance.now();
  const capture = openCaptures(limits);
  const started = await start(command, {wrapper, readers: capture});
  if (!started.ok) return unstarted({kind: "not-started", message: started.failure});
  const child = started.value;
  const end = await untilGone(child, {...limits, began, sparingRoot: wrapper !== null});
  const survivors = await killRemaining(child.tree, UNKILLABLE_MS);
  await Promise.race([child.drained, wait(DRAIN_MS, undefined, {ref: false})]);
  child.close();
  const printed = capture.end();
  const exit = end.kind === "stopped" ? end.exit : child.meaning(end);
  return {exit, durationMs: performance.now() - began, ...printed, survivors};
}

function unstarted(exit: Exit): Ran {
  return {exit, durationMs: 0, output: NO_OUTPUT, stderr: NO_OUTPUT, survivors: 0, spilled: null};
}

/** Takes both streams in, bounded; `end` gives what was kept. */
function openCaptures(limits: Limits): Readers & {end(): Pick<Ran, "output" | "stderr" | "spilled">} {
  const {onStdout, onLine} = limits;
  const output = openCapture({headBytes: limits.headBytes ?? KEPT_BYTES, tailBytes: limits.tailBytes ?? KEPT_BYTES});
  const errors = openCapture(STDERR_BYTES);
  const tell = onLine === undefined ? undefined : eachLine(onLine);
  const spill = limits.spill === undefined ? null : openOutputFile(limits.spill);
  const {translation} = limits;
  const keep = (bytes: Uint8Array): void => {
    output.add(bytes);
    spill?.add(bytes);
    tell?.(bytes);
  };
  const merge =
    translation === undefined
      ? keep
      : (bytes: Uint8Array): void => keep(Buffer.from(translation.add(Buffer.from(bytes).toString())));
  const [outLines, errorLines] = [openLines(merge), openLines(merge)];
  return {
    stdout(bytes) {
      outLines.add(bytes);
      onStdout?.(Buffer.from(bytes)); // a copy: the callee may keep it, while these bytes will be overwritten
    },
    stderr(bytes) {
      errorLines.add(bytes);
      errors.add(bytes);
    },
    end() {
      outLines.end();
      errorLines.end();
      if (translation !== undefined) keep(Buffer.from(translation.end()));
      return {output: output.captured(), stderr: errors.captured(), spilled: spill?.end() ?? null};
    },
  };
}

type End = ({readonly kind: "ended"} & Ended) | {readonly kind: "stopped"; readonly exit: Exit};

interface Ladder {
  /** when the time began to count; starting a program takes some of it */
  readonly began: number;
  readonly timeoutMs: number;
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  readonly sparingRoot: boolean;
}

/** Waits for the exit; on the time limit or an abort climbs from SIGTERM to SIGKILL, and then waits no longer. */
async function untilGone(child: Child, o: Ladder): Promise<End> {
  const over = new AbortController();
  const pause = (ms: number): Promise<unknown> =>
    wait(Math.min(Math.max(ms, 0), MAX_TIMER_MS), undefined, {signal: over.signal}).catch(() => undefined);
  const exited = child.exited.then((ended) => ({kind: "ended" as const, ...ended}));
  const aborted = new Promise<Exit>((resolve) => {
    if (o.signal?.aborted === true) resolve({kind: "cancelled"}); // during the start, when nobody listened yet
    o.signal?.addEventListener("abort", () => resolve({kind: "cancelled"}), {once: true, signal: over.signal});
  });
  const late = pause(o.timeoutMs - (performance.now() - o.began)).then(
    (): Exit => ({kind: "timed-out", afterMs: o.timeoutMs}),
  );
  const first = await Promise.race([exited, aborted, late]);
  if (first.kind !== "ended") {
    signalTree(child.tree, "SIGTERM", {sparingRoot: o.sparingRoot});
    const graceMs = o.graceMs ?? GRACE_MS;
    const mostMs = first.kind === "cancelled" ? Math.min(graceMs, CANCEL_GRACE_MS) : graceMs;
    const yielded = await Promise.race([exited, pause(mostMs)]);
    if (yielded === undefined) {
      signalTree(child.tree, "SIGKILL");
      await Promise.race([exited, pause(UNKILLABLE_MS)]);
    }
  }
  over.abort();
  return first.kind === "ended" ? first : {kind: "stopped", exit: first};
}
