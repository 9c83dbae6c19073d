/** Confines a command without bubblewrap: a mount namespace that is read-only except for the allowed paths. */
import {existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync} from "node:fs";
import {basename, dirname, join, relative} from "node:path";
import {isRoot, KERNEL_FILES, keepCapabilities, withoutCapabilities} from "./capabilities.ts";
import {isFolder, type Wrapper} from "./isolation.ts";
import {currentMounts, isBelow, lockedOptions, type Mount, mountLine, writableMounts} from "./mounts.ts";
import {ownProgram} from "./own-programs.ts";
import {ALWAYS_HIDDEN, layoutOf, type Overlay, outermostFirst, overlayOptions, type Sandbox} from "./sandbox.ts";

/**
 * Makes every mount read-only, checks the paths that are named first, mounts the entries of the file, and makes mounts
 * in a writable folder writable again. The command starts in its working folder as it is then visible.
 */
const VIEW_SCRIPT = `mount=$1; shift; here=$(pwd -P); "$mount" --all -o remount,bind,ro -t noproc 2>/dev/null
while [ "$1" != -- ]; do if [ -w "$1" ]; then echo "$1 stays writable" >&2; exit 1; fi; shift; done; shift
"$mount" --all --fstab "$1" || exit 1; shift
while [ "$1" != -- ]; do "$mount" -o "$1" "$2" || exit 1; shift 2; done; shift
cd "$here" && exec "$@"`;

/**
 * Programs expect these. Root could open the host's other devices, so they are hidden from it (null(4), random(4),
 * tty(4)).
 */
const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"];
const DEVICE_LINKS = {
  fd: "/proc/self/fd",
  stdin: "/proc/self/fd/0",
  stdout: "/proc/self/fd/1",
  stderr: "/proc/self/fd/2",
  ptmx: "pts/ptmx",
};

/** A folder that is mounted over another folder. */
interface Cover {
  readonly at: string;
  readonly from: string;
}

/** `wrapper` uses `unshare`. Creates the mount points in `sandbox.scratch`, and changes nothing else outside. */
export function confineInNamespace(wrapper: Wrapper, sandbox: Sandbox): Wrapper {
  const [program, ...rest] = wrapper;
  const mounts = currentMounts();
  const {lines, reopened} = assemble(sandbox, mounts);
  const table = join(layoutOf(sandbox), "view");
  writeFileSync(table, lines.join(""));
  const view = [
    ownProgram("mount"),
    ...writableMounts(mounts),
    "--",
    table,
    ...reopened,
    "--",
    ...withoutCapabilities(),
  ];
  return [program, ...keepCapabilities(rest), "/bin/sh", "-c", VIEW_SCRIPT, "view", ...view];
}

/** Where paths are visible to the command, and where they are mounted before the covers. */
interface Layout {
  readonly folder: string;
  readonly covers: readonly Cover[];
  readonly mounts: readonly Mount[];
  /** the path in the folder that covers its parent */
  readonly seenAt: (path: string) => string;
}

function layOut(sandbox: Sandbox, mounts: readonly Mount[]): Layout {
  const folder = layoutOf(sandbox);
  const hiddenFolders = outermostFirst([...ALWAYS_HIDDEN, ...sandbox.hidden]).filter(isFolder);
  const covers = [
    ...Object.entries(sandbox.placed).map(([at, from]) => ({at, from})),
    ...hiddenFolders
      .filter((at) => !(at in sandbox.placed))
      .map((at, index) => ({at, from: join(folder, `hidden-${index}`)})),
    ...(isRoot() ? [{at: "/dev", from: join(folder, "dev")}] : []),
  ].sort((a, b) => b.at.length - a.at.length);
  for (const {from} of covers) mkdirSync(from, {recursive: true});
  const seenAt = (path: string): string => {
    const cover = covers.find(({at}) => at !== path && isBelow(path, at));
    return cover === undefined ? path : join(cover.from, relative(cover.at, path));
  };
  return {folder, covers, mounts, seenAt};
}

/**
 * The mounts in their order. A path below a cover is mounted into the covering folder, while all sources are still at
 * their own paths. The covers come last, with everything that was mounted in them.
 */
function assemble(sandbox: Sandbox, mounts: readonly Mount[]): {lines: string[]; reopened: string[]} {
  const layout = layOut(sandbox, mounts);
  const {covers, folder, seenAt} = layout;
  const ownFolders = [...Object.values(sandbox.placed), ...sandbox.overlaid.map((overlay) => overlay.own)];
  const shownPaths = sandbox.shown.filter((path) => existsSync(path) && seenAt(path) !== path);
  const blankedFiles = sandbox.blanked.filter((path) => existsSync(path));
  const entries = [
    ...shownPaths.map((path) => ({path, lines: () => [bind(path, seenAt(path), ["rbind"])]})),
    ...sandbox.writable.map((path) => ({path, lines: () => writableLines(layout, path)})),
    ...sandbox.overlaid.map((overlay) => ({path: overlay.at, lines: () => [overlayLine(layout, overlay)]})),
    ...sandbox.pinned.map(({at, isReadOnly}) => ({
      path: at,
      lines: () => [
        bind(seenAt(at), seenAt(at), isReadOnly ? ["rbind", "ro"] : ["rbind", ...writableOptions(mounts, seenAt(at))]),
      ],
    })),
    ...blankedFiles.map((path) => ({path, lines: () => [bind("/dev/null", seenAt(path), ["bind"])]})),
  ].sort((a, b) => a.path.length - b.path.length);
  const isTop = ({at}: Cover): boolean => seenAt(at) === at;
  // The covering folders must stay accessible until the last cover.
  const top = covers.filter(isTop).sort((a, b) => Number(isBelow(folder, a.at)) - Number(isBelow(folder, b.at)));
  const lines = [
    ...outermostFirst(ownFolders).map((from) => bind(from, from, ["rbind", ...writableOptions(mounts, from)])),
    ...entries.flatMap((entry) => entry.lines()),
    ...(isRoot() ? ownDevices(join(folder, "dev")) : [mountLine(sharedMemory("/dev/shm"))]),
    ...[...covers.filter((cover) => !isTop(cover)), ...top].map(({at, from}) => bind(from, seenAt(at), ["rbind"])),
    ...(isRoot()
      ? KERNEL_FILES.filter((path) => existsSync(path)).map((path) => bind(path, path, ["bind", "ro"]))
      : []),
  ];
  return {lines, reopened: sandbox.writable.flatMap((path) => reopenedBelow(layout, path))};
}

const writableOptions = (mounts: readonly Mount[], path: string): string[] => [
  "rw",
  "nosuid",
  ...lockedOptions(mounts, path),
];

/** A path cannot be mounted over itself twice, so an existing mount is remounted as writable instead. */
function writableLines({mounts, seenAt}: Layout, path: string): string[] {
  const visiblePath = seenAt(path);
  const isMount = visiblePath === path && mounts.some((mount) => mount.at === path);
  return isMount ? [] : [bind(path, visiblePath, ["rbind", ...writableOptions(mounts, path)])];
}

/** In a bind mount of a folder, the mounts below it are still read-only. */
function reopenedBelow({mounts, seenAt}: Layout, path: string): string[] {
  return mounts
    .filter(({at, options}) => isBelow(at, path) && (at !== path || seenAt(path) === path) && options.includes("rw"))
    .flatMap(({at}) => [
      ["remount", "bind", ...writableOptions(mounts, at)].join(),
      join(seenAt(path), relative(path, at)),
    ]);
}

function overlayLine({mounts, seenAt}: Layout, overlay: Overlay): string {
  const visiblePath = seenAt(overlay.at);
  const {own, work, lower} = overlay;
  if (lower.length === 0) return bind(join(own, "upper"), visiblePath, ["rbind", ...writableOptions(mounts, own)]);
  if (!existsSync(visiblePath)) makeMountPoint(own, visiblePath);
  return mountLine({from: "assay", at: visiblePath, type: "overlay", options: overlayOptions({lower, own, work})});
}

const sharedMemory = (at: string) => ({
  from: "assay",
  at,
  type: "tmpfs",
  options: ["rw", "nosuid", "nodev", "mode=1777"],
});

function ownDevices(folder: string): string[] {
  for (const name of ["shm", "pts"]) mkdirSync(join(folder, name), {recursive: true});
  for (const [name, target] of Object.entries(DEVICE_LINKS)) {
    if (lstatSync(join(folder, name), {throwIfNoEntry: false}) === undefined) symlinkSync(target, join(folder, name));
  }
  const options = ["newinstance", "ptmxmode=0666", "mode=0620", "nosuid", "noexec"];
  return [
    ...DEVICES.map((name) => `/dev/${name}`)
      .filter((path) => existsSync(path))
      .map((path) => bind(path, join(folder, basename(path)), ["bind"])),
    mountLine(sharedMemory(join(folder, "shm"))),
    mountLine({from: "assay", at: join(folder, "pts"), type: "devpts", options}),
  ];
}

function bind(from: string, at: string, options: readonly string[]): string {
  if (from !== at) makeMountPoint(from, at);
  return mountLine({from, at, type: "none", options});
}

/** A mount point must have the kind of the mounted path: a folder or a file. */
function makeMountPoint(from: string, at: string): void {
  if (!existsSync(at)) {
    mkdirSync(isFolder(from) ? at : dirname(at), {recursive: true});
    if (!isFolder(from)) writeFileSync(at, "");
  }
}
