/** What the tests of processes share: how to run a shell line at a level, and how to see what is still alive. */
import {mkdtempSync, readdirSync, readFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as wait} from "node:timers/promises";
import {type Wrapper, workingWrappers} from "../../../src/process/isolation.ts";
import {confineInNamespace} from "../../../src/process/namespace-view.ts";
import {probeSandbox} from "../../../src/process/probes.ts";
import {type Ran, type RunLimits, runInWrapper} from "../../../src/process/run.ts";
import {confineWithBubblewrap, NOTHING_WRITABLE} from "../../../src/process/sandbox.ts";

export const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

/** Every level that this machine offers: bare, and behind each fence that works. */
export async function levels(): Promise<{readonly name: string; readonly wrapper: Wrapper | null}[]> {
  const fences = (await workingWrappers()).map((wrapper) => ({name: wrapper.join(" "), wrapper}));
  const probe = await probeSandbox({network: true});
  const scratch = mkdtempSync(join(tmpdir(), "assay-views-"));
  const sandbox = {...NOTHING_WRITABLE, writable: [tmpdir()], scratch};
  const sandboxes = !probe.ok ? [] : [{name: "sandbox", wrapper: confineWithBubblewrap(probe.value, sandbox)}];
  const views = fences.flatMap(({name, wrapper}) =>
    wrapper[0].endsWith("bwrap") ? [] : [{name: `view: ${name}`, wrapper: confineInNamespace(wrapper, sandbox)}],
  );
  return [{name: "degraded", wrapper: null}, ...fences, ...views, ...sandboxes];
}

/** Runs a shell line; 100 seconds of time and 300 ms of grace unless told otherwise. */
export function shell(
  line: string,
  options: Partial<RunLimits> & {
    readonly wrapper?: Wrapper | null;
    readonly stdin?: string;
    readonly cwd?: string;
  } = {},
): Promise<Ran> {
  const {wrapper = null, stdin, cwd = tmpdir(), ...limits} = options;
  const command = {argv: ["/bin/sh", "-c", line], cwd, env: {PATH}} as const;
  return runInWrapper(wrapper, stdin === undefined ? command : {...command, stdin}, {
    timeoutMs: 100_000,
    graceMs: 300,
    isolation: "degraded",
    ...limits,
  });
}

/** Processes with this word in their command line, seen from outside and without the code under test. */
export function alive(word: string): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    return commandLine(pid).includes(word) ? [pid] : [];
  });
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return []; // ended meanwhile
  }
}

/** A number of seconds that no other process sleeps. */
export function uniqueSleep(): string {
  return `${3000 + Math.floor(Math.random() * 1e6)}.${Math.floor(Math.random() * 1e9)}`;
}

/** Waits until nobody has the word in the command line any more; gives who still has. */
export async function aliveAfter(word: string, ms: number): Promise<number[]> {
  const end = performance.now() + ms;
  while (performance.now() < end && alive(word).length > 0) await wait(20);
  return alive(word);
}
