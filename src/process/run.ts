/** Runs a program with limits on time and output, and leaves no process of it behind. */
import {setTimeout as wait} from "node:timers/promises";
import type {Captured} from "../record/evidence.ts";
import type {Exit} from "../record/words.ts";
import {type Child, type ChildExit, type Command, start} from "./child.ts";
import type {Wrapper} from "./isolation.ts";
import {eachLine, openLines} from "./lines.ts";
import {NO_OUTPUT, type OutputFileOptions, openCapture, openOutputFile, type SavedOutput} from "./output.ts";
import type {PipeReaders} from "./pipes.ts";
import {type IsolationRequest, wrapperFor} from "./probes.ts";
import {killRemaining, runningCommands, signalTree} from "./process-tree.ts";
import {clearOverlays} from "./sandbox.ts";

export interface RunLimits extends IsolationRequest {
  readonly timeoutMs: number;
  /** between SIGTERM and SIGKILL; 5000 by default */
  readonly graceMs?: number;
  /** bytes kept of the beginning and of the end of the output; 65536 each by default */
  readonly headBytes?: number;
  readonly tailBytes?: number;
  readonly signal?: AbortSignal;
  /** receives raw stdout */
  readonly onStdout?: (chunk: Uint8Array) => void;
  /** receives stdout and stderr merged, line by line and cleaned, but not escaped for the Actions log */
  readonly onLine?: (line: string) => void;
  /** replaces whole lines of the output before they are captured */
  readonly translation?: {add(lines: string): string; end(): string};
  /** a file that receives the raw output, stdout and stderr merged */
  readonly spill?: OutputFileOptions;
}

export interface Ran {
  readonly exit: Exit;
  /** wall time on a monotonic clock, until no process of the program was left */
  readonly durationMs: number;
  /** stdout and stderr merged in order of arrival, cleaned, with lines of at most 2 kB */
  readonly output: Captured;
  /** the same for stderr alone; smaller */
  readonly stderr: Captured;
  /** processes that had to be killed after the exit; in a namespace the kernel kills them, uncounted */
  readonly survivors: number;
  /** the file with the whole output; null if none was requested */
  readonly spilled: SavedOutput | null;
}

const GRACE_MS = 5000;
/**
 * The grace period of a cancelled program, because the runner kills Assay 10 s after it cancels (ProcessInvoker.cs).
 */
const CANCEL_GRACE_MS = 1000;
const KEPT_BYTES = 65_536;
const STDERR_BYTES = {headBytes: 4096, tailBytes: 16_384};
/** After SIGKILL: a process that the kernel cannot end, as with a dead network disk, must not block the run. */
const UNKILLABLE_MS = 2000;
/** Reading the rest of the pipes is quick. If it takes longer, another process keeps them open. */
const DRAIN_MS = 250;
/** The maximum of Node's timers, about 24 days; a longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs one program and resolves when it has exited, even if another process still holds its pipes. Never rejects:
 * errors are in `exit`. The exit code counts only if the program ended by itself. After the time limit or an abort it
 * gets SIGTERM, the grace period (at most 1 s after an abort) and SIGKILL, and `exit` is `timed-out` or `cancelled`
 * with any exit code. Takes at most timeout + grace + 0.5 s, and 2 s more if the kernel cannot kill it. If the machine
 * does not support the requested `sandbox` or `pid-namespace`, the program is not started; isolation is never silently
 * reduced.
 */
export async function run(command: Command, limits: RunLimits): Promise<Ran> {
  try {
    const wrapper = await wrapperFor(limits);
    if (!wrapper.ok) return notStarted({kind: "not-started", message: wrapper.failure});
    const result = await runInWrapper(wrapper.value, command, limits);
    if (limits.sandbox !== undefined) clearOverlays(limits.sandbox);
    return result;
  } catch (error) {
    // Creating and removing the sandbox's files may fail; that is not a failure of the program.
    return notStarted({kind: "not-started", message: error instanceof Error ? error.message : String(error)});
  }
}

/** `run` with one of `workingWrappers`; null for no isolation. */
export async function runInWrapper(wrapper: Wrapper | null, command: Command, limits: RunLimits): Promise<Ran> {
  if (limits.signal?.aborted === true) return notStarted({kind: "cancelled"});
  const beginMs = performance.now();
  const capture = openCaptures(limits);
  const startResult = await start(command, {wrapper, readers: capture});
  if (!startResult.ok) return notStarted({kind: "not-started", message: startResult.failure});
  const child = startResult.value;
  const end = await waitForExit(child, {
    ...limits,
    beginMs,
    exceptRoot: wrapper !== null,
    line: command.argv.at(-1) ?? "",
  });
  const survivors = await killRemaining(child.tree, UNKILLABLE_MS);
  await Promise.race([child.drained, wait(DRAIN_MS, undefined, {ref: false})]);
  child.close();
  const captured = capture.end();
  const exit = end.kind === "stopped" ? end.exit : child.meaning(end, captured.stderr.head);
  return {exit, durationMs: performance.now() - beginMs, ...captured, survivors};
}

function notStarted(exit: Exit): Ran {
  return {exit, durationMs: 0, output: NO_OUTPUT, stderr: NO_OUTPUT, survivors: 0, spilled: null};
}

/** Captures both streams within the limits; `end` returns the captured output. */
function openCaptures(limits: RunLimits): PipeReaders & {end(): Pick<Ran, "output" | "stderr" | "spilled">} {
  const {onStdout, onLine} = limits;
  const output = openCapture({headBytes: limits.headBytes ?? KEPT_BYTES, tailBytes: limits.tailBytes ?? KEPT_BYTES});
  const errors = openCapture(STDERR_BYTES);
  const passLine = onLine === undefined ? undefined : eachLine(onLine);
  const spill = limits.spill === undefined ? null : openOutputFile(limits.spill);
  const {translation} = limits;
  const keep = (bytes: Uint8Array): void => {
    output.add(bytes);
    spill?.add(bytes);
    passLine?.(bytes);
  };
  const merge =
    translation === undefined
      ? keep
      : (bytes: Uint8Array): void => keep(Buffer.from(translation.add(Buffer.from(bytes).toString())));
  const [outLines, errorLines] = [openLines(merge), openLines(merge)];
  return {
    stdout(bytes) {
      outLines.add(bytes);
      onStdout?.(Buffer.from(bytes)); // a copy, because these bytes will be overwritten
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

type End = ({readonly kind: "ended"} & ChildExit) | {readonly kind: "stopped"; readonly exit: Exit};

interface WaitOptions {
  /** when the time limit began; starting the program is included */
  readonly beginMs: number;
  readonly timeoutMs: number;
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  readonly exceptRoot: boolean;
  /** the last word of the command line */
  readonly line: string;
}

/** Waits for the exit. On the time limit or an abort it sends SIGTERM, then SIGKILL, and stops waiting. */
async function waitForExit(child: Child, options: WaitOptions): Promise<End> {
  const finishController = new AbortController();
  const pause = (ms: number): Promise<unknown> =>
    wait(Math.min(Math.max(ms, 0), MAX_TIMER_MS), undefined, {signal: finishController.signal}).catch(() => undefined);
  const exitEvent = child.exited.then((ended) => ({kind: "ended" as const, ...ended}));
  const abortEvent = new Promise<Exit>((resolve) => {
    if (options.signal?.aborted === true) resolve({kind: "cancelled"}); // aborted during the start, before this listener existed
    options.signal?.addEventListener("abort", () => resolve({kind: "cancelled"}), {
      once: true,
      signal: finishController.signal,
    });
  });
  const timedOut = pause(options.timeoutMs - (performance.now() - options.beginMs)).then((): Exit => {
    const running = runningCommands(child.tree, options.line).map((argv) => argv.join(" "));
    return {kind: "timed-out", afterMs: options.timeoutMs, ...(running.length > 0 && {running})};
  });
  const firstEvent = await Promise.race([exitEvent, abortEvent, timedOut]);
  if (firstEvent.kind !== "ended") {
    signalTree(child.tree, "SIGTERM", {exceptRoot: options.exceptRoot});
    const graceMs = options.graceMs ?? GRACE_MS;
    const mostMs = firstEvent.kind === "cancelled" ? Math.min(graceMs, CANCEL_GRACE_MS) : graceMs;
    const yielded = await Promise.race([exitEvent, pause(mostMs)]);
    if (yielded === undefined) {
      signalTree(child.tree, "SIGKILL");
      await Promise.race([exitEvent, pause(UNKILLABLE_MS)]);
    }
  }
  finishController.abort();
  return firstEvent.kind === "ended" ? firstEvent : {kind: "stopped", exit: firstEvent};
}
