/** The job `progress`: shows in the comment which other job runs now. It holds no token for contents, and runs no code of the repository. */
import {setTimeout as pause} from "node:timers/promises";
import type {WorkflowJob} from "../../github/workflow-runs.ts";
import {renderJobProgress, type ShownJob} from "../../report/job-progress.ts";
import {requestRules} from "../request-rules.ts";
import type {RunContext} from "../run-context.ts";
import type {JobResult} from "./job-result.ts";
import {resumeJob} from "./resume-job.ts";

/** Three runs in parallel make fewer than 500 edits an hour. */
const SPACING_MS = 25_000;
/** The other jobs end earlier than this. */
const MAX_TICKS = 300;

/** Shows the current job until the publishing job starts. Always green. */
export async function progressJob(context: RunContext): Promise<JobResult> {
  const {github, signal, log, variables, runner} = context;
  const resumed = resumeJob(context);
  const admission = resumed.ok ? resumed.value.admission : null;
  if (!resumed.ok || !admission?.commentId) return {isGreen: true, why: "there is no comment to update"};
  const {marker, comment} = resumed.value;
  const hasAgent = requestRules(resumed.value).task !== null;
  for (let tick = 0; tick < MAX_TICKS && !signal.aborted; tick += 1) {
    const jobs = await github.runJobs(Number(variables["GITHUB_RUN_ID"]));
    const current = jobs.ok ? currentJob(jobs.value, hasAgent) : null;
    if (jobs.ok && current === null) break;
    if (!jobs.ok) log(jobs.failure.message);
    // After a refusal, GitHub's limit belongs to the reports.
    if (current !== null && github.contentLimit().remainingShare > 0) {
      const {job, url, startedAt} = current;
      const clock = startedAt ? {elapsedMs: Date.now() - Date.parse(startedAt)} : {};
      const facts = {hasAgent, stages: admission.stages ?? 0, marker, runUrl: url ?? runner.runUrl};
      await comment.note(renderJobProgress({job, ...facts, ...clock}));
    }
    await pause(SPACING_MS, null, {signal}).catch(() => null);
  }
  return {isGreen: true, why: ""};
}

interface CurrentJob {
  readonly job: ShownJob;
  readonly url: string | null;
  readonly startedAt: string | null;
}

/** The job to show; null as soon as only the publishing job may write the comment. */
export function currentJob(jobs: readonly WorkflowJob[], hasAgent: boolean): CurrentJob | null {
  const jobsNamed = (name: string) => jobs.filter((job) => job.name.split(" / ").at(-1)?.replace(/ \(.*/, "") === name);
  const [work, verify, publish] = [jobsNamed("Work"), jobsNamed("Verify"), jobsNamed("Publish")];
  if (publish.some(isStarted) || (verify.length > 0 && verify.every(isOver))) return null;
  const isWorking = hasAgent && !verify.some(isStarted) && !(work.length > 0 && work.every(isOver));
  const running = (isWorking ? work : verify).find((job) => job.status === "in_progress");
  return {
    job: isWorking ? "work" : "verify",
    url: running?.html_url ?? null,
    startedAt: running?.started_at ?? null,
  };
}

const isOver = ({status}: WorkflowJob): boolean => status === "completed";
const isStarted = ({status}: WorkflowJob): boolean => status === "completed" || status === "in_progress";
