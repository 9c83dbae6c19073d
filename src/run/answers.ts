/** Answers requests that need no run, next to a run of the same thread. */
import {isOwnAccount, type ThreadComment} from "../github/comments.ts";
import {savedIn} from "../github/marker.ts";
import type {Request} from "../record/record.ts";
import {
  renderHelp,
  renderRemembered,
  renderStatus,
  renderStopped,
  renderUnknown,
  type StopResult,
} from "../report/answers.ts";
import {isProgress} from "../report/live.ts";
import {entryOf, entryText} from "../specs/memory.ts";
import {type AdmittedRun, runId} from "./admitted-run.ts";
import {findUnanswered} from "./dropped-requests.ts";
import type {RunContext} from "./run-context.ts";

type AskedAnswer = Pick<AdmittedRun, "context" | "event">;

/** The comment that answers the request. `/stop` cancels the run first. */
export async function answerRequest({request, ...origin}: AskedAnswer & {request: Request}): Promise<string> {
  const marker = {run: runId(origin.event), session: null};
  switch (request.kind) {
    case "status":
      return renderStatus({marker, status: await readStatus(origin)});
    case "stop":
      return renderStopped({marker, result: await stopRun(origin)});
    case "remember":
      return renderRemembered({marker, ...rememberedBy(origin, request.text)});
    case "unknown":
      return renderUnknown({marker, word: request.word, like: request.like});
    default:
      return renderHelp({marker, phrase: origin.context.inputs["trigger-phrase"]});
  }
}

/** The entry, and GitHub's page where the person creates its file. Assay writes nothing. */
function rememberedBy({context, event}: AskedAnswer, text: string) {
  const {author, trigger, repository} = event;
  const comment = ["comment", "review-comment"].includes(trigger.kind) ? trigger.id : 0;
  const kept = entryOf({
    ...{text: context.redact(text), by: author?.login ?? "", comment},
    ...(event.code && {path: event.code.path}),
  });
  if (kept === null) return {content: null, page: ""};
  const content = entryText(kept.entry);
  const page = new URL(`${context.runner.serverUrl}/${repository.fullName}/new/${repository.defaultBranch}`);
  page.search = String(new URLSearchParams({filename: kept.path, value: content})).replaceAll("*", "%2A");
  return {content, page: page.href};
}

/** Assay's comments of a thread, oldest first, and all comments. Empty if GitHub does not answer. */
async function readComments({context, event}: AskedAnswer) {
  const {github} = context;
  const [self, all] = [await github.whoami(), await github.comments(event.thread.number)];
  if (!self.ok || !all.ok) return {self: null, all: [], own: []};
  return {self: self.value, all: all.value, own: all.value.filter(({author}) => isOwnAccount(self.value, author))};
}

/** The id of the workflow run that a comment in progress links to; only a run of this repository counts. */
function linkedRun({runner}: RunContext, {body}: ThreadComment): string | null {
  const page = `${runner.serverUrl}/${runner.repository}/actions/runs/`;
  const index = body.indexOf(page);
  return index < 0 ? null : (/^\d{1,20}/.exec(body.slice(index + page.length))?.[0] ?? null);
}

const runningComment = (own: readonly ThreadComment[]) => own.findLast(({body}) => isProgress(body));

async function readStatus({context, event}: AskedAnswer) {
  const {self, all, own} = await readComments({context, event});
  const {serverUrl, repository} = context.runner;
  const runningAnswer = runningComment(own);
  const id = runningAnswer === undefined ? null : linkedRun(context, runningAnswer);
  const waitingRequests = [];
  for (const {author} of self === null ? [] : findUnanswered({context, event, self, comments: all}))
    if (author !== null && (await context.github.writes(author))) waitingRequests.push(author.login);
  const parkedCommit = own.map(({body}) => savedIn(body)).findLast((saved) => saved !== null);
  const report = own.findLast(({body}) => /^\*\*/m.test(body));
  return {
    running:
      runningAnswer === undefined || id === null
        ? null
        : {url: `${serverUrl}/${repository}/actions/runs/${id}`, since: runningAnswer.createdAt},
    waiting: waitingRequests,
    saved: parkedCommit === undefined || parkedCommit === "none" ? null : parkedCommit,
    report:
      report === undefined
        ? null
        : `${serverUrl}/${repository}/issues/${event.thread.number}#issuecomment-${report.id}`,
  };
}

/** Cancels the workflow run that the newest comment in progress names. A cancelled run saves its work itself. */
async function stopRun({context, event}: AskedAnswer): Promise<StopResult> {
  const {self, own} = await readComments({context, event});
  if (self === null) return "not-answered";
  const runningAnswer = runningComment(own);
  const id = runningAnswer === undefined ? null : linkedRun(context, runningAnswer);
  if (id === null) return "nothing-runs";
  const cancellation = await context.github.cancelRun(id);
  if (cancellation.ok) return cancellation.value === "cancelled" ? "stopped" : "over";
  context.log(cancellation.failure.message);
  return cancellation.failure.status === 403 ? "not-allowed" : "not-answered";
}
