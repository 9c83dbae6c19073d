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
import {type CompletedEvent, type NotOurs, notOurs, withOwnPullRequest} from "./own-pull-request.ts";
import type {RunContext} from "./run-context.ts";

/** GitHub's answers about a deleted issue, or a commit that it does not know. */
const GONE_STATUSES = new Set([404, 410, 422]);
/** GitHub ends a job after this time, so that an older comment in progress is of a machine that died. */
const LONGEST_JOB_MS = 6 * 3_600_000;

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
  context: Pick<RunContext, "github">,
  event: Event,
  pull: PullRequest,
): Promise<Result<CompletedEvent, GitHubFailure | NotOurs>> {
  const {github} = context;
  const own = await withOwnPullRequest(context, event, pull, true);
  if (!own.ok) return own;
  const [self, comments] = [await github.whoami(), await github.comments(pull.number)];
  if (!self.ok) return self;
  if (!comments.ok) return comments;
  const ownComments = comments.value.filter(({author}) => isOwnAccount(self.value, author));
  const bodies = ownComments.map(({body}) => body);
  const hadRounds = sumEarlierRuns(bodies, runId(event)).rounds.runs >= MAX_ROUNDS;
  const isRunning = ownComments.some(({body, createdAt}) => {
    const isNew = Date.parse(event.createdAt) - Date.parse(createdAt) < LONGEST_JOB_MS;
    return isNew && isProgress(body) && !isCommentOf(event)(body);
  });
  if (hadRounds || isRunning) return notOurs("It had its rounds, or a run works on it.");
  const isConflicting = await github.isConflicting(pull.number);
  if (!isConflicting.ok) return isConflicting;
  const {author} = own.value.event;
  const mayAsk = isConflicting.value && author !== null && (await github.writes(author));
  if (!mayAsk) return notOurs("It does not conflict, or its requester may not write any more.");
  return ok({...own.value, event: {...own.value.event, request: {kind: "update", conflicts: []}}});
}
