/** Detects an unusual state of a developer's folder: no work tree, an unfinished merge, a sparse checkout. */
import {existsSync} from "node:fs";
import {lstat, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {MAX_FILE_BYTES} from "./forbidden-entries.ts";
import {type Git, gitRefused} from "./git.ts";
import type {IndexEntry} from "./private-index.ts";

interface Folder {
  readonly git: Git;
  /** the top of a work tree */
  readonly folder: string;
}

/** The state in the folder's own index, in addition to its files. */
export interface FolderIndex {
  /** entries that git leaves out of the folder on purpose (sparse checkout); a missing file of these is not deleted */
  readonly skipped: readonly IndexEntry[];
  readonly unmerged: readonly string[];
  /** all other entries, which git adds again although a file like `.gitignore` excludes them */
  readonly tracked: readonly IndexEntry[];
  /** entries whose changes git does not look for (`--assume-unchanged`, `--skip-worktree`); Assay does */
  readonly unwatched: readonly string[];
}

/**
 * The settings of the person that decide which tree git makes of a folder (git-config, "core"), as options for git.
 * Never read in a run of the bot, because the agent could write them.
 */
export async function readTreeSettings(options: Folder & {scratch: string}): Promise<Result<string[], Failure>> {
  const {git, folder, scratch} = options;
  const keys = "^core[.](filemode|autocrlf|eol|symlinks|ignorecase)$";
  const settings = await git(["config", "-z", "--get-regexp", keys], {cwd: folder, readsUserSettings: true});
  if (!settings.ok) return settings.failure.code === 1 ? ok([]) : gitRefused(settings.failure);
  const rows = settings.value.split("\0").filter((row) => row !== "");
  const excludes = join(scratch, "own-excludes");
  await writeFile(excludes, await readExcludes(options));
  return ok([...rows, `core.excludesFile\n${excludes}`].flatMap((row) => ["-c", row.replace("\n", "=")]));
}

/** The person's patterns that are not in the folder, as gitignore(5) lists them. */
async function readExcludes({git, folder}: Folder): Promise<string> {
  const call = {cwd: folder, readsUserSettings: true} as const;
  const [file, info] = await Promise.all([
    git(["config", "--type=path", "--default", "~/.config/git/ignore", "--get", "core.excludesFile"], call),
    git(["rev-parse", "--path-format=absolute", "--git-path", "info/exclude"], call),
  ]);
  const paths = [file, info].flatMap((one) => (one.ok ? [one.value.trim()] : []));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
  return texts.join("\n");
}

export const NO_INDEX: FolderIndex = {skipped: [], unmerged: [], tracked: [], unwatched: []};

/** Why git has no work tree at this folder; null if it has one. */
export async function workTreeProblem({git, folder}: Folder): Promise<string | null> {
  const answer = await git(["rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--show-prefix"], {
    cwd: folder,
  });
  if (!answer.ok) return `the repository of this folder cannot be read: ${answer.failure.message}`;
  const [isBare, isInside, prefix = ""] = answer.value.split("\n");
  if (isBare === "true")
    return "this is a bare repository, which has no files to verify; run in a clone of it, or in one of its work trees (`git worktree list`)";
  if (isInside !== "true") return "git does not take this folder for its work tree (`core.worktree`); run there";
  if (prefix === "") return null;
  return `the \`.git\` in this folder cannot be read: git takes the folder for \`${prefix}\` of the repository above it; run \`git fsck\` or clone it again`;
}

const OPERATIONS = [
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase or `git am`"],
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
] as const;

/** A phrase for the unfinished git operation of this folder; null if there is none. */
export async function unfinishedOperation({git, folder}: Folder): Promise<Result<string | null, Failure>> {
  const paths = OPERATIONS.flatMap(([name]) => ["--git-path", name]);
  const answer = await git(["rev-parse", "--path-format=absolute", ...paths], {cwd: folder});
  if (!answer.ok) return gitRefused(answer.failure);
  const files = answer.value.split("\n");
  return ok(OPERATIONS.find((_, at) => existsSync(files[at] ?? ""))?.[1] ?? null);
}

/**
 * Reads the folder's index. In a sparse checkout a damaged index is a failure, because only the index shows which files
 * are left out.
 */
export async function readFolderIndex({git, folder}: Folder): Promise<Result<FolderIndex, Failure>> {
  const listing = await git(["ls-files", "-z", "-v", "--stage"], {cwd: folder});
  if (!listing.ok) {
    const sparse = await git(["config", "--type=bool", "core.sparseCheckout"], {cwd: folder});
    if (!sparse.ok || sparse.value.trim() !== "true") return ok(NO_INDEX);
    const next = "Write it anew with `git read-tree HEAD`, then `git sparse-checkout reapply`.";
    const message = `the index of this sparse checkout cannot be read: ${listing.failure.message}. ${next}`;
    return refused({kind: "git-refused", message});
  }
  const skippedEntries: IndexEntry[] = [];
  const unmergedPaths = new Set<string>();
  const [tracked, unwatched]: [IndexEntry[], string[]] = [[], []];
  for (const row of listing.value.split("\0")) {
    const [, tag, mode = "", id = "", stage, path = ""] = /^(\S) (\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(row) ?? [];
    if (stage !== undefined && stage !== "0") unmergedPaths.add(path);
    else if (tag?.toUpperCase() === "S") skippedEntries.push({mode, id, path});
    else if (tag !== undefined) tracked.push({mode, id, path});
    if (tag !== undefined && tag !== "H") unwatched.push(path);
  }
  return ok({skipped: skippedEntries, unmerged: [...unmergedPaths], tracked, unwatched});
}

const MARKERS = [/^<{7,} /m, /^>{7,} /m];

/** The unmerged paths whose files still contain conflict markers. */
export async function filesWithConflicts(folder: string, unmerged: readonly string[]): Promise<string[]> {
  const markedFiles = await Promise.all(
    unmerged.map(async (path) => {
      const file = join(folder, path);
      const stat = await lstat(file).catch(() => null);
      if (stat === null || !stat.isFile() || stat.size > MAX_FILE_BYTES) return [];
      const text = await readFile(file, "latin1").catch(() => null);
      return text === null || MARKERS.every((marker) => marker.test(text)) ? [path] : [];
    }),
  );
  return markedFiles.flat();
}

/** The id of the empty tree, which exists in every repository. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Fails if a partial clone lacks files of the commit `revision`, with the command that fetches them. Nothing is fetched
 * here.
 */
export async function refuseMissingFiles(
  options: Folder & {revision: string; commit: string},
): Promise<Result<null, Failure>> {
  const {git} = options;
  const partial = await git(["config", "--get-regexp", "^remote[.].*[.]promisor$"], {cwd: options.folder});
  if (!partial.ok) return ok(null);
  const listing = await git(["ls-tree", "-r", "-z", "--full-tree", options.commit]);
  if (!listing.ok) return gitRefused(listing.failure);
  const pathsById = new Map<string, string>();
  for (const row of listing.value.split("\0")) {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
    if (id !== undefined && path !== undefined) pathsById.set(id, path);
  }
  const input = [...pathsById.keys()].map((id) => `${id}\n`).join("");
  const checkResult = await git(["cat-file", "--batch-check=%(objectname)"], {input});
  if (!checkResult.ok) return gitRefused(checkResult.failure);
  const missingObjects = checkResult.value
    .split("\n")
    .flatMap((row) => (row.endsWith(" missing") ? [row.split(" ")[0] ?? ""] : []));
  if (missingObjects.length === 0) return ok(null);
  const names = missingObjects.slice(0, 5).map((id) => pathsById.get(id) ?? id);
  const message = `${missingObjects.length} ${missingObjects.length === 1 ? "file" : "files"} of ${options.revision} are not on this machine, because this is a partial clone: ${names.join(", ")}${missingObjects.length > 5 ? ", …" : ""}. Fetch them with \`git diff --shortstat ${EMPTY_TREE} ${options.revision}\`, then run again.`;
  return refused({kind: "git-refused", message});
}
