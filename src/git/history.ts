/** Reads the newest commits of a branch. Only `/undo` needs them; all other code works without history. */
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {gitRefused} from "./git.ts";
import {protocolOf} from "./remote.ts";
import type {Repository} from "./repository.ts";

const FETCH_MS = 300_000;

export interface HistoryCommit {
  readonly commit: string;
  readonly tree: string;
  /** empty for the oldest commit that was fetched */
  readonly parents: readonly string[];
  readonly message: string;
}

/** Fetches these commits of the server with at most `depth` commits of their history. */
export async function fetchHistory(options: {
  repository: Repository;
  commits: readonly string[];
  depth: number;
  signal: AbortSignal;
}): Promise<Result<null, Failure>> {
  const {repository, commits, depth, signal} = options;
  const {source} = repository;
  if (source.kind !== "remote")
    return refused({kind: "git-refused", message: "only a server's branch has a history here"});
  const args = ["fetch", "--quiet", `--depth=${depth}`, "--no-tags", "--no-write-fetch-head", source.url, ...commits];
  const call = {protocols: [protocolOf(source.url)], authorised: true, timeoutMs: FETCH_MS, signal};
  const fetch = await repository.git(args, call);
  return fetch.ok ? ok(null) : gitRefused(fetch.failure);
}

/** The newest commits of the branch itself, newest first, without the commits of merged branches. */
export async function readHistory(options: {
  repository: Repository;
  tip: string;
  most: number;
}): Promise<Result<HistoryCommit[], Failure>> {
  const {repository, tip, most} = options;
  const format = "--format=%H%n%T%n%P%n%B";
  const log = await repository.git(["log", "-z", "--first-parent", `--max-count=${most}`, format, tip]);
  if (!log.ok) return gitRefused(log.failure);
  const entries = log.value.split("\0").filter((entry) => entry !== "");
  return ok(
    entries.map((entry) => {
      const [commit = "", tree = "", parents = "", ...message] = entry.split("\n");
      return {commit, tree, parents: parents.split(" ").filter(Boolean), message: message.join("\n")};
    }),
  );
}

/** The newest common ancestor of two commits; null if it was not fetched. */
export async function commonAncestor(repository: Repository, one: string, other: string): Promise<string | null> {
  const base = await repository.git(["merge-base", one, other]);
  return base.ok ? base.value.trim() : null;
}
