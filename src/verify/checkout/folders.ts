/** Sees what an install or a stage added to a folder, and carries it into another one without sharing a single file. */
import {mkdir, readdir, rm} from "node:fs/promises";
import {join, relative} from "node:path";
import {runInBackground} from "../../process/background.ts";
import {ownPrograms} from "../../process/own-programs.ts";
import {run} from "../../process/run.ts";
import {ok, type Result, refused} from "../../record/words.ts";

/** Every folder below `root` (`.` first, without `.git`) with the names in it; symbolic links are not followed. */
export async function listFolders(root: string): Promise<Map<string, Set<string>>> {
  const folders = new Map<string, Set<string>>();
  const pending = ["."];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await readdir(join(root, folder), {withFileTypes: true});
    folders.set(folder, new Set(entries.map((entry) => entry.name)));
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== ".git") pending.push(join(folder, entry.name));
    }
  }
  return folders;
}

/** Paths that appeared below `root` since `before` was listed; a new folder is one path. */
export async function addedSince(o: {
  root: string;
  before: ReadonlyMap<string, ReadonlySet<string>>;
}): Promise<string[]> {
  const added: string[] = [];
  for (const [folder, names] of o.before) {
    const now = await readdir(join(o.root, folder)).catch(() => []);
    for (const name of now) if (!names.has(name)) added.push(join(folder, name));
  }
  return added.sort();
}

/**
 * Copies `paths` from one checkout into another, as files of its own: a stage that writes into its dependencies must not
 * reach the next attempt's. `hardLinks` shares the files' content instead, which is faster, for a developer's own folder.
 */
export async function copyPaths(o: {
  from: string;
  to: string;
  paths: readonly string[];
  hardLinks: boolean;
  signal: AbortSignal;
  /** true where nothing may wait for the machine because of it */
  isBackground?: boolean;
}): Promise<Result<null, string>> {
  await mkdir(o.to, {recursive: true});
  for (const path of o.paths) {
    const how = o.hardLinks ? ["-a", "-l"] : ["-a", "--reflink=auto"];
    const copy = [copyProgram(), ...how, "-T", "--", join(o.from, path), join(o.to, path)] as const;
    const argv = o.isBackground === true ? runInBackground(copy) : copy;
    const ran = await run(
      {argv, cwd: o.to, env: {PATH: "/usr/bin:/bin"}},
      {timeoutMs: 600_000, signal: o.signal, isolation: "degraded"},
    );
    if (ran.exit.kind !== "exited" || ran.exit.code !== 0)
      return refused(`${path}: ${ran.output.tail || ran.output.head}`);
  }
  return ok(null);
}

/** Regular files at any depth below `folder`, relative to it; none where there is no such folder. Links are not followed. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {withFileTypes: true, recursive: true}).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({parentPath, name}) => relative(folder, join(parentPath, name)));
}

/** Where there is none, the start says so. */
function copyProgram(): string {
  const found = ownPrograms().find("cp");
  return found.ok ? found.value : "cp";
}

/**
 * Removes folders with the machine's `rm`, which is found now, before anything of a repository runs. Node's own removal takes three
 * times as long for a hundred thousand files; it removes what is left.
 */
export function openRemover(): (folder: string) => Promise<void> {
  const find = () => ownPrograms().find("rm");
  find();
  return async (folder) => {
    const program = find();
    if (program.ok) {
      const command = {argv: [program.value, "-rf", "--", folder] as const, cwd: "/", env: {PATH: "/usr/bin:/bin"}};
      await run(command, {timeoutMs: 600_000, isolation: "degraded"});
    }
    await rm(folder, {recursive: true, force: true, maxRetries: 3});
  };
}

/** So many names are far below what a command line may hold (execve(2)). */
const FILES_AT_ONCE = 1_000;

/**
 * Copies these files below `from`, with their times and the folders that they are in, below `to`, at low priority. False where
 * one was not copied.
 */
export async function copyFiles(o: {
  from: string;
  to: string;
  files: readonly string[];
  signal: AbortSignal;
}): Promise<boolean> {
  await mkdir(o.to, {recursive: true});
  for (let at = 0; at < o.files.length; at += FILES_AT_ONCE) {
    const files = o.files.slice(at, at + FILES_AT_ONCE).map((path) => `./${path}`);
    const ran = await run(
      {
        argv: runInBackground([copyProgram(), "-a", "--reflink=auto", "--parents", "--", ...files, o.to]),
        cwd: o.from,
        env: {PATH: "/usr/bin:/bin"},
      },
      {timeoutMs: 600_000, signal: o.signal, isolation: "degraded"},
    );
    if (ran.exit.kind !== "exited" || ran.exit.code !== 0) return false;
  }
  return true;
}
