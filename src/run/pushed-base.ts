/** A push to the default branch: it starts `/update` on one pull request of Assay that now conflicts. */
import {isOwnAccount} from "../github/comments.ts";
import type {PullRequest} from "../github/pull-requests.ts";
import {issueOfBranch} from "../publish/target.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {isProgress} from "../report/live.ts";
import {type GitHubFailure, MAX_ROUNDS} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {isCommentOf, runId} from "./admitted-run.ts";
import {sumEarlierRuns} from "./earlier-runs.ts";
import {type CompletedEvent, GONE_STATUSES, type NotOurs, notOurs, withOwnPullRequest} from "./own-pull-request.ts";
import type {RunContext} from "./run-context.ts";

/** The event with the update as its request. A pull request that cannot be updated does not keep the others waiting. */
export async function completePush(
  context: Pick<RunContext, "github">,
  event: Event,
): Promise<Result<CompletedEvent, GitHubFailure | NotOurs>> {
  const {github} = context;
  const {author, repository} = event;
  const self = await github.whoami();
  if (!self.ok) return self;
  if (author === null || author.type !== "User" || isOwnAccount(self.value, author))
    return notOurs("A bot or Assay itself has pushed.");
  const open = await github.openPullRequests();
  if (!open.ok) return open;
  let unread: Result<never, GitHubFailure> | null = null;
  for (const pull of open.value) {
    const isOnDefaultBranch = pull.baseBranch === repository.defaultBranch;
    if (!isOnDefaultBranch || issueOfBranch(`refs/heads/${pull.headBranch}`) === null) continue;
    const update = await updateOf(context, event, pull);
    if (update.ok) return update;
    const {failure} = update;
    if (failure.kind !== "not-ours" && !GONE_STATUSES.has(failure.status)) unread ??= refused(failure);
  }
  return unread ?? notOurs("No open pull request of Assay conflicts with the default branch and may be updated now.");
}

/** Refuses one that no run may update now, so that the next one has its turn. */
async function updateOf(
  {github}: Pick<RunContext, "github">,
  event: Event,
  pull: PullRequest,
): Promise<Result<CompletedEvent, GitHubFailure | NotOurs>> {
  const own = await withOwnPullRequest({github}, event, pull, true);
  if (!own.ok) return own;
  const [self, comments] = [await github.whoami(), await github.comments(pull.number)];
  if (!self.ok) return self;
  if (!comments.ok) return comments;
  const bodies = comments.value.flatMap(({author, body}) => (isOwnAccount(self.value, author) ? [body] : []));
  const hadRounds = sumEarlierRuns(bodies, runId(event)).rounds.runs >= MAX_ROUNDS;
  const isRunning = bodies.some((body) => isProgress(body) && !isCommentOf(event)(body));
  if (hadRounds || isRunning) return notOurs("It had its rounds, or a run works on it.");
  const isConflicting = await github.isConflicting(pull.number);
  if (!isConflicting.ok) return isConflicting;
  const {author} = own.value.event;
  if (!isConflicting.value || author === null || !(await github.writes(author)))
    return notOurs("It does not conflict, or its requester may not write any more.");
  return ok({...own.value, event: {...own.value.event, request: {kind: "update", conflicts: []}}});
}
