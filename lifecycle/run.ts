/** One whole run, in order: admit, work, publish, settle. In separate jobs, each runs its part of these steps. */
import type {RunEvent} from "../src/record/events.ts";
import type {Failure} from "../src/record/failure.ts";
import type {Note} from "../src/record/plan.ts";
import {ok, refused} from "../src/record/words.ts";
import {renderLiveProgress} from "../src/report/progress.ts";
import {advance, startProgress} from "../src/report/progress-state.ts";
import type {AdmittedRun} from "../src/run/admitted-run.ts";
import {markCommit, requestReview} from "../src/run/after-push.ts";
import {attestCommit} from "../src/run/attest.ts";
import {catchBug, recordFailure} from "../src/run/catch-bug.ts";
import {cannotSucceed} from "../src/run/check-before-agent.ts";
import {saveFileTimes} from "../src/run/file-times.ts";
import {cacheJob} from "../src/run/jobs/cache-job.ts";
import {handOverAdmission} from "../src/run/jobs/hand-over-admission.ts";
import {handOverWork} from "../src/run/jobs/hand-over-work.ts";
import {failedJob, type JobResult} from "../src/run/jobs/job-result.ts";
import {judgeJob} from "../src/run/jobs/judge-job.ts";
import {progressJob} from "../src/run/jobs/progress-job.ts";
import {receiveFailedWork, receiveWork} from "../src/run/jobs/receive-work.ts";
import {findOpenRun, resumeJob} from "../src/run/jobs/resume-job.ts";
import {showJob} from "../src/run/jobs/show-job.ts";
import {verifyJob} from "../src/run/jobs/verify-job.ts";
import {writeRunOutputs} from "../src/run/outputs.ts";
import {deliversWork, findParkedWork, lacksSavedWork, removeOldRefs} from "../src/run/parked-work.ts";
import {type PreparedRun, prepareRun} from "../src/run/prepare-run.ts";
import {proposeMemory} from "../src/run/propose-memory.ts";
import {endsWithoutFix} from "../src/run/red-jobs.ts";
import {parkRemainingWork} from "../src/run/remaining-work.ts";
import {requestRules} from "../src/run/request-rules.ts";
import {findUndoneRun} from "../src/run/requests/undo.ts";
import {isReservedElsewhere, reserveSpending, UNLIMITED} from "../src/run/reserve-spending.ts";
import {reviewInPlace} from "../src/run/review-in-place.ts";
import type {RunContext} from "../src/run/run-context.ts";
import {removeConversation, saveRunSession, sealRunSession} from "../src/run/saved-session.ts";
import {findConflicts} from "../src/run/update-branch.ts";
import type {CheckedCandidate} from "../src/run/verifier.ts";
import {verifyAgain} from "../src/run/verify-again.ts";
import {answerThreads} from "../src/run/whole-review.ts";
import {admit} from "./1-admit.ts";
import {work} from "./2-work.ts";
import {publish} from "./3-publish.ts";
import {report, settle, writeResults} from "./4-settle.ts";

/** Runs this job's part of the run, and returns whether the job is green. */
export async function runJob(context: RunContext): Promise<JobResult & {recordFile?: string}> {
  switch (context.inputs.job) {
    case "all":
    case "admit":
    case "answer":
      return startRun(context);
    case "work-done":
      return {isGreen: true, why: "The job `work-done` is no longer needed: remove it from the workflow."};
    case "cache":
      return cacheJob(context);
    case "progress":
      return progressJob(context);
    case "work":
      return runAgentJob(context);
    case "hand-over":
      return handOverWork(context);
    case "verify":
      return verifyJob(context);
    case "judge":
      return judgeJob(context);
    case "publish":
      return runPublishJob(context);
  }
}

async function startRun(context: RunContext): Promise<JobResult & {recordFile?: string}> {
  const outcome = await admit(context);
  if (outcome.kind === "over") return {isGreen: !outcome.isRed, why: outcome.why};
  if (context.inputs.job === "admit") {
    const {run} = outcome;
    const prepared = await catchBug(run, () => prepare(run));
    const jobResult = prepared && (await catchBug(run, () => handOverAdmission(prepared.run, prepared.notes)));
    return jobResult ?? settle(run);
  }
  const run = showProgress(outcome.run);
  run.onEvent({kind: "admitted", by: run.record.current().thread?.actor ?? "", text: run.event.text});
  const followUps = await catchBug(run, async () => {
    const {afterReport, afterEnd} = await runSteps(run);
    return {
      afterReport: [
        () => markCommit(run),
        () => reviewInPlace(run),
        () => answerThreads(run),
        ...afterReport,
        () => removeOldRefs(run),
      ],
      afterEnd,
    };
  });
  // A bug in Assay must not lose the agent's work.
  if (followUps === null) await catchBug(run, () => parkRemainingWork(run));
  const afterReport = (followUps?.afterReport ?? []).map((step) => () => catchBug(run, step));
  const result = await settle(run, afterReport);
  await removeConversation(run);
  // The run is closed: a bug is only logged.
  await followUps?.afterEnd().catch((error: unknown) => context.log(`after the report: ${String(error)}`));
  return {...result, recordFile: run.record.file};
}

/** Finds out what the run works on. Null if it cannot start; the record has the reason. */
export async function prepare(run: AdmittedRun): Promise<{run: PreparedRun; notes: readonly Note[]} | null> {
  const parkedSearch = await findParkedWork(run);
  // Each later job writes the notes of the setup itself.
  const {notes} = run.record.current();
  const prepared = parkedSearch.ok ? await prepareRun(run) : parkedSearch;
  if (!prepared.ok) {
    // Cancelling ends a fetch, which is not the server's fault.
    if (!run.context.signal.aborted) recordFailure(run, prepared.failure);
    return null;
  }
  if (run.context.inputs.job === "all") announcePlan(prepared.value);
  if (requestRules(prepared.value).isPlanOnly) {
    recordPlan(prepared.value);
    return null;
  }
  const {isUndo, isUpdate} = requestRules(prepared.value);
  const found = isUndo ? await findUndoneRun(prepared.value) : isUpdate ? await findConflicts(prepared.value) : null;
  if (found !== null && !found.ok) {
    recordFailure(run, found.failure);
    return null;
  }
  if (found?.value === false || (await lacksSavedWork(prepared.value))) {
    const why = isUpdate ? "up-to-date" : "nothing-saved";
    run.record.update({verdict: {kind: "nothing-to-verify", why, detail: ""}});
    return null;
  }
  if ((await cannotSucceed(prepared.value)) || (await endsWithoutFix(prepared.value))) return null;
  const failure = await reserveSpending(prepared.value);
  if (failure !== null) recordFailure(run, failure);
  const unlimited = run.record.current().notes.filter(({about}) => about === UNLIMITED);
  return failure === null ? {run: prepared.value, notes: [...notes, ...unlimited]} : null;
}

function announcePlan(run: PreparedRun): void {
  const maxAttempts = requestRules(run).task === null ? {} : {maxAttempts: run.config.maxFixAttempts + 1};
  run.onEvent({kind: "planned", stages: run.plan.stages, ...maxAttempts});
}

/** Ends a run that only shows the plan. Mistakes in verify.json are shown instead of the plan. */
function recordPlan({record, configFailure}: PreparedRun): void {
  if (configFailure !== null) record.addFailure(configFailure);
  record.update(
    configFailure === null
      ? {showsPlan: true, verdict: {kind: "nothing-to-verify", why: "plan-only", detail: ""}}
      : {verdict: {kind: "unverified", why: "gate-error", detail: "verify.json of the base has mistakes; see below"}},
  );
}

type FollowUp = () => Promise<void>;

/** Steps that run after the report: the requester gets the report first, and then the reaction to the request. */
interface FollowUps {
  readonly afterReport: readonly FollowUp[];
  readonly afterEnd: FollowUp;
}

const followUpsOf = (...afterReport: FollowUp[]): FollowUps => ({afterReport, afterEnd: async () => {}});

/** Everything up to the report. */
async function runSteps(admitted: AdmittedRun): Promise<FollowUps> {
  const {signal} = admitted.context;
  const prepared = await prepare(admitted);
  if (prepared === null) return followUpsOf();
  const {run} = prepared;
  const workResult = await work(run);
  if (!workResult.ok) {
    recordFailure(run, workResult.failure);
    return followUpsOf();
  }
  const {session, baseline, close} = workResult.value;
  // A later commit may be the one to undo, and a merge has no single base: both do not continue on a branch that moved.
  const {isUndo, isUpdate} = requestRules(run);
  const verifyRebased = isUndo || isUpdate ? null : verifyAgain;
  if (signal.aborted) {
    if (session === null) return followUpsOf(close);
    await publish(run, {work: workResult.value, verifyRebased});
    const saveAndName = async () => {
      await saveRunSession(run, await sealRunSession(run, [session]));
      writeResults(run);
      await report(run);
    };
    return followUpsOf(saveAndName, close);
  }
  if (session !== null) await saveRunSession(run, await sealRunSession(run, [session]));
  if (deliversWork(run)) await publish(run, {work: workResult.value, verifyRebased});
  const cleanUp = async () => {
    // A person's clone gets only the work.
    const baselineSave = signal.aborted || run.context.clone !== null ? null : await baseline?.save();
    if (baselineSave?.ok === false)
      run.context.log("The results of the base's checks could not be saved. The next run starts without them.");
  };
  const afterEnd = () => showTestMeasurements(run, workResult.value).finally(close);
  return {
    afterReport: [() => requestReview(run), () => attestCommit(run), () => proposeMemory(run), cleanUp],
    afterEnd,
  };
}

/** Adds lines to the finished report. */
async function showTestMeasurements(run: PreparedRun, {measureTests}: Pick<CheckedCandidate, "measureTests">) {
  const {context, record} = run;
  if (context.signal.aborted) return;
  const {sensitivity, executedLines} = await measureTests();
  if ((sensitivity ?? executedLines) === null || context.signal.aborted) return;
  record.update({...(sensitivity && {sensitivity}), ...(executedLines && {executedLines})});
  writeResults(run);
  await report(run);
}

/**
 * The agent works and its work is verified, as in a run of one job. The verdict is for the agent only; nothing is
 * pushed.
 */
async function runAgentJob(context: RunContext): Promise<JobResult> {
  const resumed = resumeJob(context);
  if (!resumed.ok) return failedJob(resumed.failure);
  const run = resumed.value;
  const checked = await catchBug(run, async () => {
    const stale = isReservedElsewhere(run);
    const prepared = stale === null ? await prepareRun(run) : refused(stale);
    const failed = prepared.ok && context.inputs.set.number > 1 ? await receiveFailedWork(prepared.value) : ok(null);
    const result = !prepared.ok ? prepared : !failed.ok ? failed : await work(prepared.value, failed.value);
    if (result.ok) return result.value;
    recordFailure(run, result.failure);
    return null;
  });
  run.record.update({run: {...run.record.current().run, finishedAt: context.now()}});
  await checked?.close();
  return {isGreen: true, why: ""};
}

/** Publishes or parks, keeps the session and closes the comment, whatever the earlier jobs left. */
async function runPublishJob(context: RunContext): Promise<JobResult> {
  const resumed = resumeJob(context);
  if (!resumed.ok) return closeWithoutAdmission(context, resumed.failure);
  const admittedRun = resumed.value;
  writeRunOutputs(admittedRun);
  const followUps = await catchBug(admittedRun, async () => {
    const prepared = await prepareRun(admittedRun);
    if (!prepared.ok) {
      recordFailure(admittedRun, prepared.failure);
      return [];
    }
    const run = prepared.value;
    await showJob(run, "publish");
    const received = await receiveWork(run);
    if (deliversWork(run)) await publish(run, {work: received, verifyRebased: null});
    const others = [() => requestReview(run), () => attestCommit(run), () => proposeMemory(run)];
    return [...others, () => saveFileTimes(run)];
  });
  const afterReport = [
    () => markCommit(admittedRun),
    () => reviewInPlace(admittedRun),
    () => answerThreads(admittedRun),
    ...(followUps ?? []),
    () => removeOldRefs(admittedRun),
  ];
  return settle(
    admittedRun,
    afterReport.map((step) => () => catchBug(admittedRun, step)),
  );
}

const ADMIT_LOST: Failure = {kind: "interrupted", message: "a step before Assay failed, or the machine was lost"};

/**
 * Without the admission result nothing can be published, but the event and the comment's marker suffice to close the
 * comment. If the job `admit` has ended the run itself, nothing is left to do.
 */
async function closeWithoutAdmission(context: RunContext, failure: Failure): Promise<JobResult> {
  const result = failedJob(failure);
  const openRun = await findOpenRun(context);
  if (!openRun.ok) return result;
  const run = openRun.value;
  if (run === null) return context.inputs.admission === "" ? {isGreen: true, why: "No report is missing."} : result;
  // Without a result, the job was lost or cancelled; a damaged one is a mistake in the workflow.
  recordFailure(run, context.inputs.admission === "" ? ADMIT_LOST : failure);
  return settle(run);
}

/** The run with a listener that also shows its progress in its comment. */
function showProgress(run: AdmittedRun): AdmittedRun {
  const {runUrl} = run.context.runner;
  let state = startProgress(Date.parse(run.record.current().run.startedAt));
  const render = () => renderLiveProgress({state, nowMs: Date.now(), marker: run.marker, runUrl});
  const onEvent = (event: RunEvent) => {
    run.onEvent(event);
    state = advance(state, event, Date.now());
    if (event.kind === "published") run.comment.hold();
    else if (run.context.withheld === null) run.comment.show(render);
  };
  return {...run, onEvent};
}
