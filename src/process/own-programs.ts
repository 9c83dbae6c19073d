/** The programs that Assay starts for itself: each is found once, and refused when it is another file later. */
import {type BigIntStats, readFileSync, realpathSync, statSync} from "node:fs";
import {delimiter, dirname, isAbsolute, join} from "node:path";
import {ok, type Result, refused} from "../record/words.ts";
import {findProgram, isWritable, SYSTEM_FOLDERS} from "./isolation.ts";

/** Where operating systems and package managers of the machine put programs; `SYSTEM_FOLDERS` with the system's own first. */
const SEARCHED = [
  ...["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"],
  ...["/opt/homebrew/bin", "/run/current-system/sw/bin", "/nix/var/nix/profiles/default/bin"],
];
/** A larger file is not hashed: of these there is only Node, and nobody can write into a program that runs (ETXTBSY, open(2)). */
const MOST_HASHED_BYTES = 16 * 1024 * 1024;

export interface OwnPrograms {
  /** the PATH of these programs: git starts `sh` and its helpers by name */
  readonly path: string;
  /** The absolute path of a program, or the sentence that says why it cannot be used. */
  find(name: string): Result<string, string>;
  /** The same for a file whose place is known. */
  use(file: string): Result<string, string>;
  /** Takes the hashes, once: to be called before the first command of a repository or an agent. */
  seal(): void;
  /** A sentence for each known program that is not the file that it was; to be asked before results count. */
  changed(): string[];
}

interface Known {
  readonly stat: BigIntStats;
  /** null for a large file, and before they are taken */
  readonly hash: string | null;
}

/**
 * `first` is searched before anything else, in order: the PATH of a person's terminal. Without it, the system's folders come
 * first, then those of `otherwise` (the runner's PATH); of both, programs that this user cannot change are preferred.
 */
export function openPrograms(o: {readonly first?: string; readonly otherwise?: string}): OwnPrograms {
  const found = new Map<string, string | null>();
  const known = new Map<string, Known>();
  let isSealed = false;

  function use(file: string): Result<string, string> {
    try {
      const stat = statSync(file, {bigint: true});
      const before = known.get(file);
      const now =
        before === undefined ? {stat, hash: isSealed ? hashOf(file, stat) : null} : sameProgram(before, {file, stat});
      if (now === null) return refused(`${file} was changed after Assay had started; it is not used any more`);
      if (now !== before) known.set(file, now);
      return ok(file);
    } catch {
      return refused(known.has(file) ? `${file} was removed after Assay had started` : `there is no program ${file}`);
    }
  }

  return {
    path: SYSTEM_FOLDERS,
    find(name) {
      const file = found.has(name) ? (found.get(name) ?? null) : search(name, o);
      found.set(name, file);
      return file === null ? refused(`${name} is not installed on this machine`) : use(file);
    },
    use,
    seal() {
      if (isSealed) return;
      isSealed = true;
      for (const [file, {stat}] of known) known.set(file, {stat, hash: hashOf(file, stat)});
    },
    changed: () =>
      [...known.keys()].flatMap((file) => {
        const used = use(file);
        return used.ok ? [] : [used.failure];
      }),
  };
}

/** What is known of the program now, null where it is another. A hard link or a change of rights touches nothing but `ctime`. */
function sameProgram(before: Known, now: {file: string; stat: BigIntStats}): Known | null {
  const {stat, file} = now;
  const differs = (["dev", "ino", "size", "mtimeNs"] as const).some((field) => before.stat[field] !== stat[field]);
  if (differs) return null;
  if (before.stat.ctimeNs === stat.ctimeNs) return before;
  return hashOf(file, stat) === before.hash ? {stat, hash: before.hash} : null;
}

function hashOf(file: string, {size}: BigIntStats): string | null {
  if (size > MOST_HASHED_BYTES) return null;
  // Loaded late: most calls of the command line hash nothing.
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(readFileSync(file)).digest("hex");
}

function search(name: string, {first, otherwise}: {first?: string; otherwise?: string}): string | null {
  // A relative folder, or an empty one, is the working folder: a change could put its own git there.
  const foldersOf = (path: string) => path.split(delimiter).filter((folder) => isAbsolute(folder));
  const inFolder = (folder: string) => findProgram(name, {cwd: "/", path: folder}) ?? [];
  const preferred = foldersOf(first ?? "").flatMap(inFolder);
  const others = [...SEARCHED, ...foldersOf(otherwise ?? "")].flatMap(inFolder);
  return preferred[0] ?? others.find(isGuarded) ?? others[0] ?? null;
}

/** True where this user can neither write the program nor put another in its place. */
function isGuarded(file: string): boolean {
  const real = realpathSync(file);
  return ![file, real].some((path) => isMine(path) || isReplaceable(dirname(path)));
}

/** True for a folder that this user can write, or can exchange as a whole. */
function isReplaceable(folder: string): boolean {
  return isMine(folder) || (dirname(folder) !== folder && isReplaceable(dirname(folder)));
}

/** An owner can give himself the rights. Root can do everything everywhere, and no folder is better than another. */
const isMine = (path: string): boolean => isWritable(path) || statSync(path).uid === process.getuid?.();

let current: OwnPrograms | undefined;

/** The programs of this process. */
export function ownPrograms(): OwnPrograms {
  current ??= openPrograms({});
  return current;
}

/** Says once, at the start, where this process looks for them; see `openPrograms`. */
export function choosePrograms(o: Parameters<typeof openPrograms>[0]): void {
  current = openPrograms(o);
}

/** For what stands in front of a command. One that is missing or was changed gets its usual place: whoever starts it is told why it fails. */
export function ownProgram(name: string): string {
  const found = ownPrograms().find(name);
  return found.ok ? found.value : `/usr/bin/${name}`;
}

/** A path below a program: nothing is there, and nobody, root included, can put a file there (ENOTDIR, path_resolution(7)). */
export const NOWHERE = join(process.execPath, "none");

/** Null where `/dev/null` is what it should be. Root can put a file in its place by accident, such as with `git config --global`. */
export function deviceProblem(file = "/dev/null"): {readonly what: string; readonly fix: string} | null {
  const stat = statSync(file, {throwIfNoEntry: false});
  if (stat?.isCharacterDevice() || process.platform === "win32") return null;
  const what = `${file} is ${stat === undefined ? "missing" : "not a device"}, so commands that discard their output do not work as they should`;
  return {what, fix: `put it back: \`sudo rm -f ${file} && sudo mknod -m 666 ${file} c 1 3\``};
}
