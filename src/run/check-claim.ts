/** Checks whether Assay made a commit whose message claims that. */
import {isOwnAccount, type ThreadComment} from "../github/comments.ts";
import {readMarker} from "../github/marker.ts";
import type {ClaimedRun} from "../publish/last-run.ts";
import {ok, type Result} from "../record/words.ts";
import {short} from "../report/format.ts";
import type {GitHubFailure} from "../request/admission.ts";
import type {RunContext} from "./run-context.ts";

/**
 * A commit is Assay's if an Assay report names it: anyone can fake a commit's author and trailers, but not Assay's
 * comments.
 */
export function createClaimCheck({
  context,
}: {
  context: Pick<RunContext, "github">;
}): (claim: ClaimedRun) => Promise<Result<boolean, GitHubFailure>> {
  const threads = new Map<number, Result<ThreadComment[], GitHubFailure>>();
  return async ({commit, run, issue}) => {
    if (issue === null) return ok(false);
    const self = await context.github.whoami();
    if (!self.ok) return self;
    const comments = threads.get(issue) ?? (await context.github.comments(issue));
    threads.set(issue, comments);
    if (!comments.ok) return comments;
    const names = ({author, body}: ThreadComment) =>
      isOwnAccount(self.value, author) && readMarker(body)?.run === run && body.includes(`\`${short(commit)}\``);
    return ok(comments.value.some(names));
  };
}
