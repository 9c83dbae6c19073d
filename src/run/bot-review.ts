/** The review of a bot that `verify.json` names: it starts a run on Assay's own pull request, for the person who asked. */

import {readConfig} from "../detect/config/read-config.ts";
import {isOwnAccount} from "../github/comments.ts";
import {ok, type Result} from "../record/words.ts";
import type {GitHubFailure} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {readFromGitHub} from "./extended-config.ts";
import {type CompletedEvent, type NotOurs, notOurs, withOwnPullRequest} from "./own-pull-request.ts";
import type {RunContext} from "./run-context.ts";

/** The event with the review as its request. Only a review with comments asks for something. */
export async function completeBotReview(
  context: Pick<RunContext, "github" | "inputs" | "runner" | "log">,
  event: Event,
): Promise<Result<CompletedEvent, GitHubFailure | NotOurs>> {
  const {github} = context;
  const {author, review, thread} = event;
  const self = await github.whoami();
  if (!self.ok) return self;
  if (author === null || review === undefined || isOwnAccount(self.value, author))
    return notOurs("The review is Assay's own, or its author is unknown.");
  const config = await readConfig(async (path) => {
    const file = await github.fileOnDefaultBranch(path);
    return file.ok ? ok(file.value?.text ?? null) : file;
  }, readFromGitHub(context));
  const name = author.login.toLowerCase();
  if (!config.ok || !config.value.reviewers.some((one) => one.toLowerCase() === name))
    return notOurs(`verify.json does not name ${author.login} in \`reviewers\`.`);
  const comments = await github.reviewComments({number: thread.number, review});
  if (!comments.ok) return comments;
  if (comments.value.length === 0) return notOurs("The review has no comments on lines.");
  const pull = await github.pullRequest(thread.number);
  const own = pull.ok ? await withOwnPullRequest(context, event, pull.value) : pull;
  if (!own.ok) return own;
  const text = `The bot ${author.login} has reviewed this pull request, which is your work. Check each of its comments, and change what is really wrong.`;
  return ok({...own.value, event: {...own.value.event, request: {kind: "work", text}}});
}
