/** Whether an open pull request is Assay's, and who asked for its newest commit. */
import type {PullRequest} from "../github/pull-requests.ts";
import {claimOf} from "../publish/last-run.ts";
import {requesterOf} from "../publish/message.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type GitHubFailure, isFork as isOfFork} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {createClaimCheck} from "./check-claim.ts";
import type {RunContext} from "./run-context.ts";

export interface CompletedEvent {
  readonly event: Event;
  /**
   * the issue changed in the second of the start or later, so the person who started the run may not have seen its text
   */
  readonly isEdited: boolean;
}

/** An event that is not about Assay's own newest commit. */
export interface NotOurs {
  readonly kind: "not-ours";
  readonly message: string;
}

/** GitHub's answers about a deleted issue, or a commit that it does not know. */
export const GONE_STATUSES = new Set([404, 410, 422]);
export const notOurs = (message: string) => refused({kind: "not-ours" as const, message});

/**
 * The event with the pull request as its thread, and with the person who asked for its newest commit as its author. All
 * facts are GitHub's. `issue` is the one that the commit was made for. With `mayMerge`, the commit may be an update's.
 */
export async function withOwnPullRequest(
  {github}: Pick<RunContext, "github">,
  event: Event,
  pull: PullRequest | null,
  mayMerge = false,
): Promise<Result<CompletedEvent & {issue: number}, GitHubFailure | NotOurs>> {
  if (pull === null || pull.isClosed || isOfFork(pull, event) || !pull.headBranch.startsWith("assay/"))
    return notOurs("The event is about no open pull request of Assay in this repository.");
  const newest = await github.commitOf(pull.headCommit);
  if (!newest.ok) return newest;
  const [claim, requester] = [claimOf(newest.value, mayMerge), requesterOf(newest.value.message)];
  const isProven = claim === null ? ok(false) : await createClaimCheck({context: {github}})(claim);
  if (!isProven.ok) return isProven;
  if (!isProven.value || requester === null || !claim?.issue)
    return notOurs(
      "The newest commit of the pull request is no change of Assay: a person's, or a merge of the base branch.",
    );
  const {number} = pull;
  const issue = await github.issue(number);
  if (!issue.ok) return issue;
  const {title, body, state} = issue.value;
  const thread = {number, isPullRequest: true, title, body: body ?? "", state};
  return ok({isEdited: false, issue: claim.issue, event: {...event, author: {...requester, type: "User"}, thread}});
}
