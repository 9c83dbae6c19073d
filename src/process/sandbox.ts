/** Confines a command with bubblewrap: a read-only system, a few folders to write in, and everything private hidden. */
import {createHash} from "node:crypto";
import {chmodSync, existsSync, mkdirSync, rmSync, writeFileSync} from "node:fs";
import {join, relative} from "node:path";
import {bwrapCapabilities, isRoot, KERNEL_FILES, withoutCapabilities} from "./capabilities.ts";
import type {Wrapper} from "./isolation.ts";
import {isBelow, mountLine} from "./mounts.ts";
import {ownProgram} from "./own-programs.ts";

/** What a confined command sees besides the read-only system. All paths are absolute and real. */
export interface Sandbox {
  /** folders that are empty for it, and may not be written */
  readonly hidden: readonly string[];
  /** folders that it finds at another place than they are: where → what */
  readonly placed: Readonly<Record<string, string>>;
  /** files and folders to be seen though something above them is hidden; read-only */
  readonly shown: readonly string[];
  readonly writable: readonly string[];
  /** folders in which it may write, while none of that reaches the folder itself */
  readonly overlaid: readonly Overlay[];
  /** files and folders of a placed folder that cannot be replaced, nor written where they are read-only; they exist */
  readonly pinned: readonly {readonly at: string; readonly isReadOnly: boolean}[];
  /** files that it must not read wherever they are */
  readonly blanked: readonly string[];
  /** a folder of ours that no command sees, for mount points */
  readonly scratch: string;
  /** false leaves it a loopback of its own and nothing else */
  readonly network: boolean;
}

/** Everything is to be seen, and nothing to be written. */
export const NOTHING_WRITABLE: Sandbox = {
  hidden: [],
  placed: {},
  shown: [],
  writable: [],
  overlaid: [],
  pinned: [],
  blanked: [],
  scratch: "",
  network: true,
};

export interface Overlay {
  readonly at: string;
  /** what is seen there, topmost first; with nothing, `upper` in its own folder is all that is seen */
  readonly lower: readonly string[];
  /** a folder of ours that no command sees, with the folder `upper` and one to work in, which only this command has */
  readonly own: string;
  readonly work: string;
}

/** A user who is not root may not set the attributes that overlays use otherwise (the kernel's overlayfs, "User xattr"). */
export function overlayOptions({lower, own, work}: Pick<Overlay, "lower" | "own" | "work">): string[] {
  const folders = [`lowerdir=${lower.join(":")}`, `upperdir=${own}/upper`, `workdir=${own}/${work}`];
  return [...folders, "nosuid", ...(isRoot() ? [] : ["userxattr"])];
}

/** Removes what overlays have worked in, once the command is over: the kernel leaves a folder there that nobody may open. */
export function clearOverlays({overlaid}: Sandbox): void {
  for (const {own, work, lower} of overlaid) {
    const folder = join(own, work);
    if (existsSync(join(folder, "work"))) chmodSync(join(folder, "work"), 0o700);
    if (lower.length > 0) rmSync(folder, {recursive: true, force: true});
  }
}

/** Where bubblewrap shows the folders of overlays until they are mounted. */
const OVERLAYS = "/run/assay-overlays";
const MOUNT_OVERLAYS = `here=$(pwd -P); "$1" --all --fstab ${OVERLAYS}/fstab && "$1" -t tmpfs -o ro,size=4k none ${OVERLAYS} || exit 1
shift; cd "$here" && exec "$@"`;

/**
 * Namespaces of its own for processes, shared memory and the host's name. bubblewrap also sets `no_new_privs`, so that
 * setuid programs such as sudo refuse (bwrap(1), proc_pid_status(5)).
 */
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"];

const CONFINE_ROOT = KERNEL_FILES.flatMap((path) => ["--ro-bind-try", path, path]);

/** Sockets of the host's services are in `/run`: the container engine's would give root away. */
export const ALWAYS_HIDDEN = ["/run"];

/** The fence for one command. Later arguments lie over earlier ones, so the order is: hide, place, show, let write. */
export function confineWithBubblewrap(program: string, sandbox: Sandbox): Wrapper {
  const pairs = (option: string, paths: readonly string[]): string[] =>
    outermostFirst(paths).flatMap((path) => [option, path, path]);
  const hidden = outermostFirst([...ALWAYS_HIDDEN, ...sandbox.hidden]);
  const overlays = overlaysOf(sandbox);
  return [
    program,
    ...NAMESPACES,
    ...(sandbox.network ? [] : ["--unshare-net"]),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...(isRoot() ? CONFINE_ROOT : []),
    ...bwrapCapabilities(),
    ...hidden.flatMap((path) => ["--tmpfs", path]),
    ...outermostFirst(Object.keys(sandbox.placed)).flatMap((path) => ["--bind", sandbox.placed[path] ?? path, path]),
    ...sandbox.pinned.flatMap(({at, isReadOnly}) => [isReadOnly ? "--ro-bind" : "--bind", placeOf(sandbox, at), at]),
    ...pairs("--ro-bind-try", sandbox.shown),
    ...pairs("--bind", sandbox.writable),
    ...overlays.arguments,
    ...sandbox.blanked.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...hidden.flatMap((path) => ["--remount-ro", path]),
    "--",
    ...overlays.command,
  ];
}

/** bubblewrap has no overlays before 0.11: they are mounted in the sandbox, before the rights to do so are dropped. */
function overlaysOf(sandbox: Sandbox): {arguments: string[]; command: string[]} {
  const bare = sandbox.overlaid.filter(({lower}) => lower.length === 0);
  const layered = sandbox.overlaid.filter(({lower}) => lower.length > 0);
  const bound = bare.flatMap(({at, own}) => ["--bind", join(own, "upper"), at]);
  if (layered.length === 0) return {arguments: bound, command: []};
  const mounted = layered.map(({at, own, work, lower}, index) => {
    const folder = join(OVERLAYS, String(index));
    const layers = lower.map((from, layer) => ({from, at: join(folder, `lower-${layer}`)}));
    const options = overlayOptions({work, own: join(folder, "own"), lower: layers.map((layer) => layer.at)});
    const shown = layers.flatMap((layer) => ["--ro-bind", layer.from, layer.at]);
    return {
      line: mountLine({from: "assay", at, type: "overlay", options}),
      arguments: ["--dir", at, "--bind", own, join(folder, "own"), ...shown],
    };
  });
  const table = join(layoutOf(sandbox), "overlays");
  writeFileSync(table, mounted.map(({line}) => line).join(""));
  // The last two are for the folder in which the overlay works.
  const rights = ["SYS_ADMIN", "SETPCAP", "DAC_OVERRIDE", "FOWNER"].flatMap((name) => ["--cap-add", `CAP_${name}`]);
  return {
    arguments: [
      ...bound,
      ...mounted.flatMap((one) => one.arguments),
      "--ro-bind",
      table,
      join(OVERLAYS, "fstab"),
      ...rights,
    ],
    command: [
      ownProgram("unshare"),
      "--mount",
      "/bin/sh",
      "-c",
      MOUNT_OVERLAYS,
      "overlays",
      ownProgram("mount"),
      ...withoutCapabilities(),
    ],
  };
}

/** A folder for one sandbox. The same one gives the same folder, so that many commands leave few. */
export function layoutOf(sandbox: Sandbox): string {
  const name = createHash("sha256").update(JSON.stringify(sandbox)).digest("hex").slice(0, 16);
  const folder = join(sandbox.scratch, name);
  mkdirSync(folder, {recursive: true});
  return folder;
}

/** Where the file is that is seen at this path, in the folder that is placed above it. */
function placeOf({placed}: Sandbox, path: string): string {
  const above = Object.keys(placed).filter((at) => isBelow(path, at));
  const nearest = above.sort((a, b) => b.length - a.length)[0];
  return nearest === undefined ? path : join(placed[nearest] ?? nearest, relative(nearest, path));
}

/** What is mounted over a folder hides what was mounted in it before. */
export function outermostFirst(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}
