/** First step: reads the request, checks whether its author may make it, and creates the run's one comment. */
import type {PinnedPolicy} from "../src/detect/config/organization-policy.ts";
import {readMarker} from "../src/github/marker.ts";
import {saveState, writeSummary} from "../src/github/runner.ts";
import {otherServer} from "../src/github/server.ts";
import {inline} from "../src/markdown/escape.ts";
import {issueOfBranch} from "../src/publish/target.ts";
import type {Failure} from "../src/record/failure.ts";
import type {EarlierRuns} from "../src/record/record.ts";
import {ok} from "../src/record/words.ts";
import {isProgress, notAnsweredWords, renderRefusal} from "../src/report/live.ts";
import {renderLiveProgress} from "../src/report/progress.ts";
import {startProgress} from "../src/report/progress-state.ts";
import {renderWithheld} from "../src/report/withheld.ts";
import {
  type Admission,
  type AdmissionFacts,
  admit as decide,
  type GitHubFailure,
  isFork,
  REFUSAL_LINES,
  type Refusal,
  type ScreenedRequest,
  screen,
} from "../src/request/admission.ts";
import {isAnswered} from "../src/request/command.ts";
import {type Event, issueText, keptPayload, readEvent} from "../src/request/event.ts";
import {isRound, isWordless, startsWorkflow, triggerOf} from "../src/request/triggers.ts";
import {
  type AdmittedRun,
  contextOf,
  createRecord,
  isCommentOf,
  openRun,
  type PinnedHead,
  runId,
} from "../src/run/admitted-run.ts";
import {answerRequest} from "../src/run/answers.ts";
import {countAutomaticRuns, dryRunTimes} from "../src/run/automatic-runs.ts";
import {answerDroppedRequests} from "../src/run/dropped-requests.ts";
import {sumEarlierRuns} from "../src/run/earlier-runs.ts";
import {failureLines} from "../src/run/failure-lines.ts";
import {findRefusal} from "../src/run/find-refusal.ts";
import {readOrganizationPolicy} from "../src/run/organization-policy.ts";
import {writeRunOutputs} from "../src/run/outputs.ts";
import type {RecordFile} from "../src/run/record-file.ts";
import type {RunContext} from "../src/run/run-context.ts";
import {completeEvent} from "../src/run/start-event.ts";

export type AdmitOutcome =
  | {readonly kind: "go"; readonly run: AdmittedRun}
  /** nothing left to do; red if GitHub or the event could not be read, or the answer could not be posted */
  | {
      readonly kind: "over";
      readonly why: string;
      readonly isRed: boolean;
      /** null if GitHub could not be queried, or another job handles the event */
      readonly event: Event | null;
    };

/** Admits the run. A run that ends here may also have displaced others in the queue, so it answers their comments. */
export async function admit(context: RunContext): Promise<AdmitOutcome> {
  const outcome = await decideOutcome(context);
  const isQueued = context.inputs.job !== "answer";
  if (isQueued && outcome.kind === "over" && outcome.event !== null)
    await answerDroppedRequests({context, event: outcome.event});
  return outcome;
}

/** Reads the event, asks GitHub who may do what, and acts on the decision. */
async function decideOutcome(given: RunContext): Promise<AdmitOutcome> {
  const reading = readEvent(given.runner.eventName, given.event);
  if (reading.kind === "ignored") return {kind: "over", why: reading.why, isRed: false, event: null};
  if (reading.kind === "unreadable") return refuseStart({why: reading.why, line: null});
  const completion = await completeEvent(given, reading.event);
  if (!completion.ok) {
    const {failure} = completion;
    if (failure.kind === "no-thread") return refuseStart({why: failure.message, line: null});
    if (failure.kind === "not-ours") return {kind: "over", why: failure.message, isRed: false, event: null};
    await writeSummary(`⚠️ Nothing was done. ${inline(failure.message)}\n`);
    return failedAnswer(failure);
  }
  const {event, isEdited} = completion.value;
  const context = contextOf(given, event);
  const phrase = context.inputs["trigger-phrase"];
  const {label, assignee, commands} = context.inputs;
  const request = screen(event, {phrase, label, assignee, commands});
  if (request.kind !== "asked") {
    if (request.kind === "refused" && startsWorkflow(event.trigger.kind)) return refuseStart(request);
    return {kind: "over", why: request.why, isRed: false, event};
  }
  const facts = {...(await gatherFacts(context, event, request)), isEdited};
  const admission = decide(request, event, facts);
  const marker = {run: runId(event), session: null};
  switch (admission.kind) {
    case "ignored":
      return {kind: "over", why: admission.why, isRed: false, event};
    case "repeated":
      return {kind: "over", why: "this comment was already handled", isRed: false, event};
    case "unknown": {
      const reason = inline(`the thread could not be read: ${admission.failure.message}`);
      await writeSummary(`⚠️ Nothing was done: ${reason}. Comment again later.\n`);
      return failedAnswer(admission.failure);
    }
    case "refused": {
      const {why, failure} = admission;
      const {kind} = event.trigger;
      const isStart = startsWorkflow(kind) || isRound(kind);
      const isUnfinished = facts.unfinishedId !== null;
      const line = isUnfinished ? (REFUSAL_LINES.get(why) ?? why) : admission.line;
      const isPosted = line !== null && (isUnfinished || !isStart);
      const outcome = isPosted ? await answer({context, event, facts, why, body: renderRefusal({marker, line})}) : null;
      // Nobody waits for an answer about red CI or the review of a bot.
      if (isStart) return refuseStart(admission, !isRound(kind) || failure !== undefined);
      if (outcome !== null) return outcome;
      return failure === undefined ? {kind: "over", why, isRed: false, event} : failedAnswer(failure);
    }
    case "admitted": {
      if (isAnswered(admission.request)) {
        const body = await answerRequest({context, event, request: admission.request});
        return answer({context, event, facts, why: "the answer was posted", body});
      }
      // The job for answers runs next to other runs of the thread, and has no permission to push.
      if (context.inputs.job === "answer")
        return {kind: "over", why: "another job handles this", isRed: false, event: null};
      return {kind: "go", run: await begin({context, event, admission, facts})};
    }
  }
}

/** The person who starts a run looks at its page, so the page shows the refusal and the job is red. */
async function refuseStart({why, line}: {why: string; line: string | null}, isRed = true): Promise<AdmitOutcome> {
  await writeSummary(`${line ?? why}\n`);
  return {kind: "over", why: line ?? why, isRed, event: null};
}

interface GatheredFacts extends AdmissionFacts {
  readonly pullRequest: Awaited<ReturnType<typeof readHead>> | null;
  readonly pinnedPolicy: PinnedPolicy | null;
  /** the comment of an attempt of this run that died; null if there is none */
  readonly unfinishedId: number | null;
  readonly earlier: EarlierRuns;
}

async function gatherFacts(context: RunContext, event: Event, {author}: ScreenedRequest): Promise<GatheredFacts> {
  const {github, inputs, runner} = context;
  const times: string[] = [];
  const [bodies, ofIssue]: [string[], string[]] = [[], []];
  const refusals: {why: Refusal; time: string}[] = [];
  const {kind} = event.trigger;
  const [access, pullRequest, earlier, automaticRuns, dryTimes, issue, policy] = await Promise.all([
    author && github.permission(author.login),
    event.thread.isPullRequest ? readHead({context, event}) : null,
    github.findComment(event.thread.number, (body, createdAt) => {
      bodies.push(body);
      const why = findRefusal(body);
      if (why !== null && createdAt !== undefined) refusals.push({why, time: createdAt});
      else if (isRunAnswer(body) && createdAt !== undefined) times.push(createdAt);
      return isCommentOf(event)(body);
    }),
    triggerOf(kind).isAutomatic ? countAutomaticRuns(context, event) : null,
    dryRunTimes(context, event),
    isWordless(kind) ? github.issue(event.thread.number) : null,
    readOrganizationPolicy(context),
  ]);
  for (const line of policy.ok ? [] : failureLines(policy.failure, "workflow")) context.log(line);
  const workedOn = pullRequest?.ok ? issueOfBranch(pullRequest.value.pinned.ref) : null;
  const issueRead = workedOn === null ? null : await github.findComment(workedOn, (body) => ofIssue.push(body) < 0);
  const total = sumEarlierRuns([...ofIssue, ...bodies], runId(event));
  const isRerun = runner.runAttempt !== "1";
  const comment = earlier.ok ? earlier.value : null;
  return {
    access,
    pullRequest,
    unfinishedId: isRerun && comment !== null && isProgress(comment.body) ? comment.id : null,
    // Without the issue's runs, the growth of these fixes cannot be bounded.
    thread:
      isRound(kind) && issueRead?.ok === false
        ? issueRead
        : earlier.ok
          ? ok({earlierId: earlier.value?.id ?? null, times, refusals})
          : earlier,
    isRerun,
    runsPerHour: inputs["runs-per-hour"],
    dryRunTimes: dryTimes,
    automaticRuns,
    automaticRunsPerDay: inputs["automatic-runs-per-day"],
    currentText: issue?.ok ? ok(issueText({...issue.value, body: issue.value.body ?? ""})) : issue,
    pinnedPolicy: policy.ok ? policy.value : null,
    policy: policy.ok ? ok(policy.value?.rules ?? null) : policy,
    allowed: {agents: inputs["allowed-agents"], models: inputs["allowed-models"]},
    runsApart: inputs.job === "admit",
    lacksArtifacts: otherServer(runner.serverUrl) !== null,
    earlier: total,
    rounds: total.rounds.runs,
  };
}

/** False for the answer to a request that was dropped from the queue, because it started no run. */
function isRunAnswer(body: string): boolean {
  const marker = readMarker(body);
  return marker !== null && !marker.run.startsWith("superseded-");
}

/** The current head and the time of its push, if GitHub knows it. */
async function readHead({context, event}: {context: RunContext; event: Event}) {
  const {number} = event.thread;
  const pull = await context.github.pullRequest(number);
  if (!pull.ok) return pull;
  const {headRepository, headBranch, headCommit, baseBranch, isClosed} = pull.value;
  const fork = isFork(pull.value, event);
  // A fork's branch may have the name of one of ours.
  const ref = fork ? `refs/pull/${number}/head` : `refs/heads/${headBranch}`;
  const pinnedHead: PinnedHead = {ref, commit: headCommit, baseBranch, isFork: fork};
  if (fork) return ok({headRepository, isClosed, pinned: pinnedHead, pushedAt: pull.value.headRepositoryPushedAt});
  const pushTime = await context.github.pushedAt(headBranch);
  if (!pushTime.ok) context.log(`the time of the last push is unknown: ${pushTime.failure.message}`);
  const pushFailure = pushTime.ok ? null : pushTime.failure;
  return ok({headRepository, isClosed, pinned: pinnedHead, pushedAt: pushTime.ok ? pushTime.value : null, pushFailure});
}

/**
 * Adds 👀 and posts the run's one comment before anything slow. The record is opened first, so that `post` can report a
 * run that crashes here.
 */
async function begin(options: {
  context: RunContext;
  event: Event;
  admission: Extract<Admission, {kind: "admitted"}>;
  facts: GatheredFacts;
}): Promise<AdmittedRun> {
  const {context, event, admission, facts} = options;
  const {earlierId, times} = facts.thread.ok ? facts.thread.value : {earlierId: null, times: []};
  const head = facts.pullRequest?.ok ? facts.pullRequest.value.pinned : null;
  const {github, runner} = context;
  saveState("event", keptPayload(event));
  const {request} = admission;
  // The plan is shown if the thread has no Assay report yet.
  const firstFacts = {
    ...{request, startedAt: context.now(), showsPlan: times.length === 0, commentId: earlierId},
    ...(facts.earlier.runs > 0 && {earlier: facts.earlier}),
  };
  const record = createRecord({context, event}, firstFacts);
  writeRunOutputs({context, record});
  const eyes = github.react({trigger: event.trigger, content: "eyes"});
  const marker = {run: runId(event), session: null};
  const nowMs = Date.parse(firstFacts.startedAt);
  const body = renderLiveProgress({state: startProgress(nowMs), nowMs, marker, runUrl: runner.runUrl});
  let commentId = earlierId;
  if (commentId === null) {
    const creation = await github.createComment({number: event.thread.number, body, isIt: isCommentOf(event)});
    if (creation.ok) commentId = creation.value.id;
    else {
      context.log(
        `the run's comment could not be created: ${creation.failure.message}; its report goes to the job summary`,
      );
      if (NO_PERMISSION.test(creation.failure.message)) refuseWithoutComment(record, creation.failure);
    }
  }
  const {thread} = record.current();
  if (thread !== null) record.update({thread: {...thread, commentId}});
  const reaction = await eyes;
  return openRun({
    context,
    event,
    record,
    commentId,
    eyes: reaction.ok ? reaction.value : null,
    head,
    policy: facts.pinnedPolicy,
  });
}

/** GitHub's message for a missing permission. A rate limit has the same status. */
const NO_PERMISSION = /not accessible by (?:integration|personal access token)/i;

function refuseWithoutComment(record: RecordFile, failure: Failure): void {
  record.addFailure(failure);
  record.update({verdict: {kind: "unverified", why: "gate-error", detail: ""}});
}

/**
 * Answers once in the thread: in a new comment, or in the comment of an attempt that died. If that fails, the summary
 * has the answer, and the job is red.
 */
async function answer(options: {
  context: RunContext;
  event: Event;
  facts: GatheredFacts;
  why: string;
  body: string;
}): Promise<AdmitOutcome> {
  const {context, event, facts, why, body} = options;
  const {thread, unfinishedId} = facts;
  const {github} = context;
  const isUnanswered = thread.ok && thread.value.earlierId === null;
  const {number} = event.thread;
  const postResult = isUnanswered
    ? await github.createComment({number, body, isIt: isCommentOf(event)})
    : unfinishedId !== null
      ? await github.updateComment(unfinishedId, body)
      : thread;
  if (postResult.ok) {
    const {withheld} = context;
    if (withheld !== null) await writeSummary(`${body}\n${renderWithheld(withheld)}`);
    return {kind: "over", why, isRed: false, event};
  }
  await writeSummary(body);
  return failedAnswer(postResult.failure);
}

/** Ends the job red, so that the failure is noticed although no comment reports it. */
function failedAnswer(failure: GitHubFailure): AdmitOutcome {
  return {kind: "over", why: notAnsweredWords(failure), isRed: true, event: null};
}
