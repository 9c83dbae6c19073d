/** The failed workflow run that starts a run: it must be about Assay's own newest commit on an open pull request. */
import {ok, type Result} from "../record/words.ts";
import type {GitHubFailure} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {type CompletedEvent, type NotOurs, notOurs, withOwnPullRequest} from "./own-pull-request.ts";
import type {RunContext} from "./run-context.ts";

/** The event with the failed workflow as its request. The payload only names the run. */
export async function completeRedRun(
  context: Pick<RunContext, "github">,
  event: Event,
): Promise<Result<CompletedEvent, GitHubFailure | NotOurs>> {
  const {github} = context;
  const reading = await github.endedRun(event.trigger.id);
  if (!reading.ok) return reading;
  const {id: run, branch, commit, repository, conclusion, endedAt, name: workflow, path, url} = reading.value;
  if (conclusion !== "failure") return notOurs("The workflow run did not fail.");
  if (repository !== event.repository.fullName)
    return notOurs("The workflow ran for no branch of Assay in this repository.");
  const pull = await github.pullRequestOf(branch);
  if (!pull.ok) return pull;
  if (pull.value?.headCommit !== commit)
    return notOurs("The workflow ran for no newest commit of an open pull request.");
  const own = await withOwnPullRequest(context, event, pull.value);
  if (!own.ok) return own;
  const request = {kind: "ci" as const, run, commit, issue: own.value.issue, workflow, path, url};
  return ok({...own.value, event: {...own.value.event, createdAt: endedAt, request}});
}
