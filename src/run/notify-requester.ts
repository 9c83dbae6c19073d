/** Ends a finished run with one short reply, because GitHub sends no mail for an edited comment. */
import type {GitHub} from "../github/client.ts";
import type {CommentFilter} from "../github/comments.ts";
import {noticeMarker, readMarker, readNotice, runMarker} from "../github/marker.ts";
import {saveState} from "../github/runner.ts";
import {headlineOf} from "../report/headline.ts";
import {renderReply} from "../report/live.ts";
import type {AdmittedRun} from "./admitted-run.ts";

/**
 * Mentions the requester in a new comment with the result; the report stays in the run's comment. A comment on lines is
 * answered where it was written. A bot gets no reply. A repetition finds the reply and updates it.
 */
export async function notifyRequester({context, event, marker, record}: AdmittedRun): Promise<void> {
  const {github, runner, signal, withheld, log} = context;
  const {thread, publication, isQuiet = false} = record.current();
  if (thread === null || thread.commentId === null || withheld !== null || signal.aborted) return;
  const {trigger, repository, author} = event;
  const {number} = thread;
  const isInReview = trigger.kind === "review-comment";
  const requester = author?.type === "User" && !isQuiet ? author.login : null;
  if (requester === null && !isInReview) return;
  const {icon, headline} = headlineOf(record.current());
  const page = `${runner.serverUrl}/${repository.fullName}/${thread.isPullRequest ? "pull" : "issues"}/${number}`;
  const body = renderReply({
    marker: isInReview ? runMarker(marker) : noticeMarker(marker.run),
    requester,
    headline: `${icon} ${headline}`,
    report: `${page}#issuecomment-${thread.commentId}`,
    pullRequest: publication.kind === "published" ? publication.pullRequest : null,
  });
  // After a lost answer, a reply in a review is not sent again.
  if (isInReview) saveState("notified", "true");
  const reply = isInReview
    ? await github.replyInReview({
        ...{number, comment: trigger.id, body},
        isIt: (text) => readMarker(text)?.run === marker.run,
      })
    : await replyOnce(github, {number, body, isIt: (text) => readNotice(text) === marker.run});
  if (reply.ok) saveState("notified", "true");
  else log(`The requester could not be notified: ${reply.failure.message}`);
}

/** Searches first: an earlier process of the run may have sent the reply. Without a complete search, nothing is sent. */
async function replyOnce(github: GitHub, reply: {number: number; body: string; isIt: CommentFilter}) {
  const earlier = await github.findComment(reply.number, reply.isIt);
  if (!earlier.ok || earlier.value?.body === reply.body) return earlier;
  return earlier.value === null ? github.createComment(reply) : github.updateComment(earlier.value.id, reply.body);
}
