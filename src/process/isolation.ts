/** Finds out how well this machine can fence processes in, and puts the fence in front of a command. */
import {spawn} from "node:child_process";
import {accessSync, constants, readlinkSync, statSync} from "node:fs";
import {basename, delimiter, isAbsolute, join, resolve} from "node:path";
import type {Isolation} from "../record/verification.ts";

/** What stands in front of a command to give it a PID namespace of its own. */
export type Wrapper = readonly [string, ...string[]];

/** Where the fences are looked for: never in the PATH of a stage, which the repository can influence. */
export const SYSTEM_FOLDERS = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
const PROBE_MS = 5000;
/** Characters kept of what a fence that does not work has said. */
const MAX_REASON = 500;

const UNSHARE = ["unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"] as const;
/**
 * `unshare` would outlive a killed bot; the kernel ends it, and with it the namespace, when its parent dies. As behind
 * bubblewrap nothing gains rights: with sudo, a command could end processes outside, and come out.
 */
const DIE_WITH_PARENT = ["setpriv", "--pdeathsig", "KILL", "--no-new-privs", "--"] as const;

/** Best first. The file system stays visible, but for what `hiding` (hide.ts) takes: these fences are about processes, not about files. */
const LADDER: readonly Wrapper[] = [
  ["bwrap", "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc", "/proc", "--"],
  [...DIE_WITH_PARENT, ...UNSHARE, "--"],
  [...DIE_WITH_PARENT, ...UNSHARE, "--user", "--map-current-user", "--"],
];

/**
 * What no command needs and a runaway one would take: core files, files over 4 GiB (in blocks of 512 bytes), processes without
 * number (`-u` where the shell is bash, `-p` in dash; the kernel exempts root). A machine with lower limits keeps them.
 */
const LIMITS = "{ ulimit -c 0; ulimit -f 8388608; ulimit -u 8192 || ulimit -p 8192; } 2>/dev/null";

/**
 * The shell that stands between the fence and the command. A command must not be PID 1 itself: the kernel
 * ignores unhandled signals to PID 1 (pid_namespaces(7)), and nobody would collect orphans. The fences turn
 * "killed by 15" into the exit code 143, which a program may also return by itself; the shell's own remark about a
 * killed child goes to file descriptor 3 and tells the two apart. The dot says that the fence has let us in.
 */
const INIT = `exec 4>&2 2>&3; trap : TERM INT HUP; printf . >&2; (${LIMITS}; exec "$@" 2>&4 3>&- 4>&-); exit $?`;
/** The same without a fence; nobody stands between. */
const BARE = `${LIMITS}; exec "$@"`;

/** The file descriptor on which the shell above talks to us. */
export const SANDBOX_FD = 3;

/**
 * Puts the limits, and a fence if there is one, in front of a command. Debian's shell drops variables whose names it could
 * not assign, such as `spring.profile`; those of `env` are handed on past it.
 */
export function inNamespace(
  wrapper: Wrapper | null,
  command: {readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>>},
): readonly [string, ...string[]] {
  const odd = Object.entries(command.env).filter(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  const past = odd.length === 0 ? [] : ["/usr/bin/env", ...odd.map(([name, value]) => `${name}=${value}`)];
  const shell = wrapper === null ? (["/bin/sh", "-c", BARE] as const) : ([...wrapper, "/bin/sh", "-c", INIT] as const);
  return [...shell, "assay", ...past, ...command.argv];
}

/** Absolute path of a program, found as `execvp` would; null where there is none that may be executed. */
export function findProgram(name: string, o: {readonly cwd: string; readonly path: string}): string | null {
  const candidates = name.includes("/")
    ? [isAbsolute(name) ? name : resolve(o.cwd, name)]
    : o.path.split(delimiter).map((folder) => join(resolve(o.cwd, folder), name));
  return candidates.find(isProgram) ?? null;
}

/** True for a file that may be executed. */
export function isProgram(file: string): boolean {
  return answers(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  });
}

/** True for a folder that can be seen. */
export function isFolder(path: string): boolean {
  return answers(() => statSync(path).isDirectory());
}

/** True for a folder in which this user can make, rename and delete. */
export function isWritable(path: string): boolean {
  return answers(() => {
    accessSync(path, constants.W_OK);
    return true;
  });
}

/** Absent, forbidden, a broken link, an impossible name: all mean that it cannot be used. */
function answers(question: () => boolean): boolean {
  try {
    return question();
  } catch {
    return false;
  }
}

/** The fences of the ladder whose programs are installed in `folders`, with absolute paths, best first. */
function installed(folders: string): Wrapper[] {
  return LADDER.flatMap((wrapper): Wrapper[] => {
    const [name, ...rest] = wrapper;
    const program = findProgram(name, {cwd: "/", path: folders});
    const inner = rest.indexOf("unshare");
    const innerProgram = inner < 0 ? "" : findProgram("unshare", {cwd: "/", path: folders});
    if (program === null || innerProgram === null) return [];
    return [[program, ...rest.map((argument, index) => (index === inner ? innerProgram : argument))]];
  });
}

/** The best of `unshare` that works here; null where none does. */
export async function unshareWrapper(): Promise<Wrapper | null> {
  unshared ??= workingWrappers().then(
    (wrappers) => wrappers.find(([program]) => basename(program) !== "bwrap") ?? null,
  );
  return unshared;
}

let unshared: Promise<Wrapper | null> | undefined;

/** Null when a real command, run behind this fence, sees a PID namespace that is not ours and a `/proc` of its own; else why not. */
export function trySandbox(wrapper: Wrapper): Promise<string | null> {
  const [program, ...argv] = inNamespace(wrapper, {
    argv: ["/bin/sh", "-c", "readlink /proc/self/ns/pid && test -d /proc/$$"],
    env: {},
  });
  return new Promise((resolved) => {
    const child = spawn(program, argv, {
      env: {},
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      timeout: PROBE_MS,
    });
    const seen = {out: "", err: ""};
    child.stdout?.on("data", (chunk) => {
      seen.out += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      seen.err = (seen.err + chunk).slice(0, MAX_REASON);
    });
    child.once("error", (error) => resolved(error.message));
    child.once("close", (code) => {
      const isFenced = seen.out.startsWith("pid:[") && seen.out.trim() !== readlinkSync("/proc/self/ns/pid");
      resolved(code === 0 && isFenced ? null : seen.err.trim() || `a command behind it gave exit code ${code}`);
    });
  });
}

/** Every fence that works here, best first; tried by running a real command behind each. Empty off Linux. */
export async function workingWrappers(folders = SYSTEM_FOLDERS): Promise<Wrapper[]> {
  if (process.platform !== "linux") return [];
  const tried = await Promise.all(
    installed(folders).map(async (wrapper) => ((await trySandbox(wrapper)) === null ? [wrapper] : [])),
  );
  return tried.flat();
}

let best: Promise<Wrapper | null> | undefined;

/** The best fence of this machine, or null; found out once per process. */
export function namespaceWrapper(): Promise<Wrapper | null> {
  best ??= workingWrappers().then((wrappers) => wrappers[0] ?? null);
  return best;
}

/** How well processes can be fenced in here. Tries a real command, once; never rejects. */
export async function probeIsolation(): Promise<Isolation> {
  return (await namespaceWrapper()) === null ? "degraded" : "pid-namespace";
}
