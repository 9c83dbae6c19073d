/** Where commits come from: a server over https, or the developer's own repository on this machine. */
import {copyFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type Git, gitRefused} from "./git.ts";

export type CommitSource =
  | {readonly kind: "remote"; readonly url: string; readonly token: string}
  | {readonly kind: "local"; readonly folder: string};

const COMMIT_ID = /^[0-9a-f]{40}$/;
/**
 * A name that may be fetched: a branch, a tag, a full ref, `HEAD` or an id, by the rules of git-check-ref-format(1). It
 * is never an option, and contains no character of a pattern or refspec. No shell reads it.
 */
const REF = /^(?![-+./]|@$)(?!.*(?:\.\.|@\{|\/[./]|\.lock\/|\.lock$|[./]$))[^\p{Cc} ~^:?*[\\]+$/u;
const FETCH_MS = 300_000;

/** The problem of a server's address, or null. Only https is allowed, and http to this machine. */
export function addressProblem(url: string): string | null {
  if (!URL.canParse(url)) return "the server's address is not a URL";
  const {protocol, hostname, username, password} = new URL(url);
  if (username !== "" || password !== "")
    return "the server's address carries a user or password; pass the token instead";
  const isLoopback = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  if (protocol === "https:" || (protocol === "http:" && isLoopback)) return null;
  return "the server's address must begin with https://";
}

/** True for names that may be passed to git as a ref. */
export function isRefName(name: string): boolean {
  return REF.test(name);
}

export function protocolOf(url: string): "https" | "http" {
  return new URL(url).protocol === "http:" ? "http" : "https";
}

/** Fetches one commit of the server without its history, and returns its id. */
export async function fetchRemote(options: {
  git: Git;
  url: string;
  revision: string;
  signal?: AbortSignal;
}): Promise<Result<string, Failure>> {
  const {git, url, revision, signal} = options;
  if (!isRefName(revision)) return refused({kind: "git-refused", message: `not a branch, tag or commit: ${revision}`});
  if (COMMIT_ID.test(revision)) {
    const check = await git(["cat-file", "-e", `${revision}^{commit}`]);
    if (check.ok) return ok(revision);
  }
  const ref = `refs/assay/fetched/${revision}`;
  const fetch = await git(
    ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", url, `+${revision}:${ref}`],
    {protocols: [protocolOf(url)], authorised: true, timeoutMs: FETCH_MS, ...(signal && {signal})},
  );
  if (!fetch.ok) return gitRefused(fetch.failure);
  const commit = await git(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  return commit.ok ? ok(commit.value.trim()) : refused({kind: "git-refused", message: `${revision} is not a commit`});
}

/** The places in a developer's repository that the bot's repository reads from. */
export interface ObjectPlaces {
  readonly objects: string;
  readonly shallow: string;
}

export async function locateObjects(options: {git: Git; source: string}): Promise<Result<ObjectPlaces, Failure>> {
  const paths = ["--git-path", "objects", "--git-path", "shallow"];
  const answer = await options.git(["rev-parse", "--path-format=absolute", ...paths], {cwd: options.source});
  if (!answer.ok)
    return refused({
      kind: "git-refused",
      message: `the repository of this folder cannot be read: ${answer.failure.message}. Run inside a git repository; if this is one, \`git fsck\` says more.`,
    });
  const [objects = "", shallow = "", ...rest] = answer.value.split("\n");
  if (objects.startsWith('"') || rest.length !== 1) {
    return refused({kind: "git-refused", message: "the folder's path has characters that git cannot take here"});
  }
  return ok({objects, shallow});
}

/** Makes these objects readable from the repository in `folder`. Nothing there is copied, locked or written. */
export async function attachObjects({objects, shallow}: ObjectPlaces, folder: string): Promise<void> {
  await writeFile(join(folder, "objects", "info", "alternates"), `${objects}\n`);
  // git accepts a commit without its parents only if it is in this list.
  await copyFile(shallow, join(folder, "shallow")).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/**
 * Finds a commit of the developer's repository: anything that `git rev-parse` understands. For `HEAD` of a repository
 * without commits, it makes an empty commit in the bot's repository.
 */
export async function findLocal(options: {
  git: Git;
  source: string;
  revision: string;
}): Promise<Result<string, Failure>> {
  const {git, source, revision} = options;
  if (revision.startsWith("-")) return refused({kind: "git-refused", message: `not a revision: ${revision}`});
  const commitId = await git(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`], {cwd: source});
  if (commitId.ok) return ok(commitId.value.trim());
  if (revision !== "HEAD")
    return refused({kind: "git-refused", message: `${revision} is not a commit of this repository`});
  if (!(await isUnborn({git, source}))) return unreadableHead({git, source});
  const otherRef = await git(
    ["for-each-ref", "--count=1", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"],
    {cwd: source},
  );
  if (!otherRef.ok) return gitRefused(otherRef.failure);
  if (otherRef.value.trim() !== "") {
    const message = `the checked-out branch has no commit yet, but this repository has others. Name the commit to compare with, for example \`--base ${otherRef.value.trim()}\`.`;
    return refused({kind: "git-refused", message});
  }
  const tree = await git(["hash-object", "-w", "-t", "tree", "--no-filters", "--stdin"]);
  if (!tree.ok) return gitRefused(tree.failure);
  const commit = await git(["commit-tree", tree.value.trim()], {input: "No commit yet\n"});
  return commit.ok ? ok(commit.value.trim()) : gitRefused(commit.failure);
}

/**
 * True if `HEAD` names a branch without a commit. A branch that names a missing object has an id, a damaged one cannot
 * be resolved, and one whose file is lost still has its reflog, which git deletes only together with the branch.
 */
export async function isUnborn({git, source}: {git: Git; source: string}): Promise<boolean> {
  const branch = await git(["symbolic-ref", "--quiet", "HEAD"], {cwd: source});
  if (!branch.ok) return false;
  const id = await git(["rev-parse", "--verify", "--quiet", "HEAD"], {cwd: source});
  if (id.ok || id.failure.code !== 1) return false;
  const log = await git(["reflog", "exists", branch.value.trim()], {cwd: source});
  return !log.ok && log.failure.code === 1;
}

async function unreadableHead({git, source}: {git: Git; source: string}): Promise<Result<never, Failure>> {
  const answer = await git(["cat-file", "commit", "HEAD"], {cwd: source});
  const reason = answer.ok ? "" : `: ${answer.failure.message}`;
  const next = "Run `git fsck`, then restore the branch: `git reflog` lists its commits, or fetch it again.";
  return refused({kind: "git-refused", message: `the commit of HEAD cannot be read${reason}. ${next}`});
}
