/** Shows in the comment of a run in separate jobs which job starts now. */
import {renderJobProgress, type ShownJob} from "../../report/job-progress.ts";
import type {PreparedRun} from "../prepare-run.ts";
import {requestRules} from "../request-rules.ts";

/** A comment that cannot be edited now is completed by the publishing job. */
export async function showJob(run: PreparedRun, job: ShownJob): Promise<void> {
  const {comment, marker, context, wholePlan} = run;
  const hasAgent = requestRules(run).task !== null;
  const {runUrl} = context.runner;
  await comment.note(renderJobProgress({job, hasAgent, stages: wholePlan.stages.length, marker, runUrl}));
}
