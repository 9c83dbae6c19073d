/** The points at which a sweep kills the bot, and the programs that do so: a gate in git's place, and a tracer over the bot. */
import {existsSync} from "node:fs";
import {chmod, mkdir, readFile, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {git} from "../rig/git.ts";
import type {Outcome, Rig, RunOptions} from "../rig/world.ts";

/** Where the bot is killed; all of it counts from 1. */
export type Strike =
  /** before or after its n-th call of git */
  | {readonly at: "before" | "after"; readonly call: number}
  /** that git or a helper of it, at its n-th system call of this name, and then the bot */
  | {readonly at: "inside"; readonly call: number; readonly syscall: string; readonly count: number}
  /** when it makes a text on disk last, or gives it its name: so it writes its record */
  | {readonly at: "record"; readonly syscall: "fsync" | "rename"; readonly count: number}
  /** by its n-th request to GitHub, or the n-th to this path, before or after that is done */
  | {readonly at: "request"; readonly count: number; readonly isDone: boolean; readonly path?: RegExp}
  /** when it has printed its n-th line: one for each thing that happens in a run */
  | {readonly at: "line"; readonly count: number};

export interface Striker {
  /** the folder to put before the others in PATH: git's gate is in it */
  readonly bin: string;
  /** what the next run's git meets; null: nothing, and calls are counted from one again */
  arm(strike: Strike | "trace" | null): Promise<void>;
  /** the calls of git since then, as far as they got */
  calls(): Promise<string[]>;
  /** A run for this comment, with the strike; null: none, `trace`: none, and every point of it is noted. */
  run(text: string, options: RunOptions & {strike: Strike | "trace" | null}): Promise<Outcome>;
  /** the points in the git work of the traced run */
  gitPoints(): Promise<Strike[]>;
  /** the points at its steps: each line, each request and each write of the record */
  stepPoints(): Promise<Strike[]>;
}

/** System calls that change something on disk, or move bytes. */
const SYSCALLS =
  "write,pwrite64,rename,link,linkat,unlink,unlinkat,mkdir,mkdirat,fsync,fdatasync,ftruncate,sendto,recvfrom";
const RECORD_SYSCALLS = ["fsync", "rename"] as const;

export async function makeStriker(rig: Rig): Promise<Striker> {
  const bin = join(rig.folder, "quick-bin");
  const state = join(rig.folder, "quick-state");
  await mkdir(bin);
  await mkdir(state);
  const real = join((await git(rig.folder, ["--exec-path"])).trim(), "git");
  await program(join(bin, "git"), gate({state, real}));
  const under = join(state, "under");
  await program(under, tracer(state));
  let traced = {requests: 0, lines: 0};

  const striker: Striker = {
    bin,
    async arm(strike) {
      for (const name of ["calls", "bot"]) await writeFile(join(state, name), "");
      await writeFile(join(state, "strike"), `${forGate(strike)}\n`);
      await writeFile(
        join(state, "record"),
        `${strike !== "trace" && strike?.at === "record" ? `${strike.syscall} ${strike.count}` : "trace 0"}\n`,
      );
    },
    calls: async () => linesOf(join(state, "calls")),
    async run(text, {strike, ...options}) {
      await striker.arm(strike);
      const isTraced = strike === "trace";
      const isLine = strike !== "trace" && strike?.at === "line";
      const before = rig.github.requests.length;
      let lines = 0;
      const onOutput = (output: string) => {
        const last = lines;
        lines += output.split("\n").filter((line) => line !== "" && !line.startsWith("::")).length;
        if (isLine && last < strike.count && lines >= strike.count) kill();
      };
      const begun = rig.begin(text, {
        ...options,
        ...((isTraced || isLine) && {onOutput}),
        ...((isTraced || (strike !== null && strike.at === "record")) && {under: [under]}),
      });
      const kill = () => void begun.then((run) => run.kill("SIGKILL"));
      const isRequest = strike !== null && !isTraced && strike.at === "request";
      const does = {kind: "end-asker", isDone: isRequest && strike.isDone, end: kill} as const;
      const disarm = isRequest ? rig.github.fault({path: strike.path ?? /./, from: strike.count, does}) : () => {};
      const outcome = await (await begun).ended;
      disarm();
      if (isTraced) traced = {requests: rig.github.requests.length - before, lines};
      return outcome;
    },
    async gitPoints() {
      const found: Strike[] = [];
      for (let call = 1; existsSync(join(state, `trace-${call}`)); call += 1) {
        found.push({at: "before", call}, {at: "after", call});
        for (const [syscall, most] of mostOf(await linesOf(join(state, `trace-${call}`)))) {
          for (let count = 1; count <= most; count += 1) found.push({at: "inside", call, syscall, count});
        }
      }
      return found;
    },
    async stepPoints() {
      const written = await linesOf(join(state, "trace-record"));
      const numbers = (length: number) => Array.from({length}, (_, index) => index + 1);
      return [
        ...numbers(traced.lines).map((count) => ({at: "line" as const, count})),
        ...numbers(traced.requests).flatMap((count) =>
          [false, true].map((isDone) => ({at: "request" as const, count, isDone})),
        ),
        ...RECORD_SYSCALLS.flatMap((syscall) =>
          numbers(written.filter((line) => line.startsWith(syscall)).length).map((count) => ({
            at: "record" as const,
            syscall,
            count,
          })),
        ),
      ];
    },
  };
  await striker.arm(null);
  return striker;
}

/** How often the process that makes it most makes each system call: strace counts each name and each process by itself. */
function mostOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  const most = new Map<string, number>();
  for (const line of lines) {
    const [, pid, name] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (pid === undefined || name === undefined) continue;
    const count = (counts.get(`${pid} ${name}`) ?? 0) + 1;
    counts.set(`${pid} ${name}`, count);
    most.set(name, Math.max(count, most.get(name) ?? 0));
  }
  return most;
}

function forGate(strike: Strike | "trace" | null): string {
  if (strike === "trace") return "0 trace none 0";
  switch (strike?.at) {
    case "before":
    case "after":
      return `${strike.call} ${strike.at} none 0`;
    case "inside":
      return `${strike.call} inside ${strike.syscall} ${strike.count}`;
    default:
      return "0 nothing none 0";
  }
}

/**
 * Only the bot's own calls count: its parent is then the bot itself, and not a shell of agent, stage or rig. What is done for
 * each call is done by the shell alone, as a run has many.
 */
function gate({state, real}: {state: string; real: string}): string {
  return `#!/bin/sh
read -r bot < ${state}/bot
if [ -z "$bot" ]; then
  case "$(tr '\\0' ' ' < /proc/$PPID/cmdline)" in
    */dist/main.js*) bot=$PPID; echo $bot > ${state}/bot ;;
  esac
fi
[ "$bot" = $PPID ] || exec ${real} "$@"
echo "$1" >> ${state}/calls
count=0
while read -r one; do count=$((count + 1)); done < ${state}/calls
read -r call at syscall number < ${state}/strike
[ "$at" != trace ] || exec strace -f -qq -o ${state}/trace-$count -e trace=${SYSCALLS} ${real} "$@"
[ "$count" = "$call" ] || exec ${real} "$@"
case $at in
  before) kill -9 $PPID; exit 1 ;;
  after) ${real} "$@"; kill -9 $PPID; exit 1 ;;
  inside)
    log=${state}/trace
    strace -f -qq -o $log -e trace=$syscall -e inject=$syscall:signal=KILL:when=$number ${real} "$@"
    code=$?
    grep -q 'killed by SIGKILL' $log || exit $code
    kill -9 $PPID
    exit 1 ;;
esac
`;
}

/** Stands before the bot's own process, and neither before its children nor before `post`. */
function tracer(state: string): string {
  const trace = `strace -qq -e trace=${RECORD_SYSCALLS.join()}`;
  // not sh: dash would drop the inputs, whose names have dashes
  return `#!/usr/bin/env bash
case "$*" in */dist/main.js) ;; *) exec "$@" ;; esac
read -r syscall count < ${state}/record
[ "$syscall" != trace ] || exec ${trace} -o ${state}/trace-record "$@"
exec ${trace} -o /dev/null -e inject=$syscall:signal=KILL:when=$count "$@"
`;
}

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).split("\n").filter(Boolean);
}

/** Writes an executable file. */
export async function program(file: string, text: string): Promise<void> {
  await rm(file, {force: true});
  await writeFile(file, text);
  await chmod(file, 0o755);
}
