/** Makes a git tree of the current files of a folder, committed or not, without using the folder's `.git`. */
import {randomUUID} from "node:crypto";
import {copyFile, lstat, readdir, rm, stat, utimes} from "node:fs/promises";
import {basename, dirname, join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {listSome, ok, type Result, refused} from "../record/words.ts";
import {MAX_FILE_BYTES} from "./forbidden-entries.ts";
import {type Git, gitRefused} from "./git.ts";
import {filtersOf, lfsEntryFor, lfsFilesIn} from "./lfs.ts";
import type {FolderIndex, TreeSettings} from "./local-state.ts";
import {
  type Gitlink,
  type IndexEntry,
  isGitlink,
  type PrivateIndex,
  pinEntries,
  updateIndex,
  withIndex,
} from "./private-index.ts";
import type {Repository} from "./repository.ts";

const LONG_MS = 600_000;

/** What decides how git turns a person's own folder into a tree: the index and the settings. */
export interface OwnFolder extends Pick<FolderIndex, "tracked" | "unmerged" | "unwatched">, TreeSettings {}

/**
 * Writes the folder as a tree into the bot's repository. The folder's `.gitignore` files apply to files that `commit`
 * does not track; its `info/exclude`, its configuration and its index flags do not. Submodules stay as in `commit`.
 * Files of `skipped` that are missing from the folder stay as in `skipped` (sparse checkout). Files of Git LFS become
 * pointers. With `own`, the tree must be the one that git makes of the person's index.
 */
export async function snapshotFolder(options: {
  repository: Repository;
  folder: string;
  commit: string;
  leaveOut?: boolean;
  skipped?: readonly IndexEntry[];
  own?: OwnFolder;
}): Promise<Result<string, Failure>> {
  const {repository, folder, commit, leaveOut = false, skipped = [], own} = options;
  return withIndex(
    {git: repository.git, repository: own?.gitDir ?? repository.folder, commit, folder},
    async (index) => {
      const {gitlinks} = index;
      const git: Git = (args, call) => index.git([...(own?.settings ?? []), ...args], call);
      const absent = await findAbsent(folder, skipped);
      const asTracked = own === undefined ? ok(null) : await updateIndex(git, trackedAs({own, skipped, index}));
      if (!asTracked.ok) return asTracked;
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
      const tree = await addAll(git, {gitlinks, exclusions, leaveOut});
      if (!tree.ok || own === undefined) return tree;
      const unlike = new Set([...own.unwatched.map(({path}) => path), ...own.unmerged, ...large.value]);
      return sameAsGit({...options, own, gitlinks, exclusions, tree: tree.value, unlike});
    },
  );
}

/** Adds the folder's files to the index, except the exclusions, and writes the tree. Submodules stay at `gitlinks`. */
async function addAll(
  git: Git,
  {gitlinks, exclusions, leaveOut}: {gitlinks: readonly Gitlink[]; exclusions: readonly string[]; leaveOut: boolean},
): Promise<Result<string, Failure>> {
  const errors = leaveOut ? ["--ignore-errors"] : [];
  const addition = await git(["add", "--all", ...errors, "--pathspec-from-file=-", "--pathspec-file-nul"], {
    input: [":(top)\0", ...exclusions].join(""),
    timeoutMs: LONG_MS,
  });
  if (!addition.ok && !leaveOut) return refused({kind: "candidate-refused", problems: [addition.failure.message]});
  const linked = await updateIndex(
    git,
    gitlinks.map(({path, id}) => ({mode: "160000", id, path})),
  );
  if (!linked.ok) return linked;
  // A partial clone lacks files that are unchanged.
  const tree = await git(["write-tree", "--missing-ok"]);
  return tree.ok ? ok(tree.value.trim()) : gitRefused(tree.failure);
}

/**
 * Makes the tree again with a copy of the person's index, as git does, and fails if other paths differ than those whose
 * changes git does not look for.
 */
async function sameAsGit(options: {
  repository: Repository;
  folder: string;
  own: OwnFolder;
  gitlinks: readonly Gitlink[];
  exclusions: readonly string[];
  tree: string;
  unlike: ReadonlySet<string>;
}): Promise<Result<string, Failure>> {
  const {repository, folder, own, gitlinks, tree} = options;
  const {gitDir} = own;
  const index = join(gitDir, `index-${randomUUID()}`);
  // Files that are there although they are left out count, as in a sparse checkout (git-sparse-checkout).
  const settings = [...own.settings, "-c", "core.sparseCheckout=true"];
  const git: Git = (args, call) => repository.git([...settings, ...args], {...call, gitDir, workTree: folder, index});
  try {
    await copyIndex(own.indexFile, index).catch(() => null);
    const links = own.tracked.filter(isGitlink).map((entry) => ({...entry, mode: "000000"}));
    const unlinked = await updateIndex(git, links);
    if (!unlinked.ok) return unlinked;
    const other = await addAll(git, {gitlinks, exclusions: options.exclusions, leaveOut: false});
    if (!other.ok) return other;
    if (other.value === tree) return ok(tree);
    const diff = await git(["diff-tree", "-r", "-z", "--name-only", tree, other.value]);
    if (!diff.ok) return gitRefused(diff.failure);
    const paths = diff.value.split("\0").filter((path) => path !== "" && !options.unlike.has(path));
    if (paths.length === 0) return ok(tree);
    const message = `git makes the tree ${other.value} of this folder, and Assay ${tree}; they differ in ${listSome(paths, 5)}`;
    return refused({kind: "git-refused", message});
  } finally {
    await rm(index, {force: true});
  }
}

/** With its time: git reads files again whose time is not older than that of the index (gitformat-index, "racy-git"). */
async function copyIndex(from: string, to: string): Promise<void> {
  const {mtimeMs} = await stat(from);
  await copyFile(from, to);
  const seconds = Math.floor(mtimeMs / 1000);
  await utimes(to, seconds, seconds);
  // A split index has most of its entries in such a file (git-update-index, "split index").
  for (const name of await readdir(dirname(from)))
    if (name.startsWith("sharedindex.")) await copyFile(join(dirname(from), name), join(dirname(to), name));
}

/** Turns the commit's index into the person's: git also adds files that are ignored, if they are tracked. */
function trackedAs(options: {own: OwnFolder; skipped: readonly IndexEntry[]; index: PrivateIndex}): IndexEntry[] {
  const {own, skipped, index} = options;
  const tracked = own.tracked.filter((entry) => !isGitlink(entry));
  const known = new Set([...[...tracked, ...skipped].map(({path}) => path), ...own.unmerged]);
  const removed = index.entries.filter((entry) => !isGitlink(entry) && !known.has(entry.path));
  return [...removed.map((entry) => ({...entry, mode: "000000"})), ...tracked];
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
