/** First step: reads the request, checks whether its author may make it, and creates the run's one comment. */
import {join} from "node:path";
import {readMarker} from "../src/github/marker.ts";
import {saveState, writeSummary} from "../src/github/runner.ts";
import {otherServer} from "../src/github/server.ts";
import {inline} from "../src/markdown/escape.ts";
import type {Failure} from "../src/record/failure.ts";
import {ok} from "../src/record/words.ts";
import {renderHelp, renderProgress, renderRefusal} from "../src/report/live.ts";
import {
  type Admission,
  admit as decide,
  isFork,
  type RefusedRequest,
  rateLimitRefusal,
  screen,
} from "../src/request/admission.ts";
import {type Event, keptPayload, readEvent} from "../src/request/event.ts";
import {type AdmittedRun, firstRecord, isCommentOf, type PinnedHead, runId} from "../src/run/admitted-run.ts";
import {answerDroppedRequests} from "../src/run/dropped-requests.ts";
import {openLiveComment} from "../src/run/live-comment.ts";
import {writeRunOutputs} from "../src/run/outputs.ts";
import {createRecordFile, type RecordFile} from "../src/run/record-file.ts";
import {type RunContext, runFolder} from "../src/run/run-context.ts";

export type AdmitOutcome =
  | {readonly kind: "go"; readonly run: AdmittedRun}
  /** nothing left to do; red only if GitHub or the event could not be read */
  | {
      readonly kind: "over";
      readonly why: string;
      readonly isRed: boolean;
      /** null without a request */
      readonly event: Event | null;
    };

type AdmittedRequest = Extract<Admission, {kind: "admitted"}>;

/** Admits the run. A run that is over at once has taken a place in the queue too, so it answers the comments that it displaced. */
export async function admit(context: RunContext): Promise<AdmitOutcome> {
  const outcome = await decideOutcome(context);
  if (outcome.kind === "over" && outcome.event !== null) await answerDroppedRequests({context, event: outcome.event});
  return outcome;
}

/** Reads the event, asks GitHub who may do what, and decides. */
async function decideOutcome(context: RunContext): Promise<AdmitOutcome> {
  const reading = readEvent(context.runner.eventName, context.event);
  if (reading.kind !== "event") {
    return {kind: "over", why: reading.why, isRed: reading.kind === "unreadable", event: null};
  }
  const {event} = reading;
  const {number, isPullRequest} = event.thread;
  const screened = screen(event, {phrase: context.inputs["trigger-phrase"]});
  if (screened.kind !== "asked") return turnAway({context, event, admission: screened});

  const {github} = context;
  const [access, pull] = await Promise.all([
    github.permission(screened.author.login),
    isPullRequest ? readHead({context, event}) : null,
  ]);
  const admission = decide({
    asked: screened,
    event,
    access,
    pullRequest: pull,
    runsApart: context.inputs.job === "admit",
    lacksArtifacts: otherServer(context.runner.serverUrl) !== null,
  });
  if (admission.kind !== "admitted") return turnAway({context, event, admission});

  const answers: string[] = [];
  const earlier = await github.findComment(number, (body, createdAt) => {
    if (readMarker(body) !== null && createdAt !== undefined) answers.push(createdAt);
    return isCommentOf(event)(body);
  });
  if (!earlier.ok) {
    const why = `the thread could not be read: ${earlier.failure.message}`;
    await writeSummary(`⚠️ Nothing was done: ${inline(why)}. Comment again later.\n`);
    return {kind: "over", why, isRed: true, event: null};
  }
  // "Re-run" starts the request again; a payload that GitHub delivers twice does not (P9).
  if (earlier.value !== null && context.runner.runAttempt === "1") {
    return {kind: "over", why: "this comment has had its run already", isRed: false, event};
  }
  const most = context.inputs["runs-per-hour"];
  const refusal =
    earlier.value === null ? rateLimitRefusal({answers, at: event.createdAt, most, byName: screened.byName}) : null;
  if (refusal !== null) return turnAway({context, event, admission: refusal});
  if (admission.request.kind === "help") return help({context, event});
  return {
    kind: "go",
    run: await begin({
      context,
      event,
      admission,
      head: pull?.ok === true ? pull.value.pinned : null,
      isFirst: answers.length === 0,
      earlierId: earlier.value?.id ?? null,
    }),
  };
}

/** The current head and the time of its push, if GitHub knows it. */
async function readHead({context, event}: {context: RunContext; event: Event}) {
  const {number} = event.thread;
  const pull = await context.github.pullRequest(number);
  if (!pull.ok) return pull;
  const {headRepository, headBranch, headCommit, baseBranch} = pull.value;
  const fork = isFork(pull.value, event);
  // A fork's branch may have the name of one of ours.
  const ref = fork ? `refs/pull/${number}/head` : `refs/heads/${headBranch}`;
  const pinned: PinnedHead = {ref, commit: headCommit, baseBranch, isFork: fork};
  if (fork) return ok({headRepository, pinned, pushedAt: pull.value.headRepositoryPushedAt});
  const pushed = await context.github.pushedAt(headBranch);
  if (!pushed.ok) context.log(`when the head was pushed is not known: ${pushed.failure.message}`);
  return ok({headRepository, pinned, pushedAt: pushed.ok ? pushed.value : null});
}

/** 👀 and the run's one comment, before anything slow; the record comes first, so that `post` can close what dies here. */
async function begin(o: {
  context: RunContext;
  event: Event;
  admission: AdmittedRequest;
  head: AdmittedRun["head"];
  /** the thread has no report of Assay yet */
  isFirst: boolean;
  earlierId: number | null;
}): Promise<AdmittedRun> {
  const {context, event, head, admission} = o;
  const {github, runner} = context;
  const marker = {run: runId(event), session: null};
  const folder = runFolder(runner, marker.run);
  saveState("event", keptPayload(event));
  const record = createRecordFile({
    file: join(folder, "record.json"),
    record: firstRecord({
      ...o,
      request: admission.request,
      startedAt: context.now(),
      showsPlan: o.isFirst,
      commentId: o.earlierId,
    }),
    redact: context.redact,
  });
  writeRunOutputs({context, record});
  const eyes = github.react({trigger: event.trigger, content: "eyes"});
  const body = renderProgress({marker, runUrl: runner.runUrl, phase: {kind: "starting"}});
  let commentId = o.earlierId;
  if (commentId === null) {
    const made = await github.createComment({number: event.thread.number, body, isIt: isCommentOf(event)});
    if (made.ok) commentId = made.value.id;
    else {
      context.log(`the run's comment could not be made: ${made.failure.message}; its report goes to the job summary`);
      if (NO_PERMISSION.test(made.failure.message)) refuseWithoutComment(record, made.failure);
    }
  }
  const {thread} = record.current();
  if (thread !== null) record.update({thread: {...thread, commentId}});
  const comment = openLiveComment({github, number: event.thread.number, isIt: isCommentOf(event), id: commentId});
  const reaction = await eyes;
  return {context, folder, marker, event, record, comment, eyes: reaction.ok ? reaction.value : null, head};
}

/** GitHub's message for a missing permission. A rate limit has the same status. */
const NO_PERMISSION = /not accessible by (?:integration|personal access token)/i;

function refuseWithoutComment(record: RecordFile, failure: Failure): void {
  record.addFailure(failure);
  record.update({verdict: {kind: "unverified", why: "gate-error", detail: ""}});
}

async function help(o: {context: RunContext; event: Event}): Promise<AdmitOutcome> {
  const {context, event} = o;
  const body = renderHelp({marker: {run: runId(event), session: null}, phrase: context.inputs["trigger-phrase"]});
  await answer({context, event, body});
  return {kind: "over", why: "help was asked for and given", isRed: false, event};
}

/** Answers once in the thread; if that fails, in the job's summary. */
async function answer({context, event, body}: {context: RunContext; event: Event; body: string}): Promise<void> {
  const {github} = context;
  const {number} = event.thread;
  const isIt = isCommentOf(event);
  const said = await github.findComment(number, isIt);
  if (said.ok && said.value !== null) return;
  const made = said.ok ? await github.createComment({number, body, isIt}) : said;
  if (!made.ok) await writeSummary(body);
}

async function turnAway(o: {context: RunContext; event: Event; admission: RefusedRequest}): Promise<AdmitOutcome> {
  const {context, event, admission} = o;
  if (admission.kind === "refused" && admission.line !== null) {
    const body = renderRefusal({marker: {run: runId(event), session: null}, line: admission.line});
    await answer({context, event, body});
  }
  return {kind: "over", why: admission.why, isRed: false, event: admission.kind === "refused" ? event : null};
}
