/** The programs that Assay runs for itself. Each is located once, and refused if its file changes later. */
import {type BigIntStats, readFileSync, realpathSync, statSync} from "node:fs";
import {delimiter, dirname, isAbsolute, join} from "node:path";
import {ok, type Result, refused} from "../record/words.ts";
import {findProgram, isWritable, SYSTEM_FOLDERS} from "./isolation.ts";

/** Where operating systems and package managers put programs, with the system's own folders first. */
const SEARCHED_FOLDERS = [
  ...["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"],
  ...["/opt/homebrew/bin", "/run/current-system/sw/bin", "/nix/var/nix/profiles/default/bin"],
];
/** A larger file is not hashed. Only Node is larger, and a running program cannot be written (ETXTBSY, open(2)). */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

export interface OwnPrograms {
  /** the PATH of these programs: git starts `sh` and its helpers by name */
  readonly path: string;
  /** The absolute path of a program, or a sentence that explains why it cannot be used. */
  find(name: string): Result<string, string>;
  /** The same for a file with a known path. */
  use(file: string): Result<string, string>;
  /** Records the hashes, once. Must be called before the first command of a repository or an agent. */
  seal(): void;
  /** A sentence for each known program whose file has changed. Must be checked before results count. */
  changed(): string[];
}

interface ProgramFile {
  readonly stat: BigIntStats;
  /** null for a large file, and before hashes are recorded */
  readonly hash: string | null;
}

/**
 * `first`, the PATH of a terminal, is searched before all other folders. Without it, the system's folders come first,
 * then those of `otherwise`, the runner's PATH; among these, programs that this user cannot change are preferred.
 */
export function openPrograms(options: {readonly first?: string; readonly otherwise?: string}): OwnPrograms {
  const files = new Map<string, string | null>();
  const knownPrograms = new Map<string, ProgramFile>();
  let isSealed = false;

  function use(file: string): Result<string, string> {
    try {
      const stat = statSync(file, {bigint: true});
      const previous = knownPrograms.get(file);
      const current =
        previous === undefined ? {stat, hash: isSealed ? hashOf(file, stat) : null} : sameProgram(previous, file, stat);
      if (current === null) return refused(`${file} was changed after Assay had started; it is not used any more`);
      if (current !== previous) knownPrograms.set(file, current);
      return ok(file);
    } catch {
      return refused(
        knownPrograms.has(file) ? `${file} was removed after Assay had started` : `there is no program ${file}`,
      );
    }
  }

  return {
    path: SYSTEM_FOLDERS,
    find(name) {
      const file = files.has(name) ? (files.get(name) ?? null) : search(name, options);
      files.set(name, file);
      return file === null ? refused(`${name} is not installed on this machine`) : use(file);
    },
    use,
    seal() {
      if (isSealed) return;
      isSealed = true;
      for (const [file, {stat}] of knownPrograms) knownPrograms.set(file, {stat, hash: hashOf(file, stat)});
    },
    changed: () =>
      [...knownPrograms.keys()].flatMap((file) => {
        const lookup = use(file);
        return lookup.ok ? [] : [lookup.failure];
      }),
  };
}

/** The program's current data; null if it is another file. A hard link or a change of rights changes only `ctime`. */
function sameProgram(previous: ProgramFile, file: string, stat: BigIntStats): ProgramFile | null {
  const differs = (["dev", "ino", "size", "mtimeNs"] as const).some((field) => previous.stat[field] !== stat[field]);
  if (differs) return null;
  if (previous.stat.ctimeNs === stat.ctimeNs) return previous;
  return hashOf(file, stat) === previous.hash ? {stat, hash: previous.hash} : null;
}

function hashOf(file: string, {size}: BigIntStats): string | null {
  if (size > MAX_HASHED_BYTES) return null;
  // Loaded on demand, because most terminal commands hash nothing.
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(readFileSync(file)).digest("hex");
}

function search(name: string, {first, otherwise}: {first?: string; otherwise?: string}): string | null {
  // A relative or empty folder means the working folder, where a change could put its own git.
  const foldersOf = (path: string) => path.split(delimiter).filter((folder) => isAbsolute(folder));
  const findIn = (folder: string) => findProgram(name, {cwd: "/", path: folder}) ?? [];
  const preferredPrograms = foldersOf(first ?? "").flatMap(findIn);
  const otherPrograms = [...SEARCHED_FOLDERS, ...foldersOf(otherwise ?? "")].flatMap(findIn);
  return preferredPrograms[0] ?? otherPrograms.find(isGuarded) ?? otherPrograms[0] ?? null;
}

/** True if this user can neither write nor replace the program. */
function isGuarded(file: string): boolean {
  const real = realpathSync(file);
  return ![file, real].some((path) => isOwned(path) || isReplaceable(dirname(path)));
}

/** True for a folder that this user can write or replace. */
function isReplaceable(folder: string): boolean {
  return isOwned(folder) || (dirname(folder) !== folder && isReplaceable(dirname(folder)));
}

/** An owner can give themselves write access. For root all folders are writable, so none is preferred. */
const isOwned = (path: string): boolean => isWritable(path) || statSync(path).uid === process.getuid?.();

let current: OwnPrograms | undefined;

/** The programs of this process. */
export function ownPrograms(): OwnPrograms {
  current ??= openPrograms({});
  return current;
}

/** Sets once, at the start, where this process searches; see `openPrograms`. */
export function choosePrograms(options: Parameters<typeof openPrograms>[0]): void {
  current = openPrograms(options);
}

/**
 * For a program before a command. If it is missing or changed, this is its usual path, and the failed start reports the
 * reason.
 */
export function ownProgram(name: string): string {
  const program = ownPrograms().find(name);
  return program.ok ? program.value : `/usr/bin/${name}`;
}

/** A path below a file. It never exists, and not even root can create it (ENOTDIR, path_resolution(7)). */
export const NOWHERE = join(process.execPath, "none");

/**
 * Null if `/dev/null` is a device. Root can replace it with a file by accident, for example with `git config --global`.
 */
export function deviceProblem(file = "/dev/null"): {readonly what: string; readonly fix: string} | null {
  const stat = statSync(file, {throwIfNoEntry: false});
  if (stat?.isCharacterDevice() || process.platform === "win32") return null;
  const problem = `${file} is ${stat === undefined ? "missing" : "not a device"}, so commands that discard their output do not work as they should`;
  return {what: problem, fix: `put it back: \`sudo rm -f ${file} && sudo mknod -m 666 ${file} c 1 3\``};
}
