/** Last step, always: the record is closed, the report stands in the thread, the reaction and the outputs say the same. */

import {join} from "node:path";
import {removeLocks} from "../src/git/stale-locks.ts";
import type {Reaction} from "../src/github/comments.ts";
import {annotateError, readState, saveState, writeSummary} from "../src/github/runner.ts";
import {removeAbandonedPipes} from "../src/process/pipes.ts";
import {clearSigning, signingRef} from "../src/publish/sign.ts";
import type {Failure} from "../src/record/failure.ts";
import {isGreen, type RunRecord} from "../src/record/record.ts";
import {isVerified} from "../src/record/words.ts";
import {plainHeadline} from "../src/report/headline.ts";
import {renderReport} from "../src/report/markdown.ts";
import {renderSummary} from "../src/report/summary.ts";
import {readEvent} from "../src/request/event.ts";
import {type AdmittedRun, isCommentOf, runId} from "../src/run/admitted-run.ts";
import {answerDroppedRequests} from "../src/run/dropped-requests.ts";
import {completePublication} from "../src/run/find-published.ts";
import type {JobResult} from "../src/run/jobs/job-result.ts";
import {openLiveComment} from "../src/run/live-comment.ts";
import {writeRunOutputs} from "../src/run/outputs.ts";
import {openRecordFile} from "../src/run/record-file.ts";
import {parkRemainingWork} from "../src/run/remaining-work.ts";
import {type RunContext, runFolder} from "../src/run/run-context.ts";
import {openOwnRepository} from "../src/run/run-setup.ts";
import {redactRecord} from "../src/secrets/redact-record.ts";

/**
 * Closes the run; green as P14 has it. The comment failing falls back to the job summary, which says so.
 * `afterReport` is what can wait until a person has an answer.
 */
export async function settle(
  run: AdmittedRun,
  afterReport: readonly (() => Promise<unknown>)[] = [],
): Promise<JobResult> {
  const {context, record, event} = run;
  const {run: open, notes} = record.current();
  // Until the report stands, the record says that it does not: where this process dies first, `post` shows it.
  const unreported = {about: UNREPORTED, text: "the run ended before its report was shown"};
  record.update({run: {...open, finishedAt: context.now()}, notes: [...withoutUnreported(notes), unreported]});
  announceEnd(run);
  await report(run);
  const closed = redactRecord({record: record.current(), redact: context.redact});
  await writeSummary(renderSummary(closed));
  for (const step of afterReport) await step();
  const {github} = context;
  await github.react({trigger: event.trigger, content: reactionFor(closed)});
  if (run.eyes !== null) await github.unreact({trigger: event.trigger, reaction: run.eyes});
  if (!context.signal.aborted) await answerDroppedRequests(run);
  return {isGreen: isGreen(closed), why: isGreen(closed) ? "" : plainHeadline(closed)};
}

/** Writes the outputs, and tells the runner which claims the record was closed with. */
export function announceEnd(run: AdmittedRun): void {
  saveState("closed", run.record.digest());
  writeRunOutputs(run);
}

/** True when this record's claims are the ones that `main` has closed it with: its word comes by the runner, past the agent. */
export function isClosedByMain({record}: Pick<AdmittedRun, "record">): boolean {
  return readState("closed") === record.digest();
}

/** Shows the report in the thread. Where that cannot be, a note in the record says why; `post` then tries once more. */
export async function report(run: AdmittedRun): Promise<void> {
  const {context, record} = run;
  const {thread, notes} = record.current();
  const earlier = withoutUnreported(notes);
  const closed = redactRecord({record: {...record.current(), notes: earlier}, redact: context.redact});
  const shown = await run.comment.finish(renderReport(closed));
  if (shown.ok) {
    if (thread !== null) record.update({thread: {...thread, commentId: shown.value}, notes: earlier});
    return;
  }
  const why = "message" in shown.failure ? shown.failure.message : shown.failure.kind;
  context.log(`the report could not be shown in the thread: ${why}`);
  const text = `the report could not be shown in the thread (${why}); it stands in the job's summary`;
  record.update({notes: [...earlier, {about: UNREPORTED, text}]});
}

/** What the note is about that says that no report stands in the thread. */
export const UNREPORTED = "comment";

const withoutUnreported = (notes: RunRecord["notes"]) => notes.filter(({about}) => about !== UNREPORTED);

/** The end reaction on the triggering comment: 🚀 verified, 👍 green without that claim, 😕 anything else. */
export function reactionFor(record: Pick<RunRecord, "verdict" | "failures">): Reaction {
  if (!isGreen(record)) return "confused";
  return isVerified(record.verdict) ? "rocket" : "+1";
}

/**
 * Finds the record of this event's run; one that is closed and reported, or that never began, needs nothing. That it is closed
 * must be known from `main` itself: the agent could reach the record.
 */
export async function recover(context: RunContext): Promise<void> {
  const reading = readEvent(context.runner.eventName, context.event);
  if (reading.kind !== "event") return;
  const {event} = reading;
  const {github} = context;
  const marker = {run: runId(event), session: null};
  const folder = runFolder(context.runner, marker.run);
  const record = openRecordFile({file: join(folder, "record.json"), redact: context.redact});
  if (record === null) return;
  await removeAbandonedPipes();
  // Its comment is found by its mark, not by the record's word: the agent could reach that file, and name one of somebody else.
  const comment = openLiveComment({github, number: event.thread.number, isIt: isCommentOf(event), id: null});
  const run: AdmittedRun = {context, folder, marker, event, record, comment, eyes: null, head: null};
  const {run: closed, notes} = record.current();
  if (closed.finishedAt !== null && isClosedByMain(run)) {
    // GitHub may take now what it did not take when the run ended.
    if (notes.some(({about}) => about === UNREPORTED)) await report(run);
    return;
  }
  context.log("The run ended before it was done: its work is parked now, and its comment closed.");
  await removeLocks(join(folder, "git"));
  await inTime(run, async () => {
    // Before anything is asked of GitHub's API: that may take minutes to say no.
    await parkRemainingWork(run);
    await clearSigningBranch(run);
    run.record.addFailure(INTERRUPTED);
    await completePublication(run);
  });
  const eyes = await github.react({trigger: event.trigger, content: "eyes"});
  const {isGreen, why} = await settle({...run, eyes: eyes.ok ? eyes.value : null});
  if (!isGreen) annotateError(context.redact(why));
}

const INTERRUPTED: Failure = {kind: "interrupted", message: "the process was ended before the run was over"};
/** The runner may end `post` soon after a cancellation: by then the thread has an answer, whatever is still open. */
const LAST_WORD_MS = 60_000;

/** Does `action`; where that takes longer, reports what is known until then. The report at the end replaces it. */
async function inTime(run: AdmittedRun, action: () => Promise<void>): Promise<void> {
  let lastWord: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    const {failures, notes, ...record} = run.record.current();
    const about = {about: "saving the work", text: `was still going on after ${LAST_WORD_MS / 1_000} s`};
    const known = {...record, failures: [...failures, INTERRUPTED], notes: [...notes, about]};
    const shown = redactRecord({record: known, redact: run.context.redact});
    lastWord = Promise.all([run.comment.finish(renderReport(shown)), writeSummary(renderSummary(shown))]);
  }, LAST_WORD_MS);
  await action().finally(() => clearTimeout(timer));
  await lastWord;
}

/** The branch on which GitHub was making the commit; one that cannot be deleted says nothing wrong. */
async function clearSigningBranch(run: AdmittedRun): Promise<void> {
  if (!run.context.inputs["sign-commits"]) return;
  const repository = await openOwnRepository(run);
  if (repository.ok) await clearSigning({repository: repository.value, ref: signingRef(run.marker.run)});
}
