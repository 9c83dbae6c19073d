/** Lists the files of a folder, with git or by reading its sub-folders. No code of the folder runs. */
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
/** Outside of a repository the folder may be a whole home or disk. */
const MAX_OUTSIDE = 20_000;
const MAX_LISTING = 64_000_000;
const LISTING_MS = 30_000;
/**
 * Above this size only tracked files are listed: git's index has them, while finding untracked files visits every
 * folder. In bytes of the list (some 20,000 files), because counting the files would take longer.
 */
const MAX_FOR_UNTRACKED = 1_000_000;

/** Folders of installed or built files, skipped if git cannot determine which files are ignored. */
const NOT_SOURCE = new Set([
  ...[".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".nox", ".mypy_cache"],
  ...[".gradle", ".terraform", ".direnv", ".turbo", ".next", ".nuxt", ".svelte-kit", ".dart_tool", ".bundle"],
]);

/** The machine's variables for git. `HOME` leads to a developer's own list of ignored files. */
export interface GitMachine {
  readonly HOME?: string | undefined;
}

interface GitRequest {
  readonly folder: string;
  readonly machine: GitMachine;
  readonly programs: OwnPrograms;
}

export interface Listing {
  readonly files: FileList;
  readonly notes: readonly Note[];
}

/**
 * Lists the tracked files of a git work tree, and the untracked ones that are not ignored. Outside of a work tree, or
 * if git fails, it reads all sub-folders without following symbolic links. Never rejects: the list is empty or has a
 * note.
 */
export async function listFiles(folder: string, machine: GitMachine, programs = ownPrograms()): Promise<Listing> {
  const notes: Note[] = [];
  if (isInWorkTree(folder)) {
    const files = await listWithGit({folder, machine, programs}, notes);
    // A project in a folder that its outer repository ignores has an empty listing.
    if (files !== null && !files.isEmpty) return {files, notes};
    if (files === null)
      notes.push({about: ".", text: "git could not list the files, so all folders were read instead"});
  }
  const max = isInWorkTree(folder) ? MAX_FILES : MAX_OUTSIDE;
  const {paths, isPart} = readFolders(folder, max, notes);
  const where = max === MAX_FILES ? "" : "this is no git repository: ";
  if (isPart) notes.push({about: ".", text: `${where}only the first ${paths.length} files were considered`});
  return {files: createFileList(paths), notes};
}

function isInWorkTree(start: string): boolean {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (dirname(folder) === folder) return false;
  }
}

async function listWithGit(request: GitRequest, notes: Note[]): Promise<FileList | null> {
  const large: Note = {about: ".", text: "this tree is large, so untracked files were not considered"};
  const table = await readIndex(join(request.folder, ".git", "index"), MAX_FOR_UNTRACKED);
  if (table !== null) {
    notes.push(large);
    return viewPathTable(table);
  }
  const trackedFiles = await lsFiles(request, ["--cached"]);
  if (trackedFiles === null) return null;
  const files = parseGitListing(trackedFiles);
  if (trackedFiles.length > MAX_FOR_UNTRACKED) {
    notes.push(large);
    return files;
  }
  const untrackedFiles = await lsFiles(request, ["--others", "--exclude-standard"]);
  return untrackedFiles === null
    ? null
    : createFileList([...files.below("."), ...parseGitListing(untrackedFiles).below(".")]);
}

/**
 * The output of `git ls-files`, or null. Git writes to an unlinked file: a pipe would fill up and block git until this
 * process, which is busy with loading its modules, reads it.
 */
async function lsFiles(request: GitRequest, options: readonly string[]): Promise<Buffer | null> {
  let descriptor: number | null = null;
  try {
    const scratch = mkdtempSync(join(tmpdir(), "assay-list-"));
    const file = join(scratch, "paths");
    descriptor = openSync(file, "wx+");
    unlinkSync(file);
    rmdirSync(scratch);
    const exitCode = await runLsFiles(request, options, descriptor);
    const {size} = fstatSync(descriptor);
    if (exitCode !== 0 || size > MAX_LISTING) return null;
    const output = Buffer.allocUnsafe(size);
    return output.subarray(0, readSync(descriptor, output, 0, size, 0));
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

async function runLsFiles(request: GitRequest, options: readonly string[], output: number): Promise<number | null> {
  // Most large trees are listed without a child process.
  const {spawn} = await import("node:child_process");
  // A repository's own configuration can name programs that git starts while it lists; none of them may run.
  const safe = ["-c", "core.fsmonitor=false", "-c", `core.hooksPath=${NOWHERE}`];
  const {folder, programs, machine} = request;
  const program = programs.find("git");
  if (!program.ok) return null;
  return new Promise((resolve) => {
    const git = spawn(program.value, [...safe, "ls-files", "-z", ...options], {
      cwd: folder,
      env: {
        GIT_TERMINAL_PROMPT: "0",
        GIT_OPTIONAL_LOCKS: "0",
        LC_ALL: "C",
        PATH: programs.path,
        ...(machine.HOME !== undefined && {HOME: machine.HOME}),
      },
      stdio: ["ignore", output, "ignore"],
      timeout: LISTING_MS,
    });
    git.on("error", () => resolve(null));
    git.on("exit", resolve);
  });
}

/** The files below a folder, the nearest first; at most `max`, in at most as many folders. */
function readFolders(top: string, max: number, notes: Note[]): {paths: string[]; isPart: boolean} {
  const paths: string[] = [];
  const folders = [""];
  let isPart = false;
  for (const folder of folders) {
    isPart = paths.length > max || folders.length > max;
    if (isPart) break;
    try {
      for (const entry of readdirSync(join(top, folder), {withFileTypes: true})) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!NOT_SOURCE.has(entry.name)) folders.push(path);
        } else if (entry.isFile() || entry.isSymbolicLink()) paths.push(path);
      }
    } catch {
      notes.push({about: folder === "" ? "." : folder, text: "this folder could not be listed"});
    }
  }
  return {paths: paths.slice(0, max), isPart: isPart || paths.length > max};
}
