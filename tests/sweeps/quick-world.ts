/** A rig for sweeps: the agent is a script of a few lines, and each call of git by the bot goes through a gate that can strike. */
import {existsSync} from "node:fs";
import {chmod, mkdir, readFile, rm, writeFile} from "node:fs/promises";
import {delimiter, join} from "node:path";
import {git} from "../rig/git.ts";
import {BOT} from "../rig/github/people.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {brokenPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {PRODUCT} from "../rig/runner.ts";
import type {Outcome, Rig} from "../rig/world.ts";

/** Where the bot is killed: before or after its n-th call of git, or that call and then the bot at the git's n-th system call. */
export type Strike =
  | {readonly call: number; readonly at: "before" | "after"}
  | {readonly call: number; readonly at: "inside"; readonly syscall: number};

export interface QuickWorld extends AsyncDisposable {
  readonly rig: Rig;
  /** for `RunOptions.env` */
  readonly env: Readonly<Record<string, string>>;
  /** what the next run meets; null: nothing, and calls are counted from one again */
  arm(strike: Strike | "trace" | null): Promise<void>;
  /** the calls of git since then, as far as they got */
  calls(): Promise<string[]>;
  /** true when the agent has done its work since then */
  hasWorked(): boolean;
  /** every point inside the calls of the run that `env` is given to next, told by strace, once that run is over */
  points(): Promise<Strike[]>;
}

/** System calls that change something on disk, or move bytes. */
const SYSCALLS =
  "write,pwrite64,rename,link,linkat,unlink,unlinkat,mkdir,mkdirat,fsync,fdatasync,ftruncate,sendto,recvfrom";

export async function quickWorld(
  o: {product?: string; agent?: string; verify?: Record<string, unknown>} = {},
): Promise<QuickWorld> {
  const stages = [{name: "test", command: "test ! -e src/product.js || grep -q '\\*' src/product.js", timeout: 60}];
  const files = plain({verify: {stages, ...o.verify}});
  const rig = await createRig({files, watches: false, ...(o.product !== undefined && {product: o.product})});
  const bin = join(rig.folder, "quick-bin");
  const state = join(rig.folder, "quick-state");
  await mkdir(bin);
  await mkdir(state);
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const node = join(PRODUCT, "node_modules/node/bin");
  const real = (await git(rig.folder, ["--exec-path"])).trim();
  await program(join(bin, "git"), gate({state, real: join(real, "git")}));
  const worked = join(state, "worked");
  await program(
    join(bin, "pi"),
    `#!/bin/sh\n${KEEP_SESSION}\ncat > /dev/null\n${o.agent ?? `${WRITE_PRODUCT}\n${SAY_DONE}`}\ntouch ${worked}\n`,
  );
  return {
    rig,
    env: {PATH: [bin, node, ...path].join(delimiter)},
    async arm(strike) {
      await writeFile(join(state, "calls"), "");
      await rm(worked, {force: true});
      if (strike === null || strike === "trace") return writeFile(join(state, "strike"), `0 ${strike ?? "none"} 0\n`);
      const syscall = strike.at === "inside" ? strike.syscall : 0;
      await writeFile(join(state, "strike"), `${strike.call} ${strike.at} ${syscall}\n`);
    },
    calls: async () => (await readFile(join(state, "calls"), "utf8")).split("\n").filter(Boolean),
    hasWorked: () => existsSync(worked),
    async points() {
      const found: Strike[] = [];
      for (let call = 1; existsSync(join(state, `trace-${call}`)); call += 1) {
        const pids = (await readFile(join(state, `trace-${call}`), "utf8"))
          .split("\n")
          .map((line) => line.split(" ")[0]);
        const most = Math.max(...pids.map((pid) => pids.filter((other) => other !== "" && other === pid).length));
        found.push({call, at: "before"}, {call, at: "after"});
        for (let syscall = 1; syscall <= most; syscall += 1) found.push({call, at: "inside", syscall});
      }
      return found;
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

/** True when some branch of the server holds what the agent wrote. */
export async function isWorkThere(rig: Rig, {refs}: Outcome): Promise<boolean> {
  for (const ref of Object.keys(refs)) {
    if ((await rig.origin.read(ref, "src/product.js")) === PRODUCT_FILES.right) return true;
  }
  return false;
}

export const own = ({comments}: Outcome) => comments.filter(({author}) => author === BOT);

/**
 * The promises that a run has broken. One that ended before it had said or kept anything is one that never was: its event
 * can come again. The gate is a shell in git's place, and it and its helpers get what git gets: P12 is not held against it.
 */
export async function brokenIn({rig}: Pick<QuickWorld, "rig">, outcome: Outcome): Promise<string[]> {
  const {origin, git: server, github} = rig;
  const all = await brokenPromises({
    outcome,
    origin,
    updates: server.updates,
    nothingAsked: outcome.record === null,
    invalidRequests: github.invalid,
    unmatchedPrompts: [],
  });
  return all.filter((text) => !text.startsWith("P12"));
}

/** What the agent does: reads its prompt, writes a product and its test, and says so as pi does. */
const MESSAGE = {
  role: "assistant",
  content: [{type: "text", text: "Products are there."}],
  provider: "quick",
  model: "quick",
  stopReason: "stop",
  usage: {input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: {total: 0}},
};
export const SAY_DONE = `cat <<'EOT'\n${JSON.stringify({type: "session", id: "quick"})}\n${JSON.stringify({type: "message_end", message: MESSAGE})}\nEOT`;
export const WRITE_PRODUCT = `mkdir -p src tests\ncat > src/product.js <<'EOT'\n${PRODUCT_FILES.right}EOT\ncat > tests/product.test.js <<'EOT'\n${PRODUCT_FILES.test}EOT`;
/** As pi does, so that there is a session to keep. */
const KEEP_SESSION = `while [ $# -gt 0 ]; do\n  if [ "$1" = --session ]; then echo '{"type":"session","id":"quick","cwd":"."}' > "$2"; fi\n  shift\ndone`;

/** Only the bot's own calls count: its parent is then the bot itself, and not a shell of agent, stage or rig. */
function gate({state, real}: {state: string; real: string}): string {
  return `#!/bin/sh
case "$(tr '\\0' ' ' < /proc/$PPID/cmdline)" in
  */dist/main.js*) ;;
  *) exec ${real} "$@" ;;
esac
echo "$1" >> ${state}/calls
count=$(wc -l < ${state}/calls)
read -r call at syscall < ${state}/strike
[ "$at" != trace ] || exec strace -f -qq -o ${state}/trace-$count -e trace=${SYSCALLS} ${real} "$@"
[ "$count" = "$call" ] || exec ${real} "$@"
case $at in
  before) kill -9 $PPID; exit 1 ;;
  after) ${real} "$@"; kill -9 $PPID; exit 1 ;;
  inside)
    log=${state}/trace
    strace -f -qq -o $log -e trace=${SYSCALLS} -e inject=${SYSCALLS}:signal=KILL:when=$syscall ${real} "$@"
    code=$?
    grep -q 'killed by SIGKILL' $log || exit $code
    kill -9 $PPID
    exit 1 ;;
esac
`;
}

async function program(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o755);
}
