/** First step: what is asked, may this person ask it, and the one comment of the run, all before anything slow. */
import {join} from "node:path";
import {type Marker, readMarker} from "../src/github/marker.ts";
import {saveState, writeSummary} from "../src/github/runner.ts";
import {otherServer} from "../src/github/server.ts";
import {inline} from "../src/markdown/escape.ts";
import type {Failure} from "../src/record/failure.ts";
import type {RunRecord} from "../src/record/record.ts";
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
import {type LiveComment, openLiveComment} from "../src/run/live-comment.ts";
import {writeRunOutputs} from "../src/run/outputs.ts";
import {createRecordFile, type RecordFile} from "../src/run/record-file.ts";
import {type RunContext, runFolder} from "../src/run/run-context.ts";

/** A run that may go on. */
export interface AdmittedRun {
  readonly world: RunContext;
  readonly folder: string;
  readonly marker: Marker;
  readonly event: Event;
  readonly record: RecordFile;
  readonly comment: LiveComment;
  /** the 👀, to be taken back at the end; null when it could not be put */
  readonly eyes: number | null;
  /** the pull request's head, as it was when the comment came; null on an issue */
  readonly head: PinnedHead | null;
}

export interface PinnedHead {
  /** full name in this repository, `refs/pull/N/head` for one of a fork */
  readonly ref: string;
  readonly commit: string;
  readonly baseBranch: string;
  readonly isFork: boolean;
}

export type AdmitOutcome =
  | {readonly kind: "go"; readonly run: AdmittedRun}
  /** nothing to do any more; red only when GitHub or the event could not be read */
  | {
      readonly kind: "over";
      readonly why: string;
      readonly isRed: boolean;
      /** null when nobody asked for anything */
      readonly event: Event | null;
    };

type AdmittedRequest = Extract<Admission, {kind: "admitted"}>;

/** Reads the event, asks GitHub who may do what, and decides. */
export async function admit(world: RunContext): Promise<AdmitOutcome> {
  const reading = readEvent(world.context.eventName, world.event);
  if (reading.kind !== "event") {
    return {kind: "over", why: reading.why, isRed: reading.kind === "unreadable", event: null};
  }
  const {event} = reading;
  const {number, isPullRequest} = event.thread;
  const screened = screen(event, {phrase: world.inputs["trigger-phrase"]});
  if (screened.kind !== "asked") return turnAway({world, event, admission: screened});

  const {github} = world;
  const [access, pull] = await Promise.all([
    github.permission(screened.author.login),
    isPullRequest ? readHead({world, event}) : null,
  ]);
  const admission = decide({
    asked: screened,
    event,
    access,
    pullRequest: pull,
    runsApart: world.inputs.job === "admit",
    lacksArtifacts: otherServer(world.context.serverUrl) !== null,
  });
  if (admission.kind !== "admitted") return turnAway({world, event, admission});

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
  // Someone who presses "re-run" wants it again; a payload that comes twice does not (P9).
  if (earlier.value !== null && world.context.runAttempt === "1") {
    return {kind: "over", why: "this comment has had its run already", isRed: false, event};
  }
  const most = world.inputs["runs-per-hour"];
  const refusal =
    earlier.value === null ? rateLimitRefusal({answers, at: event.createdAt, most, byName: screened.byName}) : null;
  if (refusal !== null) return turnAway({world, event, admission: refusal});
  if (admission.request.kind === "help") return help({world, event});
  return {
    kind: "go",
    run: await begin({
      world,
      event,
      admission,
      head: pull?.ok === true ? pull.value.pinned : null,
      isFirst: answers.length === 0,
      earlierId: earlier.value?.id ?? null,
    }),
  };
}

/** The head as it is now, and when it was pushed; where GitHub does not say when, it stays pinned as it was found. */
async function readHead({world, event}: {world: RunContext; event: Event}) {
  const {number} = event.thread;
  const pull = await world.github.pullRequest(number);
  if (!pull.ok) return pull;
  const {headRepository, headBranch, headCommit, baseBranch} = pull.value;
  const fork = isFork(pull.value, event);
  // A fork's branch may have the name of one of ours.
  const ref = fork ? `refs/pull/${number}/head` : `refs/heads/${headBranch}`;
  const pinned: PinnedHead = {ref, commit: headCommit, baseBranch, isFork: fork};
  if (fork) return ok({headRepository, pinned, pushedAt: pull.value.headRepositoryPushedAt});
  const pushed = await world.github.pushedAt(headBranch);
  if (!pushed.ok) world.log(`when the head was pushed is not known: ${pushed.failure.message}`);
  return ok({headRepository, pinned, pushedAt: pushed.ok ? pushed.value : null});
}

/** One id per trigger, so that the same comment delivered twice is the same run. */
export function runId({trigger}: Pick<Event, "trigger">): string {
  return `${trigger.kind}-${trigger.id}`;
}

/** Tells the run's own comment by its hidden marker, whether it names a session yet or not. */
export const isCommentOf = (event: Event) => (body: string) => readMarker(body)?.run === runId(event);

/** 👀 and the run's one comment, before anything slow; the record comes first, so that `post` can close what dies here. */
async function begin(o: {
  world: RunContext;
  event: Event;
  admission: AdmittedRequest;
  head: AdmittedRun["head"];
  /** no report of Assay stands in the thread yet */
  isFirst: boolean;
  earlierId: number | null;
}): Promise<AdmittedRun> {
  const {world, event, head, admission} = o;
  const {github, context} = world;
  const marker = {run: runId(event), session: null};
  const folder = runFolder(context, marker.run);
  saveState("event", keptPayload(event));
  const record = createRecordFile({
    file: join(folder, "record.json"),
    record: firstRecord({
      ...o,
      request: admission.request,
      startedAt: world.now(),
      showsPlan: o.isFirst,
      commentId: o.earlierId,
    }),
    redact: world.redact,
  });
  writeRunOutputs({world, record});
  const eyes = github.react({trigger: event.trigger, content: "eyes"});
  const body = renderProgress({marker, runUrl: context.runUrl, phase: {kind: "starting"}});
  let commentId = o.earlierId;
  if (commentId === null) {
    const made = await github.createComment({number: event.thread.number, body, isIt: isCommentOf(event)});
    if (made.ok) commentId = made.value.id;
    else {
      world.log(`the run's comment could not be made: ${made.failure.message}; its report goes to the job summary`);
      if (NO_PERMISSION.test(made.failure.message)) refuseWithoutComment(record, made.failure);
    }
  }
  const {thread} = record.current();
  if (thread !== null) record.update({thread: {...thread, commentId}});
  const comment = openLiveComment({github, number: event.thread.number, isIt: isCommentOf(event), id: commentId});
  const reaction = await eyes;
  return {world, folder, marker, event, record, comment, eyes: reaction.ok ? reaction.value : null, head};
}

/** GitHub's words to a token that lacks a permission. A rate limit has the same status. */
const NO_PERMISSION = /not accessible by (?:integration|personal access token)/i;

function refuseWithoutComment(record: RecordFile, failure: Failure): void {
  record.addFailure(failure);
  record.update({verdict: {kind: "unverified", why: "gate-error", detail: ""}});
}

async function help(o: {world: RunContext; event: Event}): Promise<AdmitOutcome> {
  const {world, event} = o;
  const body = renderHelp({marker: {run: runId(event), session: null}, phrase: world.inputs["trigger-phrase"]});
  await answer({world, event, body});
  return {kind: "over", why: "help was asked for and given", isRed: false, event};
}

/** A short answer in the thread, once; where that cannot be, in the job's summary. */
async function answer({world, event, body}: {world: RunContext; event: Event; body: string}): Promise<void> {
  const {github} = world;
  const {number} = event.thread;
  const isIt = isCommentOf(event);
  const said = await github.findComment(number, isIt);
  if (said.ok && said.value !== null) return;
  const made = said.ok ? await github.createComment({number, body, isIt}) : said;
  if (!made.ok) await writeSummary(body);
}

async function turnAway(o: {world: RunContext; event: Event; admission: RefusedRequest}): Promise<AdmitOutcome> {
  const {world, event, admission} = o;
  if (admission.kind === "refused" && admission.line !== null) {
    const body = renderRefusal({marker: {run: runId(event), session: null}, line: admission.line});
    await answer({world, event, body});
  }
  return {kind: "over", why: admission.why, isRed: false, event: admission.kind === "refused" ? event : null};
}

/** What is known of a run before anything of it has been done. */
export function firstRecord(o: {
  world: Pick<RunContext, "context" | "version">;
  event: Event;
  request: NonNullable<RunRecord["request"]>;
  startedAt: string;
  showsPlan: boolean;
  commentId: number | null;
  notes?: RunRecord["notes"];
}): RunRecord {
  const {world, event} = o;
  return {
    schema: "assay.record/1",
    run: {id: runId(event), url: world.context.runUrl, startedAt: o.startedAt, finishedAt: null, assay: world.version},
    request: o.request,
    thread: {
      repository: event.repository.fullName,
      number: event.thread.number,
      isPullRequest: event.thread.isPullRequest,
      trigger: event.trigger,
      actor: event.author?.login ?? "",
      commentId: o.commentId,
    },
    base: null,
    rules: null,
    plan: null,
    showsPlan: o.showsPlan,
    attempts: [],
    verdict: {kind: "unverified", why: "cancelled", detail: "the run has not come to a verdict"},
    publication: {kind: "none"},
    failures: [],
    notes: o.notes ?? [],
    session: null,
  };
}
