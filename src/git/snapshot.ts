/** Makes a git tree of the current files of a folder, committed or not, without using the folder's `.git`. */
import {lstat} from "node:fs/promises";
import {basename, join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {MAX_FILE_BYTES} from "./forbidden-entries.ts";
import {type Git, gitRefused} from "./git.ts";
import {filtersOf, lfsEntryFor, lfsFilesIn} from "./lfs.ts";
import {type IndexEntry, pinEntries, updateIndex, withIndex} from "./private-index.ts";
import type {Repository} from "./repository.ts";

const LONG_MS = 600_000;

/**
 * Writes the folder as a tree into the bot's repository. The folder's `.gitignore` files apply to files that `commit`
 * does not track; its `info/exclude`, its configuration and its index flags do not. Submodules stay as in `commit`.
 * Files of `skipped` that are missing from the folder stay as in `skipped` (sparse checkout). Files of Git LFS become
 * pointers.
 */
export async function snapshotFolder(options: {
  repository: Repository;
  folder: string;
  commit: string;
  leaveOut?: boolean;
  skipped?: readonly IndexEntry[];
}): Promise<Result<string, Failure>> {
  const {folder, leaveOut = false, skipped = []} = options;
  return withIndex(
    {git: options.repository.git, repository: options.repository.folder, commit: options.commit, folder},
    async (index) => {
      const {git, gitlinks} = index;
      const absent = await findAbsent(folder, skipped);
      const entriesKept = await updateIndex(git, absent);
      if (!entriesKept.ok) return entriesKept;
      const pinResult = await pinEntries(
        git,
        absent.map(({path}) => path),
      );
      if (!pinResult.ok) return pinResult;
      const listing = await git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {timeoutMs: LONG_MS});
      if (!listing.ok) return gitRefused(listing.failure);
      const listedPaths = listing.value.split("\0").filter((path) => path !== "");
      const large = await pinLfsFiles({git, folder, paths: listedPaths});
      if (!large.ok) return large;
      const paths = listedPaths.filter((path) => !large.value.has(path));
      const submodulePaths = new Set(gitlinks.map(({path}) => path));
      const problems: {path: string; why: string}[] = [];
      // git shows a nested repository as a folder, with a slash at the end
      for (const path of paths.filter((path) => path.endsWith("/"))) {
        if (!submodulePaths.has(path.slice(0, -1)))
          problems.push({path: path.slice(0, -1), why: "it is a git repository of its own"});
      }
      for (const {path} of gitlinks) {
        const isReplaced = paths.some(
          (other) => other === path || (other.startsWith(`${path}/`) && other !== `${path}/`),
        );
        if (isReplaced) problems.push({path, why: "it replaces a submodule"});
      }
      problems.push(...(await findTooLarge(folder, paths)));
      if (problems.length > 0 && !leaveOut) {
        return refused({kind: "candidate-refused", problems: problems.map(({path, why}) => `${path}: ${why}`)});
      }

      const exclusions = [...gitlinks, ...problems].map(({path}) => `:(top,exclude,literal)${path}\0`);
      const errors = leaveOut ? ["--ignore-errors"] : [];
      const addition = await git(["add", "--all", ...errors, "--pathspec-from-file=-", "--pathspec-file-nul"], {
        input: [":(top)\0", ...exclusions].join(""),
        timeoutMs: LONG_MS,
      });
      if (!addition.ok && !leaveOut) return refused({kind: "candidate-refused", problems: [addition.failure.message]});
      const restoredLinks = await updateIndex(
        git,
        gitlinks.map(({path, id}) => ({mode: "160000", id, path})),
      );
      if (!restoredLinks.ok) return restoredLinks;
      // A partial clone lacks files that are unchanged.
      const tree = await git(["write-tree", "--missing-ok"]);
      return tree.ok ? ok(tree.value.trim()) : gitRefused(tree.failure);
    },
  );
}

/** Puts the pointers of LFS files into the index, so that git does not add their content. Returns the paths. */
async function pinLfsFiles(options: {
  git: Git;
  folder: string;
  paths: readonly string[];
}): Promise<Result<ReadonlySet<string>, Failure>> {
  const {git, folder} = options;
  const none = ok(new Set<string>());
  if (!options.paths.some((path) => basename(path) === ".gitattributes")) return none;
  const filters = await filtersOf({
    git,
    paths: [...new Set(options.paths)].filter((path) => !path.endsWith("/")),
    cached: false,
  });
  if (!filters.ok) return filters;
  const paths = [...filters.value].flatMap(([path, filter]) => (filter === "lfs" ? [path] : []));
  if (paths.length === 0) return none;
  const indexFiles = await lfsFilesIn({git, filters: filters.value});
  if (!indexFiles.ok) return indexFiles;
  const byPath = new Map(indexFiles.value.map((file) => [file.entry.path, file]));
  const entries: IndexEntry[] = [];
  for (const path of paths) {
    const entry = await lfsEntryFor({git, folder, path, known: byPath.get(path)});
    if (!entry.ok) return entry;
    if (entry.value !== null) entries.push(entry.value);
  }
  const pinnedPaths = entries.map(({path}) => path);
  const update = await updateIndex(git, entries);
  const pinResult = update.ok ? await pinEntries(git, pinnedPaths) : update;
  return pinResult.ok ? ok(new Set(pinnedPaths)) : pinResult;
}

async function findAbsent(folder: string, entries: readonly IndexEntry[]): Promise<IndexEntry[]> {
  const absent: IndexEntry[] = [];
  for (const entry of entries) {
    const exists = await lstat(join(folder, entry.path)).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
    );
    if (!exists && entry.mode !== "160000") absent.push(entry);
  }
  return absent;
}

/**
 * Checked before git reads them: adding a file of many gigabytes would take the time that is needed to save the work.
 */
async function findTooLarge(folder: string, paths: readonly string[]): Promise<{path: string; why: string}[]> {
  const problems: {path: string; why: string}[] = [];
  for (const path of paths) {
    const stat = await lstat(join(folder, path)).catch(() => null);
    if (stat?.isFile() && stat.size > MAX_FILE_BYTES) problems.push({path, why: "it is larger than 100 MB"});
  }
  return problems;
}
