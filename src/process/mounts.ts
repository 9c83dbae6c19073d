/** Reads the mounted file systems, and writes lines of fstab(5) for `mount --all`. */
import {existsSync, readFileSync, realpathSync, statSync} from "node:fs";
import {join, resolve} from "node:path";

/** proc_pid_mountinfo(5) */
export interface Mount {
  readonly at: string;
  readonly options: readonly string[];
  readonly type: string;
}

/** In mount order; a later mount covers an earlier one at the same path. */
export function currentMounts(): Mount[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [mount = "", system = ""] = line.split(" - ");
      const [, , , , at, options] = mount.split(" ");
      if (at === undefined || options === undefined) return [];
      return [{at: unescapeField(at), options: options.split(","), type: system.split(" ")[0] ?? ""}];
    });
}

/**
 * Options that a bind mount of this path must repeat when it is remounted: a user namespace may not clear them
 * (mount_namespaces(7)).
 */
export function lockedOptions(mounts: readonly Mount[], path: string): string[] {
  const above = mounts.filter(({at}) => isBelow(path, at));
  const nearest = Math.max(...above.map(({at}) => at.length));
  const {options = []} = above.findLast(({at}) => at.length === nearest) ?? {};
  return ["nodev", "noexec"].filter((option) => options.includes(option));
}

/** Mounts that must not be writable once everything is read-only. Devices are always writable. */
export function writableMounts(mounts: readonly Mount[]): string[] {
  const writable = mounts.filter(({at, options, type}) => {
    const kind = options.includes("rw") && type !== "proc" && type !== "nsfs" ? statOf(at) : undefined;
    return kind !== undefined && (kind.isDirectory() || kind.isFile());
  });
  return [...new Set(writable.map(({at}) => at))];
}

/** One line of fstab(5). */
export function mountLine(options: {from: string; at: string; type: string; options: readonly string[]}): string {
  return `${[options.from, options.at, options.type, options.options.join(",")].map(escapeField).join(" ")} 0 0\n`;
}

/** The path with links resolved; for a missing path, the absolute path. */
export function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** True for the folder itself too. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(join(folder, "/"));
}

/** Undefined for a path that cannot be read. */
function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const escapeField = (text: string): string =>
  text.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);

const unescapeField = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
