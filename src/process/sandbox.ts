/** Confines a command with bubblewrap: a read-only system, a few writable folders, and hidden private folders. */
import {createHash} from "node:crypto";
import {chmodSync, existsSync, mkdirSync, rmSync, writeFileSync} from "node:fs";
import {join, relative} from "node:path";
import {bwrapCapabilities, isRoot, KERNEL_FILES, withoutCapabilities} from "./capabilities.ts";
import type {Wrapper} from "./isolation.ts";
import {isBelow, mountLine} from "./mounts.ts";
import {ownProgram} from "./own-programs.ts";

/** The paths that a confined command sees in addition to the read-only system. All are absolute and real. */
export interface Sandbox {
  /** folders that it sees as empty and may not write */
  readonly hidden: readonly string[];
  /** folders that it sees at another path: seen path → real path */
  readonly placed: Readonly<Record<string, string>>;
  /** files and folders that are visible although a parent is hidden; read-only */
  readonly shown: readonly string[];
  readonly writable: readonly string[];
  /** folders that it may write without changing the real folder */
  readonly overlaid: readonly Overlay[];
  /** existing paths in a placed folder that it cannot rename or replace, nor write to if they are read-only */
  readonly pinned: readonly {readonly at: string; readonly isReadOnly: boolean}[];
  /** files that it must not read at any path */
  readonly blanked: readonly string[];
  /** an Assay folder for mount points that no command sees */
  readonly scratch: string;
  /** false leaves only a separate loopback interface */
  readonly network: boolean;
}

/** Everything is visible, and nothing is writable. */
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
  /** the visible layers, topmost first; if empty, only `upper` in `own` is visible */
  readonly lower: readonly string[];
  /** an Assay folder that no command sees, with the folder `upper` and a work folder for this command */
  readonly own: string;
  readonly work: string;
  /** true if nothing that the command writes there is kept */
  readonly isDiscarded?: boolean;
}

/** Other users than root may not set the default attributes of overlays (the kernel's overlayfs, "User xattr"). */
export function overlayOptions({lower, own, work}: Pick<Overlay, "lower" | "own" | "work">): string[] {
  const folders = [`lowerdir=${lower.join(":")}`, `upperdir=${own}/upper`, `workdir=${own}/${work}`];
  return [...folders, "nosuid", ...(isRoot() ? [] : ["userxattr"])];
}

/** Removes the work folders of overlays after the command; the kernel leaves a folder there that cannot be opened. */
export function clearOverlays({overlaid}: Sandbox): void {
  for (const {own, work, lower, isDiscarded = false} of overlaid) {
    const folder = join(own, work);
    if (existsSync(join(folder, "work"))) chmodSync(join(folder, "work"), 0o700);
    if (lower.length > 0) rmSync(isDiscarded ? own : folder, {recursive: true, force: true});
  }
}

/** bubblewrap shows the folders of overlays here until they are mounted. */
const OVERLAYS = "/run/assay-overlays";
const MOUNT_OVERLAYS = `here=$(pwd -P); "$1" --all --fstab ${OVERLAYS}/fstab || exit 1; shift; cd "$here" && exec "$@"`;
/** The last mount of the table hides the others' layers. */
const HIDE_LAYERS = mountLine({from: "assay", at: OVERLAYS, type: "tmpfs", options: ["ro", "size=4k"]});

/**
 * Separate namespaces for processes, shared memory and the host's name. bubblewrap also sets `no_new_privs`, so that
 * setuid programs such as sudo refuse to run (bwrap(1), proc_pid_status(5)).
 */
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"];

const CONFINE_ROOT = KERNEL_FILES.flatMap((path) => ["--ro-bind-try", path, path]);

/** `/run` contains sockets of the host's services; the container engine's socket gives root access. */
export const ALWAYS_HIDDEN = ["/run"];

/**
 * The wrapper for one command. Later arguments cover earlier ones, so the order is: hide, place, show, make writable.
 */
export function confineWithBubblewrap(program: string, sandbox: Sandbox): Wrapper {
  const pairs = (option: string, paths: readonly string[]): string[] =>
    outermostFirst(paths).flatMap((path) => [option, path, path]);
  const hiddenFolders = outermostFirst([...ALWAYS_HIDDEN, ...sandbox.hidden]);
  const overlays = overlaysOf(sandbox);
  return [
    program,
    ...NAMESPACES,
    ...(sandbox.network ? [] : ["--unshare-net"]),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...(isRoot() ? CONFINE_ROOT : []),
    ...bwrapCapabilities(),
    ...hiddenFolders.flatMap((path) => ["--tmpfs", path]),
    ...outermostFirst(Object.keys(sandbox.placed)).flatMap((path) => ["--bind", sandbox.placed[path] ?? path, path]),
    ...sandbox.pinned.flatMap(({at, isReadOnly}) => [isReadOnly ? "--ro-bind" : "--bind", placeOf(sandbox, at), at]),
    ...pairs("--ro-bind-try", sandbox.shown),
    ...pairs("--bind", sandbox.writable),
    ...overlays.arguments,
    ...sandbox.blanked.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...hiddenFolders.flatMap((path) => ["--remount-ro", path]),
    "--",
    ...overlays.command,
  ];
}

/**
 * bubblewrap before 0.11 has no overlays, so they are mounted in the sandbox, before the capabilities for mounting are
 * dropped.
 */
function overlaysOf(sandbox: Sandbox): {arguments: string[]; command: string[]} {
  const withoutLower = sandbox.overlaid.filter(({lower}) => lower.length === 0);
  const overlays = sandbox.overlaid.filter(({lower}) => lower.length > 0);
  const bindMounts = withoutLower.flatMap(({at, own}) => ["--bind", join(own, "upper"), at]);
  if (overlays.length === 0) return {arguments: bindMounts, command: []};
  const mountCommands = overlays.map(({at, own, work, lower}, index) => {
    const folder = join(OVERLAYS, String(index));
    const layers = lower.map((from, layer) => ({from, at: join(folder, `lower-${layer}`)}));
    const options = overlayOptions({work, own: join(folder, "own"), lower: layers.map((layer) => layer.at)});
    const layerMounts = layers.flatMap((layer) => ["--ro-bind", layer.from, layer.at]);
    return {
      line: mountLine({from: "assay", at, type: "overlay", options}),
      arguments: ["--dir", at, "--bind", own, join(folder, "own"), ...layerMounts],
    };
  });
  const table = join(layoutOf(sandbox), "overlays");
  writeFileSync(table, [...mountCommands.map(({line}) => line), HIDE_LAYERS].join(""));
  // The last two are for the overlay's work folder.
  const rights = ["SYS_ADMIN", "SETPCAP", "DAC_OVERRIDE", "FOWNER"].flatMap((name) => ["--cap-add", `CAP_${name}`]);
  return {
    arguments: [
      ...bindMounts,
      ...mountCommands.flatMap((one) => one.arguments),
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

/** A folder for one sandbox. Equal sandboxes share a folder, so that many commands create few folders. */
export function layoutOf(sandbox: Sandbox): string {
  const name = createHash("sha256").update(JSON.stringify(sandbox)).digest("hex").slice(0, 16);
  const folder = join(sandbox.scratch, name);
  mkdirSync(folder, {recursive: true});
  return folder;
}

/** The real location of a file that the command sees at this path, in a placed folder. */
function placeOf({placed}: Sandbox, path: string): string {
  const above = Object.keys(placed).filter((at) => isBelow(path, at));
  const nearest = above.sort((a, b) => b.length - a.length)[0];
  return nearest === undefined ? path : join(placed[nearest] ?? nearest, relative(nearest, path));
}

/** A mount on a folder hides earlier mounts in it, so outer folders come first. */
export function outermostFirst(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}
