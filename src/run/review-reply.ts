/** Answers a comment on lines of a pull request where it was written: with the result, and a link to the report. */
import {headlineOf} from "../report/headline.ts";
import {renderReply} from "../report/live.ts";
import type {AdmittedRun} from "./admitted-run.ts";

/**
 * The report stays in the pull request's conversation, where the other runs have theirs. Nothing for other triggers.
 */
export async function replyInReview({context, event, marker, record}: AdmittedRun): Promise<void> {
  const {trigger, repository, thread} = event;
  const commentId = record.current().thread?.commentId ?? null;
  if (trigger.kind !== "review-comment" || commentId === null || context.signal.aborted) return;
  const {icon, headline} = headlineOf(record.current());
  const report = `${context.runner.serverUrl}/${repository.fullName}/pull/${thread.number}#issuecomment-${commentId}`;
  const body = renderReply({marker, headline: `**${icon} ${headline}**`, report});
  const reply = await context.github.replyInReview({number: thread.number, comment: trigger.id, body});
  if (!reply.ok) context.log(`The reply in the review could not be written: ${reply.failure.message}`);
}
