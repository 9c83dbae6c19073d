/** Lists the files of a folder: by git where it knows them, else by a walk. Nothing of the folder runs. */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {NOWHERE, type OwnPrograms, ownPrograms} from "../../process/own-programs.ts";
import type {Note} from "../../record/plan.ts";
import {createFileList, type FileList, parseGitListing, viewPathTable} from "./file-list.ts";
import {readIndex} from "./git-index.ts";

const MAX_FILES = 250_000;
const MAX_LISTING = 64_000_000;
const LISTING_MS = 30_000;
/**
 * Finding untracked files means to visit every folder; the tracked ones stand in git's index. In bytes of the list, because to count
 * the files would take longer: some 20,000 of them.
 */
const MAX_FOR_UNTRACKED = 1_000_000;

/** Folders that hold installed or built files; only asked where git cannot say what is ignored. */
const NOT_SOURCE = new Set([
  ...[".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".nox", ".mypy_cache"],
  ...[".gradle", ".terraform", ".direnv", ".turbo", ".next", ".nuxt", ".svelte-kit", ".dart_tool", ".bundle"],
]);

/** What git is given of the machine. `HOME` names a developer's own list of ignored files. */
export interface GitMachine {
  readonly HOME?: string | undefined;
}

interface Listed {
  readonly folder: string;
  readonly machine: GitMachine;
  readonly programs: OwnPrograms;
}

export interface Listing {
  readonly files: FileList;
  readonly notes: readonly Note[];
}

/**
 * Starts to list `folder` at once, and gives the list later. In a git work tree: the tracked files and the untracked ones that
 * are not ignored; elsewhere, or where git refuses, a walk that follows no symbolic link. Never rejects: what cannot be listed is
 * an empty list, or a note.
 */
export async function listFiles(folder: string, machine: GitMachine, programs = ownPrograms()): Promise<Listing> {
  const notes: Note[] = [];
  if (insideGit(folder)) {
    const listed = await listWithGit({folder, machine, programs}, notes);
    // A folder that its outer repository ignores lists as empty, and is still a project of its own.
    if (listed !== null && !listed.isEmpty) return {files: listed, notes};
    if (listed === null)
      notes.push({about: ".", text: "git could not list the files; the folders were walked instead"});
  }
  const walked = walk(folder, notes);
  if (walked.length > MAX_FILES) notes.push({about: ".", text: `only the first ${MAX_FILES} files were looked at`});
  return {files: createFileList(walked.slice(0, MAX_FILES)), notes};
}

function insideGit(folder: string): boolean {
  for (let here = folder; ; here = dirname(here)) {
    if (existsSync(join(here, ".git"))) return true;
    if (dirname(here) === here) return false;
  }
}

async function listWithGit(o: Listed, notes: Note[]): Promise<FileList | null> {
  const large: Note = {about: ".", text: "this tree is large: only tracked files were looked at"};
  const names = await readIndex(join(o.folder, ".git", "index"), MAX_FOR_UNTRACKED);
  if (names !== null) {
    notes.push(large);
    return viewPathTable(names);
  }
  const tracked = await lsFiles({...o, which: ["--cached"]});
  if (tracked === null) return null;
  const files = parseGitListing(tracked);
  if (tracked.length > MAX_FOR_UNTRACKED) {
    notes.push(large);
    return files;
  }
  const untracked = await lsFiles({...o, which: ["--others", "--exclude-standard"]});
  return untracked === null ? null : createFileList([...files.below("."), ...parseGitListing(untracked).below(".")]);
}

/**
 * What git prints, or null. It prints into a file that has no name any more: a pipe is soon full, and git would wait until this
 * process, busy with loading its own modules, has the time to empty it.
 */
async function lsFiles(o: Listed & {which: readonly string[]}): Promise<Buffer | null> {
  let opened: number | null = null;
  try {
    const scratch = mkdtempSync(join(tmpdir(), "assay-list-"));
    const file = join(scratch, "paths");
    opened = openSync(file, "wx+");
    unlinkSync(file);
    rmdirSync(scratch);
    const code = await exitOf({...o, output: opened});
    const {size} = fstatSync(opened);
    if (code !== 0 || size > MAX_LISTING) return null;
    const printed = Buffer.allocUnsafe(size);
    return printed.subarray(0, readSync(opened, printed, 0, size, 0));
  } catch {
    return null;
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

async function exitOf(o: Listed & {which: readonly string[]; output: number}): Promise<number | null> {
  // Most large trees are listed without it.
  const {spawn} = await import("node:child_process");
  // A repository's own config can name programs that git starts while it lists; none of them may run.
  const safe = ["-c", "core.fsmonitor=false", "-c", `core.hooksPath=${NOWHERE}`];
  const {programs} = o;
  const {HOME} = o.machine;
  const program = programs.find("git");
  if (!program.ok) return null;
  return new Promise((resolve) => {
    const git = spawn(program.value, [...safe, "ls-files", "-z", ...o.which], {
      cwd: o.folder,
      env: {
        GIT_TERMINAL_PROMPT: "0",
        GIT_OPTIONAL_LOCKS: "0",
        LC_ALL: "C",
        PATH: programs.path,
        ...(HOME !== undefined && {HOME}),
      },
      stdio: ["ignore", o.output, "ignore"],
      timeout: LISTING_MS,
    });
    git.on("error", () => resolve(null));
    git.on("exit", resolve);
  });
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
