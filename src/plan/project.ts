/** Opens a folder as a `Project`: lists its files and reads them, within bounds, without running anything of it. */
import {spawnSync} from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import {dirname, join, relative, sep} from "node:path";
import type {Note} from "../record/plan.ts";
import {type Bytes, type Project, viewFiles} from "./view.ts";

const MAX_FILES = 250_000;
const MAX_BYTES = 1_000_000;
const MAX_LISTING = 64_000_000;
const LISTING_MS = 30_000;
/** Finding untracked files means to visit every folder; the tracked ones stand in git's index. */
const MAX_FOR_UNTRACKED = 20_000;

/** Folders that hold installed or built files; only asked where git cannot say what is ignored. */
const NOT_SOURCE = new Set([
  ...[".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".nox", ".mypy_cache"],
  ...[".gradle", ".terraform", ".direnv", ".turbo", ".next", ".nuxt", ".svelte-kit", ".dart_tool", ".bundle"],
]);

/** Variables of the machine by which git is found; all others are kept from it. */
interface Programs {
  readonly PATH?: string | undefined;
  readonly HOME?: string | undefined;
}

/**
 * Opens the view of `folder`. In a git work tree: the tracked files and the untracked ones that are not ignored; elsewhere,
 * or where git refuses, a walk that follows no symbolic link. `programs.PATH` is where git is looked for.
 * Never throws: a folder that cannot be listed is an empty project with a note.
 */
export function openProject(folder: string, programs: Programs = {}): Project {
  const notes: Note[] = [];
  const listed = insideGit(folder) ? listWithGit(folder, programs, notes) : null;
  if (insideGit(folder) && listed === null)
    notes.push({about: ".", text: "git could not list the files; the folders were walked instead"});
  // A folder that its outer repository ignores lists as empty, and is still a project of its own.
  const files = listed !== null && listed.length > 0 ? listed : walk(folder, notes);
  if (files.length > MAX_FILES) notes.push({about: ".", text: `only the first ${MAX_FILES} files were looked at`});
  const top = existsSync(folder) ? realpathSync(folder) : folder;
  return viewFiles({files: files.slice(0, MAX_FILES), read: reader(top), notes});
}

function insideGit(folder: string): boolean {
  for (let here = folder; ; here = dirname(here)) {
    if (existsSync(join(here, ".git"))) return true;
    if (dirname(here) === here) return false;
  }
}

function listWithGit(folder: string, programs: Programs, notes: Note[]): string[] | null {
  const tracked = lsFiles({folder, programs, which: ["--cached"]});
  if (tracked === null) return null;
  if (tracked.length > MAX_FOR_UNTRACKED) {
    notes.push({about: ".", text: "this tree is large: only tracked files were looked at"});
    return tracked;
  }
  const untracked = lsFiles({folder, programs, which: ["--others", "--exclude-standard"]});
  return untracked === null ? null : [...tracked, ...untracked];
}

function lsFiles(o: {folder: string; programs: Programs; which: readonly string[]}): string[] | null {
  // A repository's own config can name programs that git starts while it lists; none of them may run.
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const ran = spawnSync("git", [...safe, "ls-files", "-z", ...o.which], {
    cwd: o.folder,
    env: {GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C", ...definedOnly(o.programs)},
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: MAX_LISTING,
    timeout: LISTING_MS,
  });
  if (ran.status !== 0) return null;
  // Unmerged paths are listed once per side, one after the other.
  return ran.stdout
    .toString("utf8")
    .split("\0")
    .filter((path, i, all) => path !== "" && path !== all[i - 1]);
}

function definedOnly(values: Programs): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) if (value !== undefined) defined[key] = value;
  return defined;
}

function walk(folder: string, notes: Note[]): string[] {
  const files: string[] = [];
  const waiting = [""];
  for (let next = waiting.pop(); next !== undefined && files.length <= MAX_FILES; next = waiting.pop()) {
    try {
      for (const entry of readdirSync(join(folder, next), {withFileTypes: true})) {
        const path = next === "" ? entry.name : `${next}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!NOT_SOURCE.has(entry.name)) waiting.push(path);
        } else if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
      }
    } catch {
      notes.push({about: next === "" ? "." : next, text: "this folder could not be listed"});
    }
  }
  return files;
}

/** Reads files below `top`. The plain way asks the kernel little; whatever has a link in it goes the careful way. */
function reader(top: string): (path: string) => Bytes {
  const plainFolders = new Map<string, boolean>([["", true]]);
  const isPlain = (folder: string): boolean => {
    const known = plainFolders.get(folder);
    if (known !== undefined) return known;
    const above = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
    const plain = isPlain(above) && (lstatSync(join(top, folder), {throwIfNoEntry: false})?.isDirectory() ?? false);
    plainFolders.set(folder, plain);
    return plain;
  };
  return (path) => {
    const plain = isPlain(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
    return (plain ? readOpened(join(top, path)) : null) ?? readLinked(top, path);
  };
}

/** Null for what is no plain file to be opened, such as a link. A pipe does not keep us waiting. */
function readOpened(file: string): Bytes | null {
  try {
    const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = fstatSync(opened);
      const no = refusal(found);
      if (no !== null) return no;
      const bytes = Buffer.alloc(found.size);
      return {kind: "bytes", bytes: bytes.subarray(0, readSync(opened, bytes))};
    } finally {
      closeSync(opened);
    }
  } catch {
    return null;
  }
}

function refusal(found: Stats): Bytes | null {
  if (!found.isFile()) return {kind: "none", why: "it is not a regular file"};
  return found.size > MAX_BYTES ? {kind: "none", why: "it is larger than 1 MB"} : null;
}

function readLinked(top: string, path: string): Bytes {
  try {
    // A link, of the file or of a folder above it, may lead to a device, a pipe, or a file that is no part of the project.
    const real = realpathSync.native(join(top, path));
    const way = relative(top, real);
    if (way === ".." || way.startsWith(`..${sep}`))
      return {kind: "none", why: "it is a link that leads out of the project"};
    return refusal(statSync(real)) ?? {kind: "bytes", bytes: readFileSync(real)};
  } catch {
    return {kind: "none", why: "it is not there, or may not be read"};
  }
}
