/** Goes on with a run in another job: its event is GitHub's own, its ticket comes from the job that let it in. */
import {join} from "node:path";
import {type AdmissionResult, decodeAdmissionResult} from "../../src/handover/admission-result.ts";
import type {Failure} from "../../src/record/failure.ts";
import {ok, type Result, refused} from "../../src/record/words.ts";
import {isProgress} from "../../src/report/live.ts";
import {parseCommand} from "../../src/request/command.ts";
import {readEvent} from "../../src/request/event.ts";
import {openLiveComment} from "../../src/run/live-comment.ts";
import {createRecordFile, openRecordFile} from "../../src/run/record-file.ts";
import {type RunContext, runFolder} from "../../src/run/run-context.ts";
import {type AdmittedRun, firstRecord, isCommentOf, runId} from "../1-admit.ts";

/** Folders that the workflow carries from job to job, by the job that fills them; the templates have the same names. */
export const bundleFolder = (world: Pick<RunContext, "context">, job: "work" | "verify" | `verify-${number}`): string =>
  join(world.context.temp, `assay-${job}`);

/**
 * Builds the run. The record is begun anew, but for `again`: then an earlier step of this job has left one, and without it
 * the answer is `interrupted`. Only the job that publishes may write a comment.
 */
export function resumeJob(
  world: RunContext,
  o: {again: boolean},
): Result<{run: AdmittedRun; ticket: AdmissionResult}, Failure> {
  const reading = readEvent(world.context.eventName, world.event);
  if (reading.kind !== "event") return refused({kind: "internal", message: reading.why});
  const {event} = reading;
  const id = runId(event);
  const read = decodeAdmissionResult(world.inputs.ticket, id);
  if (!read.ok) return read;
  const ticket = read.value;
  const folder = runFolder(world.context, id);
  const place = {file: join(folder, "record.json"), redact: world.redact};
  const record = o.again
    ? openRecordFile(place)
    : createRecordFile({...place, record: firstRecord({...ticket, world, event})});
  if (record === null) return refused({kind: "interrupted", message: "the agent's job has left no record"});
  if (ticket.resumes !== undefined) record.update({resumes: ticket.resumes});
  const isIt = isCommentOf(event);
  const comment = openLiveComment({github: world.github, number: event.thread.number, isIt, id: ticket.commentId});
  const {eyes, head} = ticket;
  return ok({run: {world, folder, marker: {run: id, session: null}, event, record, comment, eyes, head}, ticket});
}

/** The run of this event, if its comment still shows progress; null where nobody waits for a report. */
export async function findOpenRun(world: RunContext): Promise<AdmittedRun | null> {
  const {github, context, redact} = world;
  const reading = readEvent(context.eventName, world.event);
  const request =
    reading.kind === "event" ? parseCommand(reading.event.text, {phrase: world.inputs["trigger-phrase"]}) : null;
  if (reading.kind !== "event" || request === null) return null;
  const {event} = reading;
  const isIt = isCommentOf(event);
  const {number} = event.thread;
  const found = await github.findComment(number, isIt);
  if (!found.ok || found.value === null || !isProgress(found.value.body)) return null;
  const marker = {run: runId(event), session: null};
  const folder = runFolder(context, marker.run);
  const known = {startedAt: world.now(), showsPlan: false, commentId: found.value.id};
  const first = firstRecord({world, event, request, ...known});
  const record = createRecordFile({file: join(folder, "record.json"), redact, record: first});
  const comment = openLiveComment({github, number, isIt, id: found.value.id});
  const eyes = await github.react({trigger: event.trigger, content: "eyes"});
  return {world, folder, marker, event, record, comment, eyes: eyes.ok ? eyes.value : null, head: null};
}
