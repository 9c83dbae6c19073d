/** The time limit of the job, and the run's own end before it. */
import {statSync} from "node:fs";
import {jobMinutes, type WorkflowFile} from "../github/workflow-job.ts";
import {JOB_MINUTES} from "../onboarding/init/workflow-parts.ts";
import type {Verdict} from "../record/verification.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {type JobTime, jobTime, jobTimeWords} from "./budget.ts";
import type {RunContext} from "./run-context.ts";

/** Null without a known workflow. A job that the file does not name belongs to our reusable workflow and has its limit. */
export function findJobTime({
  run,
  workflow,
}: {
  run: Pick<AdmittedRun, "context">;
  workflow: WorkflowFile | null;
}): JobTime | null {
  const {variables, runner} = run.context;
  if (workflow === null) return null;
  const job = variables["GITHUB_JOB"] ?? "";
  const minutes = workflow.jobs.has(job) ? jobMinutes(workflow, job) : JOB_MINUTES;
  // The runner writes the event's file when the job starts, so earlier steps count too.
  const started = statSync(runner.eventPath, {throwIfNoEntry: false})?.mtimeMs ?? performance.timeOrigin;
  return minutes === null ? null : jobTime({minutes, ageMs: performance.timeOrigin - started});
}

/** Ends the run like a cancellation, but early enough to save and report. */
export function endBeforeJob(context: RunContext, job: JobTime | null): void {
  if (job === null) return;
  const leftMs = Math.max(0, job.endsAtMs - performance.now());
  context.log(
    `The job may take ${job.minutes} minutes; the run ends by itself after ${Math.round(leftMs / 60_000)} more.`,
  );
  setTimeout(() => context.end(job), leftMs).unref();
}

/** The verdict of a run without a result: it was cancelled, or ended itself before the limit of its job. */
export function unfinished({
  run,
  job,
  detail,
}: {
  run: Pick<AdmittedRun, "context">;
  job: JobTime | null;
  detail: string;
}): Verdict {
  const isOutOfTime = job !== null && run.context.signal.reason === job;
  return isOutOfTime
    ? {kind: "unverified", why: "out-of-time", detail: jobTimeWords(job)}
    : {kind: "unverified", why: "cancelled", detail};
}
