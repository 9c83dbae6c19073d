/** The failed workflow run that starts a run: it must be about Assay's own newest commit on an open pull request. */
import {claimOf} from "../publish/last-run.ts";
import {requesterOf} from "../publish/message.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {GitHubFailure} from "../request/admission.ts";
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

/** A failed workflow that is not about Assay's own newest commit. */
export interface NotOurs {
  readonly kind: "not-ours";
  readonly message: string;
}

const notOurs = (message: string) => refused({kind: "not-ours" as const, message});

/**
 * The event with the pull request as its thread, and with the person who asked for the red commit as its author. All facts
 * are GitHub's: the payload only names the run.
 */
export async function completeRedRun(
  context: Pick<RunContext, "github">,
  event: Event,
): Promise<Result<CompletedEvent, GitHubFailure | NotOurs>> {
  const {github} = context;
  const reading = await github.endedRun(event.trigger.id);
  if (!reading.ok) return reading;
  const {id: run, branch, commit, repository, conclusion, endedAt, name: workflow, path, url} = reading.value;
  if (conclusion !== "failure") return notOurs("The workflow run did not fail.");
  if (repository !== event.repository.fullName || !branch.startsWith("assay/"))
    return notOurs("The workflow ran for no branch of Assay in this repository.");
  const pull = await github.pullRequestOf(branch);
  if (!pull.ok) return pull;
  if (pull.value?.headCommit !== commit)
    return notOurs("The workflow ran for no newest commit of an open pull request.");
  const newest = await github.commitOf(commit);
  if (!newest.ok) return newest;
  const [claim, requester] = [claimOf(newest.value), requesterOf(newest.value.message)];
  const isProven = claim === null ? ok(false) : await createClaimCheck({context})(claim);
  if (!isProven.ok) return isProven;
  if (!isProven.value || requester === null || !claim?.issue)
    return notOurs(
      "The newest commit of the pull request is no change of Assay: a person's, or a merge of the base branch.",
    );
  const {number} = pull.value;
  const thread = await github.issue(number);
  if (!thread.ok) return thread;
  const {title, body, state} = thread.value;
  return ok({
    isEdited: false,
    event: {
      ...event,
      createdAt: endedAt,
      author: {...requester, type: "User"},
      thread: {number, isPullRequest: true, title, body: body ?? "", state},
      ci: {kind: "ci", run, commit, issue: claim.issue, workflow, path, url},
    },
  });
}
