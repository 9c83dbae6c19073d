/** Probes how this machine can isolate processes, and adds the isolating wrapper to a command. */
import {execFile} from "node:child_process";
import {accessSync, constants, readlinkSync, statSync} from "node:fs";
import {basename, delimiter, isAbsolute, join, resolve} from "node:path";
import {promisify} from "node:util";
import type {Isolation} from "../record/verification.ts";

/** The words before a command that give it a separate PID namespace. */
export type Wrapper = readonly [string, ...string[]];

/** Wrappers are searched here, and never in the PATH of a stage, which the repository can influence. */
export const SYSTEM_FOLDERS = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
const PROBE_MS = 5000;
/** In characters: the message of a wrapper that does not work. */
const MAX_REASON = 500;

const UNSHARE = ["unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"] as const;
/**
 * Otherwise `unshare` would outlive a killed Assay; now the kernel ends it and its namespace when the parent dies. As
 * in bubblewrap, no program gains rights: with sudo, a command could end processes outside, and leave the namespace.
 */
const DIE_WITH_PARENT = ["setpriv", "--pdeathsig", "KILL", "--no-new-privs", "--"] as const;

/**
 * Best first. These wrappers isolate processes, not files: the file system stays visible, except folders of
 * hide-folders.ts.
 */
const WRAPPERS: readonly Wrapper[] = [
  ["bwrap", "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc", "/proc", "--"],
  [...DIE_WITH_PARENT, ...UNSHARE, "--"],
  [...DIE_WITH_PARENT, ...UNSHARE, "--user", "--map-current-user", "--"],
];

/**
 * No command needs core files, files over 4 GiB (in blocks of 512 bytes) or unlimited processes (`-u` in bash, `-p` in
 * dash; the kernel exempts root). Lower limits of the machine remain.
 */
const LIMITS = "{ ulimit -c 0; ulimit -f 8388608; ulimit -u 8192 || ulimit -p 8192; } 2>/dev/null";

/**
 * The shell between the wrapper and the command. A command must not be PID 1 itself: the kernel ignores unhandled
 * signals to PID 1 (pid_namespaces(7)), and no process would reap orphans. The wrappers turn "killed by 15" into the
 * exit code 143, which a program may also return by itself. The shell's message about a killed child on file descriptor
 * 3 distinguishes the two. The dot confirms that the namespace was created.
 */
const INIT_SCRIPT = `exec 4>&2 2>&3; trap : TERM INT HUP; printf . >&2; (${LIMITS}; exec "$@" 2>&4 3>&- 4>&-); exit $?`;
/** The same without a namespace, and without a remaining shell. */
const BARE_SCRIPT = `${LIMITS}; exec "$@"`;

/** The shell above writes to this file descriptor. */
export const SANDBOX_FD = 3;

/**
 * Adds the limits, and the wrapper if there is one, to a command. Debian's shell drops variables whose names it cannot
 * assign, such as `spring.profile`; those are passed with `env`.
 */
export function inNamespace(
  wrapper: Wrapper | null,
  command: {readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>>},
): readonly [string, ...string[]] {
  const unassignable = Object.entries(command.env).filter(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  const prefix =
    unassignable.length === 0 ? [] : ["/usr/bin/env", ...unassignable.map(([name, value]) => `${name}=${value}`)];
  const shell =
    wrapper === null
      ? (["/bin/sh", "-c", BARE_SCRIPT] as const)
      : ([...wrapper, "/bin/sh", "-c", INIT_SCRIPT] as const);
  return [...shell, "assay", ...prefix, ...command.argv];
}

/** Absolute path of a program, as `execvp` finds it; null if there is no executable program. */
export function findProgram(name: string, options: {readonly cwd: string; readonly path: string}): string | null {
  const candidates = name.includes("/")
    ? [isAbsolute(name) ? name : resolve(options.cwd, name)]
    : options.path.split(delimiter).map((folder) => join(resolve(options.cwd, folder), name));
  return candidates.find(isProgram) ?? null;
}

/** True for a file that may be executed. */
export function isProgram(file: string): boolean {
  return succeeds(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  });
}

/** True for a folder that exists and can be accessed. */
export function isFolder(path: string): boolean {
  return succeeds(() => statSync(path).isDirectory());
}

/** True for a folder in which this user can create, rename and delete files. */
export function isWritable(path: string): boolean {
  return succeeds(() => {
    accessSync(path, constants.W_OK);
    return true;
  });
}

/** A missing file, missing rights, a broken link or an invalid name all mean that it cannot be used. */
function succeeds(question: () => boolean): boolean {
  try {
    return question();
  } catch {
    return false;
  }
}

/** The wrappers whose programs are installed in `folders`, with absolute paths, best first. */
function installedWrappers(folders: string): Wrapper[] {
  return WRAPPERS.flatMap((wrapper): Wrapper[] => {
    const [name, ...rest] = wrapper;
    const program = findProgram(name, {cwd: "/", path: folders});
    const inner = rest.indexOf("unshare");
    const innerProgram = inner < 0 ? "" : findProgram("unshare", {cwd: "/", path: folders});
    if (program === null || innerProgram === null) return [];
    return [[program, ...rest.map((argument, index) => (index === inner ? innerProgram : argument))]];
  });
}

/** Null if a real command in this wrapper has another PID namespace and its own `/proc`, else the reason. */
export async function trySandbox([program, ...argv]: Wrapper): Promise<string | null> {
  const command = ["/bin/sh", "-c", "readlink /proc/self/ns/pid && test -d /proc/$$"];
  const options = {env: {}, cwd: "/", timeout: PROBE_MS};
  try {
    const {stdout} = await promisify(execFile)(program, [...argv, ...command], options);
    const isIsolated = stdout.startsWith("pid:[") && stdout.trim() !== readlinkSync("/proc/self/ns/pid");
    return isIsolated ? null : "a command in it has no separate PID namespace";
  } catch (error) {
    const {stderr, message} = Object(error);
    return String(stderr || message)
      .trim()
      .slice(0, MAX_REASON);
  }
}

/** Every wrapper that works here, best first, tested with a real command. Empty on systems other than Linux. */
export async function workingWrappers(folders = SYSTEM_FOLDERS): Promise<Wrapper[]> {
  if (process.platform !== "linux") return [];
  const probeResults = await Promise.all(
    installedWrappers(folders).map(async (wrapper) => ((await trySandbox(wrapper)) === null ? [wrapper] : [])),
  );
  return probeResults.flat();
}

let workingProbe: Promise<Wrapper[]> | undefined;

/** The working wrappers of this machine; probed once per process. */
function machineWrappers(): Promise<Wrapper[]> {
  workingProbe ??= workingWrappers();
  return workingProbe;
}

/** The strongest wrapper that this machine supports, or null. */
export async function namespaceWrapper(): Promise<Wrapper | null> {
  return (await machineWrappers())[0] ?? null;
}

/** The strongest wrapper that uses `unshare`, or null. */
export async function unshareWrapper(): Promise<Wrapper | null> {
  return (await machineWrappers()).find(([program]) => basename(program) !== "bwrap") ?? null;
}

/** The isolation of processes that this machine supports. Runs a real command, once; never rejects. */
export async function probeIsolation(): Promise<Isolation> {
  return (await namespaceWrapper()) === null ? "degraded" : "pid-namespace";
}
