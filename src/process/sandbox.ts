/** Confines a command with bubblewrap: a read-only system, a few folders to write in, and everything private hidden. */
import {existsSync} from "node:fs";
import {findProgram, SYSTEM_FOLDERS, tryFence, type Wrapper} from "./isolation.ts";

/** What a confined command sees besides the read-only system. All paths are absolute and real. */
export interface Sandbox {
  /** folders that are empty for it, and may not be written */
  readonly hidden: readonly string[];
  /** folders that it finds at another place than they are: where → what */
  readonly placed: Readonly<Record<string, string>>;
  /** files and folders to be seen though something above them is hidden; read-only */
  readonly shown: readonly string[];
  readonly writable: readonly string[];
  /** files that it must not read wherever they are */
  readonly blanked: readonly string[];
  /** false leaves it a loopback of its own and nothing else */
  readonly network: boolean;
}

/**
 * Namespaces of its own for processes, shared memory and the host's name. bubblewrap also sets `no_new_privs`, so that
 * setuid programs such as sudo refuse (bwrap(1), proc_pid_status(5)).
 */
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"];

/** What the root of a container may do (the usual list, less what opens raw sockets and devices): own files, other users. */
const ROOT_KEEPS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETFCAP"];
/** Through these, root reaches the kernel of the host even without a capability (proc_sys(5), proc(5)). */
const KERNEL_FILES = ["sys", "sysrq-trigger", "irq", "bus", "acpi", "scsi"].map((name) => `/proc/${name}`);

const CONFINE_ROOT = [
  ...KERNEL_FILES.flatMap((path) => ["--ro-bind-try", path, path]),
  ...["--cap-drop", "ALL", ...ROOT_KEEPS.flatMap((name) => ["--cap-add", `CAP_${name}`])],
];

/** Sockets of the host's services are in `/run`: the container engine's would give root away. */
const ALWAYS_HIDDEN = ["/run"];

/** The fence for one command. Later arguments lie over earlier ones, so the order is: hide, place, show, let write. */
export function confined(program: string, sandbox: Sandbox): Wrapper {
  const pairs = (option: string, paths: readonly string[]): string[] =>
    outermostFirst(paths).flatMap((path) => [option, path, path]);
  const hidden = outermostFirst([...ALWAYS_HIDDEN, ...sandbox.hidden]);
  return [
    program,
    ...NAMESPACES,
    ...(sandbox.network ? [] : ["--unshare-net"]),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...(process.getuid?.() === 0 ? CONFINE_ROOT : []),
    ...hidden.flatMap((path) => ["--tmpfs", path]),
    ...outermostFirst(Object.keys(sandbox.placed)).flatMap((path) => ["--bind", sandbox.placed[path] ?? path, path]),
    ...pairs("--ro-bind-try", sandbox.shown),
    ...pairs("--bind", sandbox.writable),
    ...sandbox.blanked.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...hidden.flatMap((path) => ["--remount-ro", path]),
    "--",
  ];
}

/** What is mounted over a folder hides what was mounted in it before. */
function outermostFirst(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}

export type SandboxProbe =
  | {readonly kind: "available"; readonly program: string}
  | {readonly kind: "missing"; readonly why: string};

const probes = new Map<string, Promise<SandboxProbe>>();

/**
 * Runs a real command in a sandbox, once per process, with and without a network as asked. What bubblewrap said is kept
 * for the reason: without it nobody can tell a missing program from a kernel that forbids user namespaces.
 */
export function probeSandbox(o: {readonly network: boolean; readonly folders?: string}): Promise<SandboxProbe> {
  const folders = o.folders ?? SYSTEM_FOLDERS;
  const key = `${o.network} ${folders}`;
  const known = probes.get(key) ?? probe({network: o.network, folders});
  probes.set(key, known);
  return known;
}

async function probe(o: {network: boolean; folders: string}): Promise<SandboxProbe> {
  const program = process.platform === "linux" ? findProgram("bwrap", {cwd: "/", path: o.folders}) : null;
  if (program === null) return {kind: "missing", why: "bubblewrap is not installed"};
  const sandbox = {hidden: [], placed: {}, shown: [], writable: [], blanked: [], network: o.network};
  const why = await tryFence(confined(program, sandbox));
  return why === null ? {kind: "available", program} : {kind: "missing", why: `bubblewrap does not work here: ${why}`};
}
