/** Finds every process that a command has started, also those that ran away from it, and ends them. */
import {readdirSync, readFileSync} from "node:fs";
import {setTimeout as wait} from "node:timers/promises";

/** The variable that every descendant inherits, with a value that only this command's descendants have. */
export const MARKER = "ASSAY_PROCESS";

/** A started command: its process group, and what has been seen of its family (pid → start time in clock ticks). */
export interface ProcessTree {
  readonly pid: number;
  readonly marker: string;
  /** null where there is no `/proc`: then only the process group can be reached */
  readonly start: number | null;
  readonly seen: Map<number, number>;
}

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: number;
  readonly dead: boolean;
}

/** How long leftovers may take to end by themselves before they count as survivors and are killed. */
const SETTLE_MS = 40;
const POLL_MS = 5;

/** To be called at once after the start, while the process still exists. `pid` leads its own group and session. */
export function openProcessTree(pid: number, marker: string): ProcessTree {
  const root = process.platform === "linux" ? readProcess(pid) : null;
  return {pid, marker, start: root?.start ?? null, seen: new Map()};
}

/** proc_pid_stat(5). The name in parentheses may itself hold spaces and parentheses, hence the last one. */
function readProcess(pid: number): Seen | null {
  const stat = readProc(pid, "stat")?.toString("latin1");
  if (stat === undefined) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (index: number): number => Number(fields[index]);
  const dead = fields[0] === "Z" || fields[0] === "X";
  return {pid, dead, parent: field(1), group: field(2), session: field(3), start: field(19)};
}

function readProc(pid: number, file: "stat" | "environ"): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return undefined; // ended meanwhile, or another user's: not to be seen is the normal case here
  }
}

/** The living processes of the family. Reads all of `/proc`: a few milliseconds. */
function living(tree: ProcessTree, start: number): Seen[] {
  const mark = `${MARKER}=${tree.marker}`;
  const ours = new Set<number>();
  let strangers: Seen[] = [];
  const family: Seen[] = [];
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    const found = Number.isInteger(pid) && pid !== process.pid ? readProcess(pid) : null;
    // What is older than the command cannot descend from it; this also spares most reads of environments.
    if (found !== null && found.start >= start && !found.dead) strangers.push(found);
  }
  const related = (one: Seen): boolean =>
    one.pid === tree.pid ||
    one.group === tree.pid ||
    one.session === tree.pid ||
    ours.has(one.parent) ||
    ours.has(one.session) ||
    (tree.seen.get(one.session) ?? Number.POSITIVE_INFINITY) <= one.start ||
    tree.seen.get(one.pid) === one.start;
  const take = (belongs: (one: Seen) => boolean): boolean => {
    const before = family.length;
    strangers = strangers.filter((one) => {
      if (!belongs(one)) return true;
      ours.add(one.pid);
      family.push(one);
      return false;
    });
    return family.length > before;
  };
  const relatives = (): void => {
    while (take(related));
  };
  relatives();
  take((one) => readProc(one.pid, "environ")?.includes(mark) ?? false);
  relatives();
  for (const one of family) tree.seen.set(one.pid, one.start);
  return family;
}

/**
 * Signals every living member of the family and says which they were. `sparing` the root leaves out the fence,
 * whose end would end everything behind it without notice. Without `/proc` the process group gets the signal.
 */
export function signalTree(
  tree: ProcessTree,
  signal: "SIGTERM" | "SIGKILL",
  o?: {readonly sparingRoot: boolean},
): number[] {
  if (tree.start === null) return send(-tree.pid, signal) ? [tree.pid] : [];
  const targets = living(tree, tree.start).filter((one) => !(o?.sparingRoot === true && one.pid === tree.pid));
  for (const one of targets) send(one.pid, signal);
  return targets.map((one) => one.pid);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // ended meanwhile, or became another user's; the next look will tell
  }
}

/**
 * Kills what is left of the family until a look finds nobody, at most `deadlineMs` long. Gives the number of processes
 * that had to be killed; what ends by itself within a moment, such as the last process of a pipeline, does not count.
 */
export async function killRemaining(tree: ProcessTree, deadlineMs: number): Promise<number> {
  const began = performance.now();
  const killed = new Set<number>();
  while (tree.start !== null && performance.now() - began < SETTLE_MS) {
    if (living(tree, tree.start).length === 0) return 0;
    await wait(POLL_MS);
  }
  while (performance.now() - began < deadlineMs) {
    const found = signalTree(tree, "SIGKILL");
    if (found.length === 0) break;
    for (const pid of found) killed.add(pid);
    await wait(POLL_MS);
  }
  return killed.size;
}
