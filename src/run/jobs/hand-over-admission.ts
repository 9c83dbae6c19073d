/** Ends the job `admit`: passes its decisions to the later jobs, which must not decide on an agent's machine. */
import {rm} from "node:fs/promises";
import {writeOutputs} from "../../github/runner.ts";
import {encodeAdmissionResult} from "../../handover/admission-result.ts";
import type {Note} from "../../record/plan.ts";
import {isRound, startsWorkflow} from "../../request/triggers.ts";
import {findFileTimes} from "../file-times.ts";
import type {PreparedRun} from "../prepare-run.ts";
import {requestRules} from "../request-rules.ts";
import {triesWithMachine} from "../tries.ts";
import type {JobResult} from "./job-result.ts";
import {showJob} from "./show-job.ts";

/** Writes the admission result and the next job as outputs. Null if the record lacks what the later jobs need. */
export async function handOverAdmission(run: PreparedRun, notes: readonly Note[]): Promise<JobResult | null> {
  const {request, rules, thread, showsPlan, resumes, undoes, earlier, redJobs, ...others} = run.record.current();
  const {run: about, reservation} = others;
  if (request === null || rules === null) return null;
  const fileTimes = await findFileTimes(run);
  const admission = encodeAdmissionResult({
    schema: "assay.admission/1",
    run: about.id,
    startedAt: about.startedAt,
    request,
    rules,
    target: run.target,
    ...(run.policy !== null && {policy: run.policy}),
    ...(run.config.extended !== null && {extended: run.config.extended}),
    notes: [...notes],
    head: run.head,
    commentId: thread?.commentId ?? null,
    eyes: run.eyes,
    showsPlan: showsPlan ?? false,
    stages: run.wholePlan.stages.length,
    ...((startsWorkflow(run.event.trigger.kind) || isRound(run.event.trigger.kind)) && {
      event: {createdAt: run.event.createdAt, thread: run.event.thread, author: run.event.author},
    }),
    ...(resumes !== undefined && {resumes}),
    ...(undoes !== undefined && {undoes}),
    ...(earlier !== undefined && {earlier}),
    ...(redJobs !== undefined && {redJobs}),
    ...(reservation !== undefined && {reservation}),
    ...(fileTimes !== null && {fileTimes}),
  });
  const {task, isReview} = requestRules(run);
  await showJob(run, task === null ? "verify" : "start");
  const next = task === null ? "verify" : "work";
  const tries = JSON.stringify(triesWithMachine(run));
  writeOutputs({admission, next, tries, base: rules.commit, review: String(isReview)});
  // The run continues in another job. `post` must not find a record here, or it would treat the run as crashed.
  await rm(run.folder, {recursive: true, force: true});
  return {isGreen: true, why: ""};
}
