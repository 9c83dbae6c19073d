/** A push to the default branch: it starts `/update` on one pull request of Assay that now conflicts. */
import {isOwnAccount} from "../github/comments.ts";
import {issueOfBranch} from "../publish/target.ts";
import {ok, type Result} from "../record/words.ts";
import {type GitHubFailure, MAX_ROUNDS} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {runId} from "./admitted-run.ts";
import {sumEarlierRuns} from "./earlier-runs.ts";
import {type CompletedEvent, type NotOurs, notOurs, withOwnPullRequest} from "./own-pull-request.ts";
import type {RunContext} from "./run-context.ts";

/** The event with the update as its request. A pull request without rounds left does not keep the others waiting. */
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
  for (const pull of open.value) {
    const isOnDefaultBranch = pull.baseBranch === repository.defaultBranch;
    if (!isOnDefaultBranch || issueOfBranch(`refs/heads/${pull.headBranch}`) === null) continue;
    const own = await withOwnPullRequest(context, event, pull, true);
    if (!own.ok && own.failure.kind === "not-ours") continue;
    if (!own.ok) return own;
    const comments = await github.comments(pull.number);
    if (!comments.ok) return comments;
    const ownBodies = comments.value.flatMap((one) => (isOwnAccount(self.value, one.author) ? [one.body] : []));
    if (sumEarlierRuns(ownBodies, runId(event)).rounds.runs >= MAX_ROUNDS) continue;
    const isConflicting = await github.isConflicting(pull.number);
    if (!isConflicting.ok) return isConflicting;
    if (isConflicting.value)
      return ok({...own.value, event: {...own.value.event, request: {kind: "update", conflicts: []}}});
  }
  return notOurs("No open pull request of Assay conflicts with the default branch.");
}
