/** Decides where a run's work stands and where it goes: one closed set of targets, from facts the caller has looked up. */

/** Where a verified change may go. `expect` is the id the ref must still have; null: the ref must not exist yet. */
export interface Target {
  /** full name, `refs/heads/…` */
  readonly ref: string;
  readonly expect: string | null;
  /** the branch, and its commit, that the work stands on */
  readonly base: {readonly ref: string; readonly commit: string};
  /** open one, or keep the open one up to date; `none` also on a pull request's own thread */
  readonly pullRequest: "open-or-update" | "none";
}

/** One branch of the bot for this issue, as the remote has it. */
export interface BotBranch {
  readonly ref: string;
  readonly commit: string | null;
  readonly hasOpenPullRequest: boolean;
}

/** A branch as people and GitHub's API call it. */
export const branchOf = (ref: string): string => ref.replace("refs/heads/", "");

/** The names that are tried, in order, for the bot's branch of an issue. */
export const botBranchNames = (issue: number): string[] =>
  ["", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9"].map((suffix) => `refs/heads/assay/issue-${issue}${suffix}`);

/**
 * The target of a run on an issue. A branch with an open pull request is gone on with; one whose pull request was merged
 * or closed is left alone, and the next free name is taken. Null when every name is taken.
 */
export function issueTarget(o: {
  publish: "pull-request" | "branch" | "direct";
  defaultBranch: {ref: string; commit: string};
  branches: readonly BotBranch[];
}): Target | null {
  const {publish, defaultBranch} = o;
  if (publish === "direct") {
    return {ref: defaultBranch.ref, expect: defaultBranch.commit, base: defaultBranch, pullRequest: "none"};
  }
  const pullRequest = publish === "pull-request" ? "open-or-update" : "none";
  const goneOnWith = o.branches.find(
    (branch) => branch.commit !== null && (publish === "branch" || branch.hasOpenPullRequest),
  );
  if (goneOnWith?.commit) {
    const {ref, commit} = goneOnWith;
    return {ref, expect: commit, base: {ref, commit}, pullRequest};
  }
  const free = o.branches.find((branch) => branch.commit === null);
  return free === undefined ? null : {ref: free.ref, expect: null, base: defaultBranch, pullRequest};
}

/** On a pull request's thread the work stands on its head, and goes back to its branch. */
export function pullRequestTarget({ref, commit}: {ref: string; commit: string}): Target {
  return {ref, expect: commit, base: {ref, commit}, pullRequest: "none"};
}
