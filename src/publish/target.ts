/** Decides on which commit a run works and where its change is published, from facts that the caller has looked up. */

/** `expect` is the id that the ref must still have; null means that the ref must not exist yet. */
export interface Target {
  /** full name, `refs/heads/…` */
  readonly ref: string;
  readonly expect: string | null;
  /** the branch and commit that the work starts from */
  readonly base: {readonly ref: string; readonly commit: string};
  /** whether to open a pull request, or update the open one; `none` also on the thread of a pull request */
  readonly pullRequest: "open-or-update" | "none";
}

/** One branch of the bot for this issue, on the remote. */
interface BotBranch {
  readonly ref: string;
  readonly commit: string | null;
  readonly hasOpenPullRequest: boolean;
}

/** The branch's name without `refs/heads/`. */
export const branchOf = (ref: string): string => ref.replace("refs/heads/", "");

/** The number of an issue or pull request; a run without one has its own name. */
export type WorkOwner = number | `run-${number}`;

/** The owner in names of branches and files. */
export const ownerName = (owner: WorkOwner): string => (typeof owner === "number" ? `issue-${owner}` : owner);

/** Names for the bot's branch of an issue or run, in the order that they are tried in. */
export const botBranchNames = (owner: WorkOwner): string[] => numbered(`refs/heads/assay/${ownerName(owner)}`);

/** The issue that a branch of Assay is for; null for any other branch. */
export function issueOfBranch(ref: string): number | null {
  const issue = /^refs\/heads\/assay\/issue-(\d{1,9})(?:-\d)?$/.exec(ref)?.[1];
  return issue === undefined ? null : Number(issue);
}

const numbered = (ref: string): string[] =>
  ["", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9"].map((end) => `${ref}${end}`);

/** Names for a branch with a proposed `verify.json`: the work of no issue, so that no request continues it. */
export const SETUP_BRANCHES: string[] = numbered("refs/heads/assay/setup");

/**
 * The target of a run on an issue. A branch with an open pull request is continued. A branch whose pull request was
 * merged or closed is not touched, and the next free name is used. Null if every name is taken.
 */
export function issueTarget(options: {
  publish: "pull-request" | "branch" | "direct";
  defaultBranch: {ref: string; commit: string};
  branches: readonly BotBranch[];
}): Target | null {
  const {publish, defaultBranch, branches} = options;
  if (publish === "direct") {
    return {ref: defaultBranch.ref, expect: defaultBranch.commit, base: defaultBranch, pullRequest: "none"};
  }
  const pullRequest = publish === "pull-request" ? "open-or-update" : "none";
  const continuedBranch = branches.find(
    (branch) => branch.commit !== null && (publish === "branch" || branch.hasOpenPullRequest),
  );
  if (continuedBranch?.commit) {
    const {ref, commit} = continuedBranch;
    return {ref, expect: commit, base: {ref, commit}, pullRequest};
  }
  const freeBranch = branches.find((branch) => branch.commit === null);
  return freeBranch === undefined ? null : {ref: freeBranch.ref, expect: null, base: defaultBranch, pullRequest};
}

/** On the thread of a pull request, the work starts from its head and is pushed to its branch. */
export function pullRequestTarget({ref, commit}: {ref: string; commit: string}): Target {
  return {ref, expect: commit, base: {ref, commit}, pullRequest: "none"};
}
