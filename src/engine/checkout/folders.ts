/** Lists what an install or a stage added to a folder, copies files between folders, and removes folders. */
import {mkdir, readdir, rm} from "node:fs/promises";
import {basename, dirname, join, relative} from "node:path";
import {runInBackground} from "../../process/background.ts";
import {ownProgram, ownPrograms} from "../../process/own-programs.ts";
import {run} from "../../process/run.ts";
import {ok, type Result, refused} from "../../record/words.ts";

/** Every folder below `root` (`.` first, without `.git`) with the names in it; symbolic links are not followed. */
export async function listFolders(root: string): Promise<Map<string, Set<string>>> {
  const folders = new Map<string, Set<string>>();
  const pendingFolders = ["."];
  for (let folder = pendingFolders.pop(); folder !== undefined; folder = pendingFolders.pop()) {
    const entries = await readdir(join(root, folder), {withFileTypes: true});
    folders.set(folder, new Set(entries.map((entry) => entry.name)));
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== ".git") pendingFolders.push(join(folder, entry.name));
    }
  }
  return folders;
}

/** The folders of a list of files, in the same form. */
export function foldersOf(files: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>([[".", new Set()]]);
  for (const file of files) {
    for (let path = file; path !== "."; path = dirname(path)) {
      const names = folders.get(dirname(path)) ?? new Set();
      folders.set(dirname(path), names.add(basename(path)));
    }
  }
  return folders;
}

/** Paths that appeared below `root` since `before` was listed; a new folder is one path. */
export async function addedSince(root: string, before: ReadonlyMap<string, ReadonlySet<string>>): Promise<string[]> {
  const addedFolders: string[] = [];
  for (const [folder, names] of before) {
    const current = await readdir(join(root, folder)).catch(() => []);
    for (const name of current) if (!names.has(name)) addedFolders.push(join(folder, name));
  }
  return addedFolders.sort();
}

/** A command line may contain far more names (execve(2)). */
const PATHS_AT_ONCE = 1_000;

/**
 * Copies files and folders from one folder to another, with their times and parent folders. A stage that writes into
 * its dependencies must not affect the next attempt's. `hardLinks` shares the files' content instead, which is faster,
 * for a developer's own folder; where that is refused (another file system, another owner: link(2)), it is copied.
 */
export async function copyPaths(options: {
  from: string;
  to: string;
  paths: readonly string[];
  hardLinks?: boolean;
  signal: AbortSignal;
  /** runs the copy at low priority */
  isBackground?: boolean;
}): Promise<Result<null, string>> {
  await mkdir(options.to, {recursive: true});
  // A file that is linked already cannot be copied onto itself.
  const modes = options.hardLinks ? [["--link"], ["--reflink=auto", "--remove-destination"]] : [["--reflink=auto"]];
  for (let offset = 0; offset < options.paths.length; offset += PATHS_AT_ONCE) {
    const paths = options.paths.slice(offset, offset + PATHS_AT_ONCE).map((path) => `./${path}`);
    let failure: string | null = "";
    for (const mode of modes) {
      if (failure === null || options.signal.aborted) break;
      const copy = [ownProgram("cp"), "-a", ...mode, "--parents", "--", ...paths, options.to] as const;
      const argv = options.isBackground === true ? runInBackground(copy) : copy;
      failure = await runTool(argv, options.from, options.signal);
    }
    if (failure !== null) return refused(failure || "cancelled");
  }
  return ok(null);
}

/** Runs one of Assay's own programs. Returns its output if it failed, else null. */
async function runTool(
  argv: readonly [string, ...string[]],
  cwd: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const command = {argv, cwd, env: {PATH: "/usr/bin:/bin"}};
  const {exit, output} = await run(command, {timeoutMs: 600_000, ...(signal && {signal}), isolation: "degraded"});
  return exit.kind === "exited" && exit.code === 0 ? null : output.tail || output.head;
}

/**
 * Regular files at any depth below `folder`, relative to it; empty if there is no such folder. Links are not followed.
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {withFileTypes: true, recursive: true}).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({parentPath, name}) => relative(folder, join(parentPath, name)));
}

/** A removal mostly waits for the disk: with 2,000 files on a busy one, four programs took half the time of one. */
const REMOVERS = 4;
/** Enough folders for an even division. A smaller tree is not worth the start of four programs. */
const DIVIDED_FOLDERS = 64;

/**
 * Removes folders with the machine's `rm`, which is located now, before any code of a repository runs. Node's own
 * removal takes three times as long for a hundred thousand files; it removes what `rm` could not.
 */
export function openRemover(): (folder: string) => Promise<void> {
  const find = () => ownPrograms().find("rm");
  find();
  return async (folder) => {
    const program = find();
    if (program.ok) {
      const parts = await partsOf(folder);
      const shares = Array.from({length: REMOVERS}, (_, share) => parts.filter((_, part) => part % REMOVERS === share));
      const neededShares = shares.filter((paths) => paths.length > 0);
      await Promise.all(neededShares.map((paths) => runTool([program.value, "-rf", "--", ...paths], "/")));
    }
    await rm(folder, {recursive: true, force: true, maxRetries: 3});
  };
}

/** Folders that together contain most of a large folder, or the folder itself; links are not followed. */
async function partsOf(folder: string): Promise<string[]> {
  let parts = [folder];
  while (parts.length < DIVIDED_FOLDERS) {
    const below = await Promise.all(parts.map(foldersIn));
    if (below.flat().length === 0) return [folder];
    parts = parts.flatMap((part, index) => (below[index]?.length ? below[index] : [part]));
  }
  return parts.length > PATHS_AT_ONCE ? [folder] : parts;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({name}) => join(folder, name));
}
