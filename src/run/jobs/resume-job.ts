/** Continues a run in another job, with GitHub's event and the admission result of the job `admit`. */
import {join} from "node:path";
import {decodeAdmissionResult} from "../../handover/admission-result.ts";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {isProgress} from "../../report/live.ts";
import {requestOf} from "../../request/admission.ts";
import {isAnswered} from "../../request/command.ts";
import {readEvent} from "../../request/event.ts";
import {startsWorkflow} from "../../request/triggers.ts";
import {type AdmittedRun, createRecord, isCommentOf, openRecord, openRun, runId} from "../admitted-run.ts";
import type {RunContext} from "../run-context.ts";

/**
 * The folder that a job uploads as an artifact. The workflow templates use the same names. `number` is the try's, and
 * `set` that of the jobs.
 */
export const bundleFolder = (
  {runner, inputs}: Pick<RunContext, "runner" | "inputs">,
  job: "work" | "verify" | `verify-${number}`,
  {number = 0, set = inputs.set.number}: {number?: number; set?: number} = {},
): string => join(runner.temp, `assay-${job}${set > 1 ? "-again" : number > 1 ? `-${number}` : ""}`);

/**
 * Builds the run. The job `hand-over` opens the record of the agent's step before it, and fails as
 * `job-without-result` without one; the other jobs start a new record. Only the publishing job may write a comment.
 */
export function resumeJob(context: RunContext): Result<AdmittedRun, Failure> {
  const reading = readEvent(context.runner.eventName, context.event);
  if (reading.kind !== "event") return refused({kind: "internal", message: reading.why});
  const admissionResult = decodeAdmissionResult(context.inputs.admission, runId(reading.event));
  if (!admissionResult.ok) return admissionResult;
  const admission = admissionResult.value;
  const event = {...reading.event, ...admission.event};
  const origin = {context, event};
  const record = context.inputs.job === "hand-over" ? openRecord(origin) : createRecord(origin, admission);
  if (record === null) return refused({kind: "job-without-result", job: "work"});
  const {commentId, eyes, head} = admission;
  const {policy = null} = admission;
  return ok(openRun({...origin, record, commentId, eyes, head, admission, policy}));
}

/** The run of this event, if its comment still shows progress; null if no report is missing. */
export async function findOpenRun(context: RunContext): Promise<Result<AdmittedRun | null, Failure>> {
  const {github, runner} = context;
  const reading = readEvent(runner.eventName, context.event);
  if (reading.kind !== "event") return ok(null);
  const {event} = reading;
  const isWriter = async ({author}: typeof event) => author !== null && github.writes(author);
  const {"trigger-phrase": phrase, commands} = context.inputs;
  const request = requestOf(event, {phrase, commands});
  if (request === null || event.thread.number === 0) return ok(null);
  const comment = await github.findComment(event.thread.number, isCommentOf(event));
  if (!comment.ok) return comment;
  if (comment.value !== null && !isProgress(comment.value.body)) return ok(null);
  // `admit` was lost before its comment. It leaves only others without an answer, and a manual start is answered on its page.
  if (comment.value === null && (isAnswered(request) || startsWorkflow(event.trigger.kind) || !(await isWriter(event))))
    return ok(null);
  const commentId = comment.value?.id ?? null;
  const record = createRecord({context, event}, {request, startedAt: context.now(), showsPlan: false, commentId});
  const eyes = await github.react({trigger: event.trigger, content: "eyes"});
  return ok(openRun({context, event, record, commentId, eyes: eyes.ok ? eyes.value : null}));
}
