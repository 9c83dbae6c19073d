/** Reads the work of an agent: what differs from its base, with a key that is equal for equal work. */
import {readFile, readlink, stat} from "node:fs/promises";
import {join} from "node:path";
import type {GitCall} from "../../git/environment.ts";
import {type Git, hardenedGit} from "../../git/git.ts";
import {parseRawDiff} from "../../git/raw-diff.ts";
import {VERSION} from "../../run/version.ts";
import {commitOf, newerBase, remoteHeadBase, sessionBase} from "./base.ts";

/** Larger changes are not compared: the work then counts as new. */
const MAX_FILES = 5_000;
const MAX_BYTES = 100_000_000;
const GIT_MS = 20_000;

export interface Work {
  readonly stateFile: string;
  /** the commit to compare with */
  readonly base: string;
  /** true if nothing differs from the base */
  readonly isUnchanged: boolean;
  /** equal for equal work on the same base, committed or not; null if it cannot be compared */
  readonly key: string | null;
}

interface WorkOptions {
  readonly folder: string;
  /** the revision of `--base` */
  readonly base?: string | undefined;
  readonly session?: string;
}

/** Null outside of a repository, and in one without a commit. */
export async function readWork(
  {folder, base: revision, session = ""}: WorkOptions,
  git: Git = hardenedGit({folder, variables: process.env}),
): Promise<Work | null> {
  const call = {cwd: folder, timeoutMs: GIT_MS};
  const ask = async (...args: string[]) => {
    const answer = await git(args, call);
    return answer.ok ? answer.value.trim() : null;
  };
  // An agent waits for this: as few calls as possible, at the same time.
  const [place, filters, named, untracked] = await Promise.all([
    readPlace(git, call),
    git(["config", "--get-regexp", "^filter[.]"], call),
    revision === undefined ? remoteHeadBase(ask) : commitOf(ask, revision),
    git(["ls-files", "-z", "--others", "--exclude-standard"], call),
  ]);
  if (place === null) return null;
  const {gitDir, head, upstream} = place;
  const stateFile = join(gitDir, "assay", "hook.json");
  const remoteBase = revision === undefined ? await newerBase(ask, {upstream, remoteHead: named}) : named;
  const base = remoteBase ?? revision ?? (await sessionBase({ask, stateFile, session, head}));
  const unknownWork = {stateFile, base, isUnchanged: false, key: null};
  // The verification reports a wrong `--base`.
  if (base === revision && remoteBase === null) return unknownWork;
  // `git diff` runs the filters of the repository's settings, which the agent can write. Exit code 1: there are none.
  if (filters.ok || filters.failure.code !== 1) return unknownWork;
  const args = ["diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=dirty", base, "--"];
  // The library is loaded while git runs.
  const [diff] = await Promise.all([git(args, call), import("node:crypto")]);
  if (!diff.ok || !untracked.ok) return unknownWork;
  const places = new Map(untracked.value.split("\0").flatMap((path) => (path === "" ? [] : [[path, ""]])));
  for (const {path, newMode, newId} of parseRawDiff(diff.value)) places.set(path, `${newMode} ${newId}`);
  return {stateFile, base, isUnchanged: places.size === 0, key: await keyOf(folder, {base, places})};
}

/** The git directory, the commit of HEAD, and where HEAD left its upstream branch. Null without a commit. */
async function readPlace(git: Git, call: GitCall) {
  const answer = await git(["rev-parse", "--absolute-git-dir", "HEAD", "HEAD...@{upstream}"], call);
  // Without an upstream branch, git fails after the first two lines.
  const [gitDir = "", head = "", ...commits] = (answer.ok ? answer.value : answer.failure.stdout).split("\n");
  if (!/^[0-9a-f]{40,}$/.test(head)) return null;
  return {gitDir, head, upstream: commits.find((commit) => commit.startsWith("^"))?.slice(1) ?? null};
}

/** `places` has the mode and id that git shows for each path; empty for an untracked file. */
async function keyOf(
  folder: string,
  {base, places}: {base: string; places: ReadonlyMap<string, string>},
): Promise<string | null> {
  if (places.size > MAX_FILES) return null;
  const {createHash} = await import("node:crypto");
  const hash = createHash("sha256").update(`${VERSION}\0${base}\0`);
  let bytes = 0;
  for (const [path, place] of [...places].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const content = await contentOf(join(folder, path), MAX_BYTES - bytes);
    if (content === "too-large") return null;
    // Git shows no commit for a submodule that was moved to another one.
    if (content === null && /^160000 0+$/.test(place)) return null;
    bytes += content?.length ?? 0;
    hash
      .update(`${path}\0`)
      .update(content ?? place)
      .update("\0");
  }
  return hash.digest("hex");
}

/** Null for a deleted file, one that a sparse checkout leaves out, and a folder (of a submodule). */
async function contentOf(path: string, most: number): Promise<Buffer | "too-large" | null> {
  const target = await readlink(path).catch(() => null);
  if (target !== null) return Buffer.from(`link ${target}`);
  const facts = await stat(path).catch(() => null);
  if (facts === null || !facts.isFile()) return null;
  if (facts.size > most) return "too-large";
  return Buffer.concat([Buffer.from(facts.mode & 0o111 ? "program " : "file "), await readFile(path)]);
}
