/** Finds the commit that a pull request's own change starts from. */

import type {ChangeBase} from "../engine/checkout/compared-commits.ts";
import {commonAncestor, fetchHistory} from "../git/history.ts";
import {merge} from "../git/merge.ts";
import {idsOf} from "../publish/commit.ts";
import type {PreparedRun} from "./prepare-run.ts";

/**
 * The base of the change in `head`, for comparing tests and configuration. `tip` is the newest commit of the base
 * branch. If `head` is behind it, a comparison with the tip would show the branch's newer commits as removed by the
 * change. GitHub's own merge of the two has only the change. Without that merge, the tip is used and marked as inexact.
 */
export async function findChangeBase(run: PreparedRun, {head, tip}: {head: string; tip: string}): Promise<ChangeBase> {
  const {repository, event} = run;
  const headCommit = await idsOf(repository, head);
  if (headCommit.ok && headCommit.value.parent === tip) return {base: tip, head, isExact: true};
  const mergeCommit = await repository.fetch(`refs/pull/${event.thread.number}/merge`, {signal: run.context.signal});
  const ids = mergeCommit.ok ? await idsOf(repository, mergeCommit.value.commit) : mergeCommit;
  const [onto = "", from = ""] = ids.ok ? ids.value.parent.split(" ") : [];
  if (!mergeCommit.ok || from !== head) return {base: tip, head, isExact: false};
  const base = await repository.fetch(onto, {signal: run.context.signal});
  return base.ok ? {base: onto, head: mergeCommit.value.commit, isExact: true} : {base: tip, head, isExact: false};
}

/** The limit for the commits of both branches that are searched for their common ancestor. */
const MAX_COMMITS = 100;

/**
 * Makes the merge on this machine instead: `head` and the tip of the base branch, with the common ancestor of `head`
 * and `branch`, a commit on the server. Null if the ancestor is too old, or the two conflict.
 */
export async function mergeOntoTip(
  {repository, context}: PreparedRun,
  {branch, head, tip}: {branch: string; head: string; tip: string},
): Promise<ChangeBase | null> {
  const {signal} = context;
  const history = await fetchHistory({repository, commits: [branch, tip], depth: MAX_COMMITS, signal});
  const fork = history.ok ? await commonAncestor(repository, branch, tip) : null;
  if (fork === null) return null;
  if (fork === tip) return {base: tip, head, isExact: true};
  const merged = await merge({repository, base: fork, theirs: tip, ours: head});
  if (!merged.ok || merged.value.conflicts.length > 0) return null;
  const commit = await repository.git(["commit-tree", "-p", tip, merged.value.tree], {input: "Merge\n"});
  return commit.ok ? {base: tip, head: commit.value.trim(), isExact: true} : null;
}
