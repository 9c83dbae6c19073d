/** A review with several comments is one request: the agent gets all of them, and each of their threads an answer. */
import {readMarker, runMarker} from "../github/marker.ts";
import {ok, type Result} from "../record/words.ts";
import {headlineOf} from "../report/headline.ts";
import {renderThreadAnswer} from "../report/live.ts";
import {type CallingWords, type GitHubFailure, requestOf} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {RunContext} from "./run-context.ts";

/** GitHub asks for at least a second between two comments. */
const MAX_THREADS = 30;

type Reads = {readonly github: Pick<RunContext["github"], "reviewComments" | "reviewText">};

/** The other comments of the review that the request is in; empty for any other request. */
export async function otherComments({context, event}: {context: Reads; event: Event}) {
  const {review, thread, trigger} = event;
  if (review === undefined) return ok([]);
  const comments = await context.github.reviewComments({number: thread.number, review});
  if (!comments.ok) return comments;
  return ok(
    comments.value.filter(({id}) => trigger.kind !== "review-comment" || id !== trigger.id).slice(0, MAX_THREADS),
  );
}

/**
 * True if another event of the same review starts the run: the review's own text, or an earlier comment. Other commands
 * than work stay requests of their own.
 */
export async function isPartOfRequest(
  {github}: Reads,
  event: Event,
  words: CallingWords,
): Promise<Result<boolean, GitHubFailure>> {
  const {review, thread, trigger} = event;
  const isWork = (text: string) => requestOf({...event, text}, words)?.kind === "work";
  if (trigger.kind !== "review-comment" || review === undefined || !isWork(event.text)) return ok(false);
  const place = {number: thread.number, review};
  const [text, comments] = [await github.reviewText(place), await github.reviewComments(place)];
  if (!text.ok) return text;
  if (!comments.ok) return comments;
  const first = comments.value.find(({body}) => isWork(body));
  return ok(isWork(text.value) || (first !== undefined && first.id !== trigger.id));
}

/** Answers in each thread, with the commit that changes its file. Whether a thread is resolved is a person's decision. */
export async function answerThreads(run: AdmittedRun): Promise<void> {
  const {context, event, marker} = run;
  const {github, runner, redact, withheld, signal} = context;
  const closed = redactRecord({record: run.record.current(), redact});
  const {thread, publication, request, attempts} = closed;
  if (thread?.commentId == null || request?.kind !== "work" || withheld !== null || signal.aborted) return;
  const comments = await otherComments(run);
  if (!comments.ok) return context.log(`The threads of the review got no answer: ${comments.failure.message}`);
  const {icon, headline} = headlineOf(closed);
  const paths = new Set(attempts.at(-1)?.changes.map(({path}) => path));
  const answers = answersOf(attempts.at(-1)?.turn?.answer ?? "");
  for (const [at, {id, path}] of comments.value.entries()) {
    const body = renderThreadAnswer({
      marker: runMarker(marker),
      headline: `${icon} ${headline}`,
      report: `${runner.serverUrl}/${event.repository.fullName}/pull/${thread.number}#issuecomment-${thread.commentId}`,
      commit: publication.kind === "published" && paths.has(path) ? publication.commit : null,
      answer: answers.get(at + 1) ?? "",
    });
    const isIt = (text: string) => readMarker(text)?.run === marker.run;
    const reply = await github.replyInReview({number: thread.number, comment: id, body, isIt});
    if (!reply.ok) return context.log(`A thread of the review got no answer: ${reply.failure.message}`);
  }
}

/** The lines of the agent's summary that the prompt asks for. */
const answersOf = (answer: string): Map<number, string> =>
  new Map([...answer.matchAll(/^Comment (\d{1,2}): (.+)$/gm)].map(([, at, text = ""]) => [Number(at), text]));
