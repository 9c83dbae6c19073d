/** Makes, compares and restores checkouts with the bot's repository, without using their own `.git`. */
import {lstat, mkdir, rm, writeFile} from "node:fs/promises";
import {basename, dirname, join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type Git, gitRefused} from "./git.ts";
import {lfsFilesIn} from "./lfs.ts";
import {isContentOf, type LfsSource, writeLfsContent} from "./lfs-content.ts";
import {entriesAt, type IndexEntry, isGitlink, withIndex} from "./private-index.ts";
import {writeSubmodules} from "./submodule-files.ts";

interface CheckoutFolder {
  readonly git: Git;
  /** the bot's bare repository */
  readonly repository: string;
  readonly commit: string;
  readonly folder: string;
  /** where Assay looks for the content of LFS files */
  readonly lfs: LfsSource | null;
}

const LONG_MS = 300_000;

/**
 * Makes a fresh checkout in `folder`, which must be missing or empty, with the content of LFS files that is on this
 * machine. With `withSubmodules`, it includes the files of submodules, and fails if these are not on this machine.
 */
export async function checkOut(options: CheckoutFolder & {withSubmodules?: boolean}): Promise<Result<null, Failure>> {
  const gitDir = join(options.folder, ".git");
  const pack = join(gitDir, "objects", "pack", "pack");
  await mkdir(dirname(pack), {recursive: true});
  const git: Git = (args, call) => options.git(args, {...call, gitDir, workTree: options.folder, timeoutMs: LONG_MS});
  const [made, packed, entries] = await Promise.all([
    options.git(["init", "--quiet", "--initial-branch=main"], {cwd: options.folder}),
    packCommit({...options, pack}),
    entriesAt(options),
  ]);
  if (!made.ok) return gitRefused(made.failure);
  if (!packed.ok) return packed;
  if (!entries.ok) return entries;
  await writeFile(join(gitDir, "shallow"), `${options.commit}\n`);
  const [verified, filled] = await Promise.all([
    git(["verify-pack", `${pack}-${packed.value}.idx`]),
    git(["checkout", "--quiet", "--force", "--detach", options.commit]),
  ]);
  if (!verified.ok) return gitRefused(verified.failure);
  if (!filled.ok) return gitRefused(filled.failure);
  const lfsContent = await writeLfsContent({
    git,
    checkout: options.folder,
    source: options.lfs,
    entries: entries.value,
  });
  if (!lfsContent.ok || !options.withSubmodules) return lfsContent;
  return writeSubmodules({
    git,
    links: entries.value.filter(isGitlink),
    folder: options.folder,
    commit: options.commit,
    source: options.lfs,
    scratch: options.repository,
    fill: ({source, ...more}) => checkOut({...options, ...more, lfs: options.lfs && {...options.lfs, ...source}}),
  });
}

/**
 * Writes the commit's files into `folder`, which must be missing or empty, without a repository and as git stores them:
 * LFS files are pointers. Returns their paths, and those of submodules.
 */
export async function writeFiles(options: Omit<CheckoutFolder, "lfs">): Promise<Result<string[], Failure>> {
  await mkdir(options.folder, {recursive: true});
  return withIndex(options, async ({git, entries}) => {
    const checkoutResult = await git(["checkout-index", "--all", "--force", "--quiet"], {timeoutMs: LONG_MS});
    return checkoutResult.ok ? ok(entries.map(({path}) => path)) : gitRefused(checkoutResult.failure);
  });
}

/**
 * Writes one commit, without history, as a pack, and returns the pack's id. The importing repository must verify the
 * pack, because other programs may write to the repository that the objects come from.
 */
async function packCommit(options: {
  git: Git;
  repository: string;
  commit: string;
  pack: string;
}): Promise<Result<string, Failure>> {
  const input = `--shallow ${options.commit}\n${options.commit}\n`;
  const args = ["pack-objects", "--quiet", "--revs", "--delta-base-offset", options.pack];
  const pack = await options.git(args, {gitDir: options.repository, input, timeoutMs: LONG_MS});
  return pack.ok ? ok(pack.value.trim()) : gitRefused(pack.failure);
}

/** Copies one commit, without history, from the bot's repository into the one that `git` works in. */
export async function copyCommit(options: {git: Git; from: string; commit: string}): Promise<Result<null, Failure>> {
  const args = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--update-shallow"];
  const fetch = await options.git([...args, options.from, options.commit], {protocols: ["file"]});
  return fetch.ok ? ok(null) : gitRefused(fetch.failure);
}

/**
 * Tracked paths whose content, mode or type differs from the commit. An added attributes file in a folder of tracked
 * files counts too, because it can make git report changed files as unchanged.
 */
export async function trackedChanges(options: CheckoutFolder): Promise<Result<string[], Failure>> {
  return withIndex(options, async ({git, entries}) => {
    const refresh = await git(["update-index", "-q", "--really-refresh"], {timeoutMs: LONG_MS});
    // Exit code 1 reports a difference. After an error, such as a full disk, every file would seem to differ.
    if (!refresh.ok && refresh.failure.code !== 1) return gitRefused(refresh.failure);
    const differences = await git(["diff-files", "-z", "--name-only", "--ignore-submodules=all"], {timeoutMs: LONG_MS});
    if (!differences.ok) return gitRefused(differences.failure);
    const differingPaths = await withoutLfsContent({
      git,
      folder: options.folder,
      entries,
      paths: names(differences.value),
    });
    if (!differingPaths.ok) return differingPaths;
    const plantedFiles = await plantedAttributes(options.folder, filesOf(entries));
    return ok([...new Set([...differingPaths.value, ...plantedFiles])].sort());
  });
}

/** Paths in the folder that the commit does not have and that its `.gitignore` files do not name; folders end with `/`. */
export async function untrackedFiles(options: Omit<CheckoutFolder, "lfs">): Promise<Result<string[], Failure>> {
  return withIndex(options, async ({git, gitlinks}) => {
    const args = ["ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory"];
    const listing = await git(args, {timeoutMs: LONG_MS});
    if (!listing.ok) return gitRefused(listing.failure);
    const submodules = new Set(gitlinks.map(({path}) => `${path}/`));
    return ok(names(listing.value).filter((path) => !submodules.has(path)));
  });
}

/** Removes LFS files from the paths if their content matches the commit's pointer. */
async function withoutLfsContent(options: {
  git: Git;
  folder: string;
  entries: readonly IndexEntry[];
  paths: readonly string[];
}): Promise<Result<string[], Failure>> {
  if (options.paths.length === 0) return ok([]);
  const files = await lfsFilesIn(options);
  if (!files.ok) return files;
  const unchangedPaths = new Set<string>();
  for (const file of files.value) {
    const {path} = file.entry;
    if (await isContentOf(join(options.folder, path), file)) unchangedPaths.add(path);
  }
  return ok(options.paths.filter((path) => !unchangedPaths.has(path)));
}

/**
 * Restores paths of the commit and removes other paths, including any folder or link in the place of a tracked file. An
 * attributes file among them may have hidden more changes, so after its removal these are searched for and restored.
 */
export async function restore(options: CheckoutFolder & {paths: readonly string[]}): Promise<Result<null, Failure>> {
  if (options.paths.length === 0) return ok(null);
  if (options.paths.some(escapesFolder))
    return refused({kind: "internal", message: "a path to restore leads out of the checkout"});
  const restoration = await withIndex(options, async ({git, entries}) => {
    const trackedPaths = new Set(filesOf(entries));
    for (const path of options.paths) await removeObstacles(options.folder, path);
    const trackedOnly = options.paths.filter((path) => trackedPaths.has(path));
    if (trackedOnly.length === 0) return ok(null);
    const input = trackedOnly.map((path) => `${path}\0`).join("");
    const checkoutResult = await git(["checkout-index", "--force", "-z", "--stdin"], {input, timeoutMs: LONG_MS});
    if (!checkoutResult.ok) return gitRefused(checkoutResult.failure);
    return writeLfsContent({git, checkout: options.folder, source: options.lfs, entries, paths: trackedOnly});
  });
  if (!restoration.ok || !options.paths.some(isAttributes)) return restoration;
  const hiddenChanges = await trackedChanges(options);
  return hiddenChanges.ok
    ? restore({...options, paths: hiddenChanges.value.filter((path) => !isAttributes(path))})
    : hiddenChanges;
}

async function removeObstacles(folder: string, path: string): Promise<void> {
  const parts = path.split("/");
  // a parent that is a link would redirect the removal and the writing
  for (let depth = 1; depth < parts.length; depth++) {
    const parent = join(folder, ...parts.slice(0, depth));
    const stat = await lstat(parent).catch(() => null);
    if (stat === null) return;
    if (!stat.isDirectory()) return rm(parent, {force: true});
  }
  await rm(join(folder, path), {recursive: true, force: true});
}

async function plantedAttributes(folder: string, tracked: readonly string[]): Promise<string[]> {
  const trackedPaths = new Set(tracked);
  const folders = new Set<string>(["."]);
  for (const path of tracked) {
    for (let up = dirname(path); !folders.has(up); up = dirname(up)) folders.add(up);
  }
  const candidates = [...folders].map((up) => (up === "." ? ".gitattributes" : `${up}/.gitattributes`));
  const existingPaths = await Promise.all(
    candidates
      .filter((path) => !trackedPaths.has(path))
      .map((path) =>
        lstat(join(folder, path)).then(
          () => [path],
          () => [],
        ),
      ),
  );
  return existingPaths.flat();
}

function escapesFolder(path: string): boolean {
  return path.startsWith("/") || path.split("/").some((part) => part === ".." || part === "" || part === ".git");
}

const filesOf = (entries: readonly IndexEntry[]): string[] =>
  entries.filter((entry) => !isGitlink(entry)).map(({path}) => path);

const isAttributes = (path: string) => basename(path) === ".gitattributes";

function names(output: string): string[] {
  return output.split("\0").filter((name) => name !== "");
}
