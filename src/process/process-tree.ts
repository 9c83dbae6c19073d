/** Finds every process that a command has started, including detached ones, and ends them. */
import {readdirSync, readFileSync} from "node:fs";
import {basename} from "node:path";
import {setTimeout as wait} from "node:timers/promises";

/** Every descendant inherits this variable; its value is unique to the command. */
export const MARKER = "ASSAY_PROCESS";

/** A started command: its process group, and its known descendants (pid → start time in clock ticks). */
export interface ProcessTree {
  readonly pid: number;
  readonly marker: string;
  /** null if there is no `/proc`: then only the process group can be signaled */
  readonly start: number | null;
  readonly seen: Map<number, number>;
}

interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: number;
  readonly dead: boolean;
}

/** How long remaining processes may take to end by themselves before they are killed and counted. */
const SETTLE_MS = 40;
const POLL_MS = 5;

/** Must be called right after the start, while the process exists. `pid` leads its own group and session. */
export function openProcessTree(pid: number, marker: string): ProcessTree {
  const root = process.platform === "linux" ? readProcess(pid) : null;
  return {pid, marker, start: root?.start ?? null, seen: new Map()};
}

/** proc_pid_stat(5). The name in parentheses may contain spaces and parentheses, hence the last one. */
function readProcess(pid: number): ProcessInfo | null {
  const stat = readProc(pid, "stat")?.toString("latin1");
  if (stat === undefined) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (index: number): number => Number(fields[index]);
  const dead = fields[0] === "Z" || fields[0] === "X";
  return {pid, dead, parent: field(1), group: field(2), session: field(3), start: field(19)};
}

function readProc(pid: number, file: "stat" | "environ" | "cmdline"): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return undefined; // the process has ended, or belongs to another user; both are normal here
  }
}

/** The running processes of the tree. Reads all of `/proc`, which takes a few milliseconds. */
function livingProcesses(tree: ProcessTree, start: number): ProcessInfo[] {
  const mark = `${MARKER}=${tree.marker}`;
  const familyPids = new Set<number>();
  let otherProcesses: ProcessInfo[] = [];
  const relatives: ProcessInfo[] = [];
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    const info = Number.isInteger(pid) && pid !== process.pid ? readProcess(pid) : null;
    // An older process cannot be a descendant; this check also avoids most reads of environments.
    if (info !== null && info.start >= start && !info.dead) otherProcesses.push(info);
  }
  const isRelated = (one: ProcessInfo): boolean =>
    one.pid === tree.pid ||
    one.group === tree.pid ||
    one.session === tree.pid ||
    familyPids.has(one.parent) ||
    familyPids.has(one.session) ||
    (tree.seen.get(one.session) ?? Number.POSITIVE_INFINITY) <= one.start ||
    tree.seen.get(one.pid) === one.start;
  const adopt = (belongs: (one: ProcessInfo) => boolean): boolean => {
    const countBefore = relatives.length;
    otherProcesses = otherProcesses.filter((one) => {
      if (!belongs(one)) return true;
      familyPids.add(one.pid);
      relatives.push(one);
      return false;
    });
    return relatives.length > countBefore;
  };
  const adoptRelatives = (): void => {
    while (adopt(isRelated));
  };
  adoptRelatives();
  adopt((one) => readProc(one.pid, "environ")?.includes(mark) ?? false);
  adoptRelatives();
  for (const member of relatives) tree.seen.set(member.pid, member.start);
  return relatives;
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh"]);

const argumentsOf = (pid: number): string[] => (readProc(pid, "cmdline")?.toString() ?? "").split("\0").filter(Boolean);

/**
 * The commands that the innermost shell of the tree runs now, each as its arguments: several for a pipeline, none if
 * there is no `/proc`. `line` is the text that the outermost shell runs; Assay's own programs before it carry it.
 */
export function runningCommands(tree: ProcessTree, line: string): string[][] {
  if (tree.start === null) return [];
  const living = livingProcesses(tree, tree.start);
  let parent: number | undefined = tree.pid;
  let innermost: string[][] = [];
  while (parent !== undefined) {
    const argv = argumentsOf(parent);
    const children: number[] = living.filter((one) => one.parent === parent).map(({pid}) => pid);
    const own: number | undefined = children.find((pid) => argumentsOf(pid).includes(line));
    // A shell may start its last command in its own place: then the process with the line is gone.
    if (parent === tree.pid && !argv.includes(line)) innermost = [argv];
    const isShell = argv.includes(line) || SHELLS.has(basename(argv[0] ?? ""));
    if (own === undefined && isShell && children.length > 0) innermost = children.map(argumentsOf);
    parent = own ?? (children.length === 1 ? children[0] : undefined);
  }
  return innermost.filter((words) => words.length > 0);
}

/**
 * Signals every running process of the tree and returns their pids. `exceptRoot` leaves out the namespace's own
 * process, whose end would kill everything in it at once. Without `/proc` the process group gets the signal.
 */
export function signalTree(
  tree: ProcessTree,
  signal: "SIGTERM" | "SIGKILL",
  options?: {readonly exceptRoot: boolean},
): number[] {
  if (tree.start === null) return send(-tree.pid, signal) ? [tree.pid] : [];
  const targets = livingProcesses(tree, tree.start).filter(
    (one) => !(options?.exceptRoot === true && one.pid === tree.pid),
  );
  for (const target of targets) send(target.pid, signal);
  return targets.map((one) => one.pid);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // the process has ended, or belongs to another user now; the next read of `/proc` shows which
  }
}

/**
 * Kills the remaining processes of the tree until none is left, for at most `deadlineMs`. Returns the number of killed
 * processes. A process that soon ends by itself, such as the last one of a pipeline, does not count.
 */
export async function killRemaining(tree: ProcessTree, deadlineMs: number): Promise<number> {
  const beginMs = performance.now();
  const killedPids = new Set<number>();
  while (tree.start !== null && performance.now() - beginMs < SETTLE_MS) {
    if (livingProcesses(tree, tree.start).length === 0) return 0;
    await wait(POLL_MS);
  }
  while (performance.now() - beginMs < deadlineMs) {
    const pids = signalTree(tree, "SIGKILL");
    if (pids.length === 0) break;
    for (const pid of pids) killedPids.add(pid);
    await wait(POLL_MS);
  }
  return killedPids.size;
}
