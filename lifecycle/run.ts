/** One whole run, in order: admit, work, publish, settle. In the separated mode each job runs its part of these steps. */
import type {Rebased} from "../src/publish/rebase.ts";
import type {OnEvent, RunEvent} from "../src/record/events.ts";
import type {Failure} from "../src/record/failure.ts";
import type {Note} from "../src/record/plan.ts";
import {type Phase, renderProgress} from "../src/report/live.ts";
import type {AdmittedRun} from "../src/run/admitted-run.ts";
import {catchBug, recordFailure} from "../src/run/catch-bug.ts";
import {cannotSucceed} from "../src/run/check-before-agent.ts";
import {markCommit} from "../src/run/commit-check.ts";
import {handOverAdmission} from "../src/run/jobs/hand-over-admission.ts";
import {handOverWork} from "../src/run/jobs/hand-over-work.ts";
import {failedJob, type JobResult} from "../src/run/jobs/job-result.ts";
import {receiveWork} from "../src/run/jobs/receive-work.ts";
import {findOpenRun, resumeJob} from "../src/run/jobs/resume-job.ts";
import {verifyJob} from "../src/run/jobs/verify-job.ts";
import {writeRunOutputs} from "../src/run/outputs.ts";
import {deliversWork, findParkedWork, removeOldRefs} from "../src/run/parked-work.ts";
import {parkRemainingWork} from "../src/run/remaining-work.ts";
import {requestRules} from "../src/run/request-rules.ts";
import type {RunContext} from "../src/run/run-context.ts";
import {prepareRun, type RunSetup} from "../src/run/run-setup.ts";
import {saveBaseline} from "../src/run/save-baseline.ts";
import {saveRunSession} from "../src/run/saved-session.ts";
import {verifyAgain} from "../src/run/verify-again.ts";
import {admit} from "./1-admit.ts";
import {work} from "./2-work.ts";
import {publish} from "./3-publish.ts";
import {announceEnd, report, settle} from "./4-settle.ts";

/** Runs this job's part of the run, and returns whether the job is green. `listen` receives the events as they happen. */
export async function runJob(context: RunContext, listen: OnEvent): Promise<JobResult & {recordFile?: string}> {
  switch (context.inputs.job) {
    case "all":
    case "admit":
      return startRun(context, listen);
    case "work":
      return runAgentJob(context, listen);
    case "hand-over":
      return handOverWork(context);
    case "verify":
      return verifyJob(context, listen);
    case "publish":
      return runPublishJob(context, listen);
  }
}

async function startRun(context: RunContext, listen: OnEvent): Promise<JobResult & {recordFile?: string}> {
  const admission = await admit(context);
  if (admission.kind === "over") return {isGreen: !admission.isRed, why: admission.why};
  const {run} = admission;
  if (context.inputs.job === "admit") {
    const prepared = await catchBug(run, () => prepare(run));
    const handedOver = prepared && (await catchBug(run, () => handOverAdmission({run, ...prepared})));
    return handedOver ?? settle(run);
  }
  const onEvent = showProgress(run, listen);
  onEvent({kind: "admitted", by: run.record.current().thread?.actor ?? "", text: run.event.text});
  const left = await catchBug(run, async () => {
    const afterReport = await runSteps({run, onEvent});
    if (context.signal.aborted) return [() => markCommit(run), ...afterReport];
    await markCommit(run);
    return afterReport;
  });
  // A bug of Assay must not lose the agent's work.
  if (left === null) await catchBug(run, () => parkRemainingWork(run));
  const afterReport = (left ?? []).map((step) => () => catchBug(run, step));
  return {...(await settle(run, afterReport)), recordFile: run.record.file};
}

/** Finds out what the run works on. Null if it cannot start; the record has the reason. */
async function prepare(
  run: AdmittedRun,
  onEvent: OnEvent = () => {},
): Promise<{setup: RunSetup; notes: readonly Note[]} | null> {
  const parked = await findParkedWork(run);
  // Each later job makes the notes of the setup itself.
  const {notes} = run.record.current();
  const setup = parked.ok ? await prepareRun(run) : parked;
  if (!setup.ok) {
    // Cancelling ends a fetch, which is not the server's fault.
    if (!run.context.signal.aborted) recordFailure(run, setup.failure);
    return null;
  }
  onEvent({kind: "planned", stages: setup.value.plan.stages});
  return (await cannotSucceed({run, setup: setup.value})) ? null : {setup: setup.value, notes};
}

type FollowUp = () => Promise<void>;

/** Everything up to the report. Returns what a cancelled run does only after its report: the runner kills it soon. */
async function runSteps({run, onEvent}: {run: AdmittedRun; onEvent: OnEvent}): Promise<FollowUp[]> {
  const {signal} = run.context;
  const prepared = await prepare(run, onEvent);
  if (prepared === null) return [];
  const {setup} = prepared;
  const again = (rebased: Rebased) => verifyAgain({run, setup, rebased, onEvent});
  const worked = await work({run, setup, onEvent});
  if (!worked.ok) {
    recordFailure(run, worked.failure);
    return [];
  }
  const {session: file, kept, close} = worked.value;
  if (signal.aborted) {
    if (file === null) return [close];
    await publish({run, setup, onEvent, again});
    const keepAndName = async () => {
      await saveRunSession({run, setup, file});
      announceEnd(run);
      await report(run);
    };
    return [keepAndName, close];
  }
  await close();
  if (file !== null) await saveRunSession({run, setup, file});
  if (deliversWork(run)) await publish({run, setup, onEvent, again});
  if (file !== null && !signal.aborted) await removeOldRefs({run, setup});
  if (!signal.aborted) await saveBaseline({run, kept});
  return [];
}

/** The agent works and its work is verified, as in a run of one job. The verdict is for the agent only; nothing is pushed. */
async function runAgentJob(context: RunContext, onEvent: OnEvent): Promise<JobResult> {
  const resumed = resumeJob(context, {again: false});
  if (!resumed.ok) return failedJob(resumed.failure);
  const {run, ticket} = resumed.value;
  const worked = await catchBug(run, async () => {
    const setup = await prepareRun(run, ticket);
    const result = setup.ok ? await work({run, setup: setup.value, onEvent}) : setup;
    if (result.ok) return result.value;
    recordFailure(run, result.failure);
    return null;
  });
  run.record.update({run: {...run.record.current().run, finishedAt: context.now()}});
  await worked?.close();
  return {isGreen: true, why: ""};
}

/** Publishes or parks, keeps the session and closes the comment, whatever the jobs before have left. */
async function runPublishJob(context: RunContext, onEvent: OnEvent): Promise<JobResult> {
  const resumed = resumeJob(context, {again: false});
  if (!resumed.ok) return closeWithoutAdmission(context, resumed.failure);
  const {run, ticket} = resumed.value;
  writeRunOutputs(run);
  await catchBug(run, async () => {
    const prepared = await prepareRun(run, ticket);
    if (!prepared.ok) return recordFailure(run, prepared.failure);
    const setup = prepared.value;
    await receiveWork({run, setup});
    if (deliversWork(run)) await publish({run, setup, onEvent});
    if (requestRules(run).task !== null) await removeOldRefs({run, setup});
    await markCommit(run);
  });
  return settle(run);
}

/** Without the admission result nothing can be published, but the event and the comment's marker suffice to close the comment. */
async function closeWithoutAdmission(context: RunContext, failure: Failure): Promise<JobResult> {
  const result = failedJob(failure);
  const run = await findOpenRun(context);
  if (run === null) return result;
  recordFailure(run, failure);
  return {...(await settle(run)), why: result.why};
}

/** Passes each event to `listen`, and shows the phase of the run in its comment. */
function showProgress(run: AdmittedRun, listen: OnEvent): OnEvent {
  const {runUrl} = run.context.runner;
  let failed: readonly string[] = [];
  return (event) => {
    listen(event);
    const phase = phaseOf(event, failed);
    if (event.kind === "attempt-finished" && event.attempt.verdict.kind === "failed")
      failed = event.attempt.verdict.stages;
    if (phase !== null) run.comment.show(renderProgress({phase, marker: run.marker, runUrl}));
  };
}

function phaseOf(event: RunEvent, failed: readonly string[]): Phase | null {
  switch (event.kind) {
    case "turn-started":
      return {kind: "working", attempt: event.attempt, failed};
    case "setup-started":
      return {kind: "installing", command: event.command};
    case "stage-started":
      return {kind: "verifying", stage: event.stage.name, index: event.index, of: event.of};
    case "attempt-finished":
      return {kind: "publishing"};
    default:
      return null;
  }
}
