/** Continues a run in another job: GitHub gives the event, the job `admit` gives the admission result. */
import {join} from "node:path";
import {type AdmissionResult, decodeAdmissionResult} from "../../handover/admission-result.ts";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {isProgress} from "../../report/live.ts";
import {parseCommand} from "../../request/command.ts";
import {readEvent} from "../../request/event.ts";
import {type AdmittedRun, firstRecord, isCommentOf, runId} from "../admitted-run.ts";
import {openLiveComment} from "../live-comment.ts";
import {createRecordFile, openRecordFile} from "../record-file.ts";
import {type RunContext, runFolder} from "../run-context.ts";

/** The folder that a job hands over as an artifact. The workflow templates use the same names. */
export const bundleFolder = (
  context: Pick<RunContext, "runner">,
  job: "work" | "verify" | `verify-${number}`,
): string => join(context.runner.temp, `assay-${job}`);

/**
 * Builds the run with a new record. With `again` it opens the record of an earlier step of this job, and fails as `interrupted`
 * without one. Only the publishing job may write a comment.
 */
export function resumeJob(
  context: RunContext,
  o: {again: boolean},
): Result<{run: AdmittedRun; ticket: AdmissionResult}, Failure> {
  const reading = readEvent(context.runner.eventName, context.event);
  if (reading.kind !== "event") return refused({kind: "internal", message: reading.why});
  const {event} = reading;
  const id = runId(event);
  const read = decodeAdmissionResult(context.inputs.ticket, id);
  if (!read.ok) return read;
  const ticket = read.value;
  const folder = runFolder(context.runner, id);
  const place = {file: join(folder, "record.json"), redact: context.redact};
  const record = o.again
    ? openRecordFile(place)
    : createRecordFile({...place, record: firstRecord({...ticket, context, event})});
  if (record === null) return refused({kind: "interrupted", message: "the agent's job has left no record"});
  if (ticket.resumes !== undefined) record.update({resumes: ticket.resumes});
  const isIt = isCommentOf(event);
  const comment = openLiveComment({github: context.github, number: event.thread.number, isIt, id: ticket.commentId});
  const {eyes, head} = ticket;
  return ok({run: {context, folder, marker: {run: id, session: null}, event, record, comment, eyes, head}, ticket});
}

/** The run of this event, if its comment still shows progress; null if no report is missing. */
export async function findOpenRun(context: RunContext): Promise<AdmittedRun | null> {
  const {github, runner, redact} = context;
  const reading = readEvent(runner.eventName, context.event);
  const request =
    reading.kind === "event" ? parseCommand(reading.event.text, {phrase: context.inputs["trigger-phrase"]}) : null;
  if (reading.kind !== "event" || request === null) return null;
  const {event} = reading;
  const isIt = isCommentOf(event);
  const {number} = event.thread;
  const found = await github.findComment(number, isIt);
  if (!found.ok || found.value === null || !isProgress(found.value.body)) return null;
  const marker = {run: runId(event), session: null};
  const folder = runFolder(runner, marker.run);
  const known = {startedAt: context.now(), showsPlan: false, commentId: found.value.id};
  const first = firstRecord({context, event, request, ...known});
  const record = createRecordFile({file: join(folder, "record.json"), redact, record: first});
  const comment = openLiveComment({github, number, isIt, id: found.value.id});
  const eyes = await github.react({trigger: event.trigger, content: "eyes"});
  return {context, folder, marker, event, record, comment, eyes: eyes.ok ? eyes.value : null, head: null};
}
