/** The bot's own bare git directory, which computes changes and makes checkouts without trusting another `.git`. */
import {appendFile, mkdir} from "node:fs/promises";
import {join} from "node:path";
import type {OwnPrograms} from "../process/own-programs.ts";
import type {Failure} from "../record/failure.ts";
import type {Change} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {checkOut, restore, trackedChanges, untrackedFiles, writeFiles} from "./checkout.ts";
import type {Author} from "./environment.ts";
import {type Git, gitRefused, hardenedGit} from "./git.ts";
import {missingLfsContent} from "./lfs-content.ts";
import {withIndex} from "./private-index.ts";
import {clearSettings, protectSettings} from "./protect-settings.ts";
import {parseRawDiff, type RawEntry, toChange} from "./raw-diff.ts";
import {readText} from "./read-text.ts";
import {rememberReads} from "./remember-reads.ts";
import {
  addressProblem,
  attachObjects,
  type CommitSource,
  fetchRemote,
  findLocal,
  isRefName,
  locateObjects,
  protocolOf,
} from "./remote.ts";

/** A commit that is in the bot's repository, with its tree. */
export interface Revision {
  readonly commit: string;
  readonly tree: string;
}

/** `commit` is null for a ref that would be deleted. */
export type WithholdPush = (push: {readonly ref: string; readonly commit: string | null}) => void;

export interface Repository {
  /** the bare repository; the caller removes it after the run */
  readonly folder: string;
  readonly source: CommitSource;
  /** receives each push of a dry run instead of the server */
  readonly withholdPush: WithholdPush | null;
  /** the hardened git of this repository, for the other files of this folder, `publish/` and `agent/` */
  readonly git: Git;
  /** Fetches a branch, tag, full ref, `HEAD` or commit id (from a local source any revision) without its history. */
  fetch(revision: string, wanted?: {signal: AbortSignal}): Promise<Result<Revision, Failure>>;
  /** The commit of a ref on the server; null if there is no such ref. Takes the full name. */
  remoteRef(ref: string): Promise<Result<string | null, Failure>>;
  /** All refs of the server that begin with one of these, such as `refs/heads/`, with their commits. */
  remoteRefs(...prefixes: string[]): Promise<Result<{ref: string; commit: string}[], Failure>>;
  /** The changes between two commits or trees, with renames. */
  changes(base: string, head: string): Promise<Result<Change[], Failure>>;
  /** The same with modes and ids, and without renames. */
  rawChanges(base: string, head: string): Promise<Result<RawEntry[], Failure>>;
  /** A regular file's text at a commit; null if there is none. Links and files over `maxBytes` are refused. */
  readText(commit: string, path: string, limits: {maxBytes: number}): Promise<Result<string | null, Failure>>;
  /**
   * Makes `folder` a checkout of the commit with a small `.git`, detached, without history or remote; see `checkOut` of
   * checkout.ts.
   */
  checkOut(wanted: {commit: string; folder: string; withSubmodules?: boolean}): Promise<Result<null, Failure>>;
  /**
   * Writes the commit's files into `folder` without a `.git`, only for reading. Returns their paths; see `writeFiles`
   * of checkout.ts.
   */
  writeFiles(wanted: {commit: string; folder: string}): Promise<Result<string[], Failure>>;
  /** Tracked paths in `folder` that differ from the commit, whatever the checkout's own `.git` contains. */
  trackedChanges(wanted: {commit: string; folder: string}): Promise<Result<string[], Failure>>;
  /** New paths in `folder` that the commit's `.gitignore` files do not name; a new folder is one path with a `/`. */
  untrackedFiles(wanted: {commit: string; folder: string}): Promise<Result<string[], Failure>>;
  /** Paths of a commit's LFS files whose content is not on this machine, so that checkouts have their pointers. */
  missingLfs(commit: string): Promise<Result<string[], Failure>>;
  /** Restores these paths as in the commit, and removes other files in their places. */
  restore(wanted: {commit: string; folder: string; paths: readonly string[]}): Promise<Result<null, Failure>>;
}

export interface RepositoryOptions {
  /** an absolute path; created if missing, reused if an earlier run left it */
  readonly folder: string;
  readonly source: CommitSource;
  /** the runner's variables; git gets an allow-list of them (proxies, certificates) */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** the author of new commits; by default Assay itself */
  readonly author?: Author;
  /** the location of git; by default this process's own */
  readonly programs?: OwnPrograms;
  /** a working folder whose LFS content may be used for checkouts */
  readonly lfsFolder?: string;
  /** null: pushes are sent */
  readonly withholdPush?: WithholdPush | null;
}

/**
 * A checkout asks for its one commit by id, whether a ref points to it or not. Git searches no similar files when it
 * sends a commit: with 140 MB of large files, that took longer than the limit of a bundle.
 */
const OWN_SETTINGS = "[uploadpack]\n\tallowAnySHA1InWant = true\n[pack]\n\twindow = 0\n";

/** Opens the repository. Fails as `git-refused`: a bad address, no git, or no repository at the local source. */
export async function openRepository(options: RepositoryOptions): Promise<Result<Repository, Failure>> {
  const {folder, source, variables, author, programs} = options;
  const problem = source.kind === "remote" ? addressProblem(source.url) : null;
  if (problem !== null) return refused({kind: "git-refused", message: problem});
  await mkdir(folder, {recursive: true, mode: 0o700});
  await clearSettings(folder);
  const plainGit = hardenedGit({
    folder,
    variables,
    ...(author && {author}),
    ...(programs && {programs}),
    ...(source.kind === "remote" && {remote: source}),
  });
  const [init, objects] = await Promise.all([
    plainGit(["init", "--quiet", "--bare", "--object-format=sha1", "--initial-branch=none"]),
    source.kind === "local" ? locateObjects({git: plainGit, source: source.folder}) : ok(null),
  ]);
  if (!init.ok) return gitRefused(init.failure);
  if (!objects.ok) return objects;
  await appendFile(join(folder, "config"), OWN_SETTINGS);
  const git = rememberReads(await protectSettings({folder, git: plainGit}), folder);
  if (objects.value !== null) await attachObjects(objects.value, folder);
  const texts = new Map<string, Result<string | null, Failure>>();
  const lfs = options.lfsFolder === undefined ? null : {folder: options.lfsFolder, git};
  const place = {git, repository: folder, lfs};
  const rawChanges = async (base: string, head: string, how = ["--no-renames"]) => {
    const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", ...how, "--end-of-options", base, head];
    const diff = await git(args);
    return diff.ok ? ok(parseRawDiff(diff.value)) : gitRefused(diff.failure);
  };
  return ok({
    folder,
    source,
    withholdPush: options.withholdPush ?? null,
    git,
    async fetch(revision, wanted) {
      const commit =
        source.kind === "remote"
          ? await fetchRemote({git, url: source.url, revision, ...wanted})
          : await findLocal({git, source: source.folder, revision});
      if (!commit.ok) return commit;
      const tree = await git(["rev-parse", "--verify", `${commit.value}^{tree}`]);
      return tree.ok ? ok({commit: commit.value, tree: tree.value.trim()}) : gitRefused(tree.failure);
    },
    async remoteRef(ref) {
      if (!isRefName(ref)) return refused({kind: "git-refused", message: `not a ref: ${ref}`});
      const refs = await listRemote({git, source, refs: [ref]});
      if (!refs.ok) return refs;
      const line = refs.value.split("\n").find((row) => row.endsWith(`\t${ref}`));
      return ok(line === undefined ? null : line.slice(0, line.indexOf("\t")));
    },
    async remoteRefs(...prefixes) {
      const invalidPrefix = prefixes.find((prefix) => !isRefName(`${prefix}x`));
      if (invalidPrefix !== undefined) return refused({kind: "git-refused", message: `not a ref: ${invalidPrefix}`});
      const refs = await listRemote({git, source, refs: prefixes.map((prefix) => `${prefix}*`)});
      if (!refs.ok) return refs;
      const rows = refs.value.split("\n").map((row) => row.split("\t"));
      const isRequested = (ref: string) => prefixes.some((prefix) => ref.startsWith(prefix));
      return ok(rows.flatMap(([commit = "", ref = ""]) => (isRequested(ref) ? [{ref, commit}] : [])));
    },
    async changes(base, head) {
      const entries = await rawChanges(base, head, ["-M", "-l2000"]);
      return entries.ok ? ok(entries.value.map(toChange)) : entries;
    },
    rawChanges: (base, head) => rawChanges(base, head),
    async readText(commit, path, {maxBytes}) {
      const key = JSON.stringify([commit, path, maxBytes]);
      const remembered = texts.get(key);
      if (remembered !== undefined) return remembered;
      const text = await readText({git, commit, path, maxBytes});
      // Only an id always means the same commit.
      if (text.ok && /^[0-9a-f]{40}$/.test(commit)) texts.set(key, text);
      return text;
    },
    checkOut: (wanted) => checkOut({...place, ...wanted}),
    writeFiles: (wanted) => writeFiles({...place, ...wanted}),
    trackedChanges: (wanted) => trackedChanges({...place, ...wanted}),
    untrackedFiles: (wanted) => untrackedFiles({...place, ...wanted}),
    restore: (wanted) => restore({...place, ...wanted}),
    missingLfs: (commit) =>
      withIndex({...place, commit, folder}, (index) => missingLfsContent({...index, source: lfs})),
  });
}

async function listRemote(wanted: {
  git: Git;
  source: CommitSource;
  refs: readonly string[];
}): Promise<Result<string, Failure>> {
  if (wanted.source.kind === "local") {
    const patterns = wanted.refs.map((ref) => ref.replace(/\*$/, "**"));
    const call = {cwd: wanted.source.folder};
    const refs = await wanted.git(["for-each-ref", "--format=%(objectname)%09%(refname)", ...patterns], call);
    return refs.ok ? refs : gitRefused(refs.failure);
  }
  const {url} = wanted.source;
  const call = {protocols: [protocolOf(url)], authorised: true, timeoutMs: 60_000};
  const refs = await wanted.git(["ls-remote", "--quiet", "--refs", url, ...wanted.refs], call);
  return refs.ok ? refs : gitRefused(refs.failure);
}
