/** Detects an unusual state of a developer's folder: no work tree, an unfinished merge, a sparse checkout. */
import {existsSync} from "node:fs";
import {copyFile, lstat, mkdir, mkdtemp, readFile, symlink} from "node:fs/promises";
import {join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {MAX_FILE_BYTES} from "./forbidden-entries.ts";
import {type Git, gitRefused} from "./git.ts";
import {entriesAt, type IndexEntry, isGitlink} from "./private-index.ts";

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
  readonly unwatched: readonly IndexEntry[];
}

/** The settings of the person that decide which tree git makes of a folder (git-config, "core"). */
export interface TreeSettings {
  /** options for git */
  readonly settings: readonly string[];
  /** a git directory with Assay's configuration and objects, and the person's `info` */
  readonly gitDir: string;
  /** the person's index; it may be missing */
  readonly indexFile: string;
}

/** The person's patterns that are not in the folder, as gitignore(5) and gitattributes(5) list them. */
const PATTERNS = [
  ["core.excludesFile", "ignore", "info/exclude"],
  ["core.attributesFile", "attributes", "info/attributes"],
] as const;

/** Never used in a run of the bot, because the agent could write the settings. `repository` is Assay's own. */
export async function readTreeSettings(
  options: Folder & {repository: string; variables: Readonly<Record<string, string | undefined>>},
): Promise<Result<TreeSettings, Failure>> {
  const {git, folder, repository} = options;
  const keys = "^core[.](filemode|autocrlf|eol|symlinks|ignorecase)$";
  const settings = await git(["config", "-z", "--get-regexp", keys], {cwd: folder, readsUserSettings: true});
  if (!settings.ok && settings.failure.code !== 1) return gitRefused(settings.failure);
  const rows = settings.ok ? settings.value.split("\0").filter((row) => row !== "") : [];
  const gitDir = await mkdtemp(join(repository, "own-"));
  for (const name of ["refs", "info"]) await mkdir(join(gitDir, name));
  for (const name of ["HEAD", "config"]) await copyFile(join(repository, name), join(gitDir, name));
  await symlink(join(repository, "objects"), join(gitDir, "objects"));
  const userFolder = `${options.variables["XDG_CONFIG_HOME"] || "~/.config"}/git`;
  const infoPaths = PATTERNS.flatMap(([, , info]) => ["--git-path", info]);
  const located = await git(["rev-parse", "--path-format=absolute", "--git-path", "index", ...infoPaths], {
    cwd: folder,
  });
  if (!located.ok) return gitRefused(located.failure);
  const [indexFile = "", ...infoFiles] = located.value.trim().split("\n");
  for (const [at, [key, user, info]] of PATTERNS.entries()) {
    const read = ["config", "--type=path", "--default", `${userFolder}/${user}`, "--get", key];
    const userFile = await git(read, {cwd: folder, readsUserSettings: true});
    if (userFile.ok) rows.push(`${key}\n${userFile.value.replace(/\n$/, "")}`);
    await copyFile(infoFiles[at] ?? "", join(gitDir, info)).catch(() => null);
  }
  return ok({settings: rows.flatMap((row) => ["-c", row.replace("\n", "=")]), gitDir, indexFile});
}

export const NO_INDEX: FolderIndex = {skipped: [], unmerged: [], tracked: [], unwatched: []};

/** Why git has no work tree at this folder; null if it has one. */
export async function workTreeProblem({git, folder}: Folder): Promise<string | null> {
  const questions = ["--is-bare-repository", "--is-inside-work-tree", "--show-object-format", "--show-prefix"];
  const answer = await git(["rev-parse", ...questions], {cwd: folder});
  if (!answer.ok) return `the repository of this folder cannot be read: ${answer.failure.message}`;
  const [isBare, isInside, objectFormat, prefix = ""] = answer.value.split("\n");
  if (isBare === "true")
    return "this is a bare repository, which has no files to verify; run in a clone of it, or in one of its work trees (`git worktree list`)";
  if (objectFormat === "sha256")
    return `the repository uses \`${objectFormat}\` ids, and Assay reads only those of \`sha1\``;
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
  const [tracked, unwatched]: [IndexEntry[], IndexEntry[]] = [[], []];
  for (const row of listing.value.split("\0")) {
    const [, tag, mode = "", id = "", stage, path = ""] = /^(\S) (\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(row) ?? [];
    if (stage !== undefined && stage !== "0") unmergedPaths.add(path);
    else if (tag?.toUpperCase() === "S") skippedEntries.push({mode, id, path});
    else if (tag !== undefined) tracked.push({mode, id, path});
    if (tag !== undefined && tag !== "H" && stage === "0") unwatched.push({mode, id, path});
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
  const entries = await entriesAt(options);
  if (!entries.ok) return entries;
  const files = entries.value.filter((entry) => !isGitlink(entry));
  const pathsById = new Map(files.map(({id, path}) => [id, path]));
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
