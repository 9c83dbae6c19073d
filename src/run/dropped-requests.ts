/** Comments that asked for a run and will get none, because the server dropped it from the line of those that wait. */

import {isBy, type ThreadComment} from "../github/comments.ts";
import {readMarker} from "../github/marker.ts";
import type {Self} from "../github/people.ts";
import {renderSuperseded} from "../report/live.ts";
import {screen} from "../request/admission.ts";
import {type AdmittedRun, runId} from "./admitted-run.ts";
import type {RunContext} from "./run-context.ts";

/** A job lasts at most six hours on GitHub's machines: what waited longer than that was not dropped for this run. */
const WINDOW_MS = 6 * 3_600_000;
const MOST_ANSWERS = 10;

/**
 * Answers, each once, the comments of this thread that called Assay before this run's own and have no answer: runs of one
 * issue start in order, so theirs was dropped. Servers without `queue: max` keep one waiting run only. Later comments still
 * wait, or are answered by the run that took their place. Failing to is logged only; the report stands already.
 */
export async function answerDroppedRequests({context, event}: Pick<AdmittedRun, "context" | "event">): Promise<void> {
  const {github, log} = context;
  const {number} = event.thread;
  const since = new Date(Date.parse(event.createdAt) - WINDOW_MS).toISOString();
  const self = await github.whoami();
  if (!self.ok) return log(`dropped comments could not be looked for: ${self.failure.message}`);
  const thread = await github.comments(number, since);
  if (!thread.ok) return log(`dropped comments could not be looked for: ${thread.failure.message}`);
  const dropped = unanswered({context, event, self: self.value, comments: thread.value});
  let answers = 0;
  for (const {id, author} of dropped) {
    if (answers >= MOST_ANSWERS) return;
    // Strangers get none, and take nobody's.
    if (author === null || !(await github.writes(author))) continue;
    answers += 1;
    const marker = {run: supersededId(id), session: null};
    const isIt = (body: string) => readMarker(body)?.run === marker.run;
    const said = await github.createComment({number, body: renderSuperseded(marker), isIt});
    if (!said.ok) log(`a dropped comment could not be answered: ${said.failure.message}`);
  }
}

/** A mark of its own: were the run to come after all, it would not take this answer for its report. */
const supersededId = (id: number) => `superseded-${id}`;

/** Oldest first. An edited comment may have become a request only later, when GitHub starts no run. */
function unanswered(o: {
  context: RunContext;
  event: AdmittedRun["event"];
  self: Self;
  comments: readonly ThreadComment[];
}): ThreadComment[] {
  const {context, event, self, comments} = o;
  const answers = comments.filter(({author}) => isBy(self, author));
  const answered = new Set(answers.map(({body}) => readMarker(body)?.run));
  const phrase = context.inputs["trigger-phrase"];
  return comments.filter(({id, body, author, createdAt, updatedAt}) => {
    const asked = {...event, trigger: {kind: "comment" as const, id}, text: body, author, createdAt};
    const isHeard = runId(asked) === runId(event) || answered.has(runId(asked)) || answered.has(supersededId(id));
    // GitHub's clock counts in seconds; within one, the ids say what came first.
    const isOlder = event.trigger.kind === "comment" && createdAt === event.createdAt && id < event.trigger.id;
    const isEarlier = createdAt < event.createdAt || isOlder;
    return isEarlier && !isHeard && createdAt === updatedAt && screen(asked, {phrase}).kind === "asked";
  });
}
