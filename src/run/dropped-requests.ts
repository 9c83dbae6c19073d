/** Answers comments whose run GitHub dropped from the queue of waiting runs. */

import {isOwnAccount, type ThreadComment} from "../github/comments.ts";
import {readMarker} from "../github/marker.ts";
import type {Self} from "../github/people.ts";
import {renderSuperseded} from "../report/live.ts";
import {screen} from "../request/admission.ts";
import {isForAnswerJob} from "../request/command.ts";
import {type AdmittedRun, runId} from "./admitted-run.ts";
import {findRefusal} from "./find-refusal.ts";
import type {RunContext} from "./run-context.ts";

/** A job takes at most six hours on GitHub's machines, so this run cannot have displaced an older comment. */
const WINDOW_MS = 6 * 3_600_000;
const MAX_ANSWERS = 10;
const HOUR_MS = 3_600_000;

/**
 * Answers each unanswered request that came before this run's own. Runs of one issue start in order, so its run was
 * dropped: servers without `queue: max` keep only one waiting run. Later comments still wait, or the run that displaced
 * them answers. Errors are only logged, because the report of this run is already shown.
 */
export async function answerDroppedRequests({context, event}: Pick<AdmittedRun, "context" | "event">): Promise<void> {
  const {github, log} = context;
  const {number} = event.thread;
  const since = new Date(Date.parse(event.createdAt) - WINDOW_MS).toISOString();
  const self = await github.whoami();
  if (!self.ok) return log(`dropped comments could not be searched: ${self.failure.message}`);
  const thread = await github.comments(number, since);
  if (!thread.ok) return log(`dropped comments could not be searched: ${thread.failure.message}`);
  const droppedRequests = findUnanswered({context, event, self: self.value, comments: thread.value});
  let answers = 0;
  for (const {id, author} of droppedRequests) {
    if (answers >= MAX_ANSWERS) return;
    // Users without write access get no answer, and do not count towards the limit.
    if (author === null || !(await github.writes(author))) continue;
    answers += 1;
    const marker = {run: supersededId(id), session: null};
    const isThisAnswer = (body: string) => readMarker(body)?.run === marker.run;
    const answer = await github.createComment({number, body: renderSuperseded(marker), isIt: isThisAnswer});
    if (!answer.ok) log(`a dropped comment could not be answered: ${answer.failure.message}`);
  }
}

/** Differs from the run id: if the run does start later, it must not mistake this answer for its report. */
const supersededId = (id: number) => `superseded-${id}`;

/** Oldest first. An edited comment counts with its new text, because the text that started its run is lost. */
export function findUnanswered(options: {
  context: RunContext;
  event: AdmittedRun["event"];
  self: Self;
  comments: readonly ThreadComment[];
}): ThreadComment[] {
  const {context, event, self, comments} = options;
  const answers = comments.filter(({author}) => isOwnAccount(self, author));
  const answeredRuns = new Set(answers.map(({body}) => readMarker(body)?.run));
  const limitTimes = answers.filter(({body}) => findRefusal(body) === "too-often").map(({createdAt}) => createdAt);
  // One refusal stands for all requests of the next hour.
  const isOverLimit = (time: string) =>
    limitTimes.some((limit) => time >= limit && Date.parse(time) - Date.parse(limit) < HOUR_MS);
  const phrase = context.inputs["trigger-phrase"];
  return comments.filter(({id, body, author, createdAt}) => {
    const request = {...event, trigger: {kind: "comment" as const, id}, text: body, author, createdAt};
    const isForAssay =
      runId(request) === runId(event) || answeredRuns.has(runId(request)) || answeredRuns.has(supersededId(id));
    // GitHub's times are whole seconds; within one second, the ids give the order.
    const isOlder = event.trigger.kind === "comment" && createdAt === event.createdAt && id < event.trigger.id;
    const isEarlier = createdAt < event.createdAt || isOlder;
    return isEarlier && !isForAssay && !isOverLimit(createdAt) && waitsInQueue(request, phrase);
  });
}

/** Without a phrase, chat on a pull request may have been refused, which is not posted. */
function waitsInQueue(event: AdmittedRun["event"], phrase: string): boolean {
  const request = screen(event, {phrase});
  if (request.kind !== "asked" || isForAnswerJob(event.text)) return false;
  return request.byName || request.request.kind !== "work" || !event.thread.isPullRequest;
}
