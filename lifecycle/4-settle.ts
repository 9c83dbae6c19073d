/** Last step, always: closes the record, shows the report, sets reaction and outputs. Also recovers crashed runs. */

import {rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {removeLocks} from "../src/git/stale-locks.ts";
import type {Reaction} from "../src/github/comments.ts";
import {annotateError, readState, saveState, writeSummary} from "../src/github/runner.ts";
import {removeAbandonedPipes} from "../src/process/pipes.ts";
import {clearSigning, signingRef} from "../src/publish/sign.ts";
import type {Failure} from "../src/record/failure.ts";
import {isGreen, type RunRecord} from "../src/record/record.ts";
import {isVerified} from "../src/record/words.ts";
import {isProgress} from "../src/report/live.ts";
import {renderReport, renderSummary} from "../src/report/markdown.ts";
import {renderWithheld} from "../src/report/withheld.ts";
import {screen} from "../src/request/admission.ts";
import {type Event, readEvent} from "../src/request/event.ts";
import {type AdmittedRun, isCommentOf, openRecord, openRun} from "../src/run/admitted-run.ts";
import {completePublication, markCommit} from "../src/run/after-push.ts";
import {answerDroppedRequests} from "../src/run/dropped-requests.ts";
import {exportTelemetry} from "../src/run/export-telemetry.ts";
import {type JobResult, resultOfJob} from "../src/run/jobs/job-result.ts";
import {findOpenRun} from "../src/run/jobs/resume-job.ts";
import {notifyRequester} from "../src/run/notify-requester.ts";
import {pageFile, writeRunOutputs} from "../src/run/outputs.ts";
import {openOwnRepository} from "../src/run/prepare-run.ts";
import {parkRemainingWork} from "../src/run/remaining-work.ts";
import {settleSpending} from "../src/run/reserve-spending.ts";
import type {RunContext} from "../src/run/run-context.ts";
import {countRunnerMinutes} from "../src/run/runner-minutes.ts";
import {removeConversation} from "../src/run/saved-session.ts";
import {redactRecord} from "../src/secrets/redact-record.ts";

/**
 * Closes the run; green according to P14. If the comment fails, the job summary contains the report and a note. The
 * steps in `afterReport` can wait until the report is shown.
 */
export async function settle(
  run: AdmittedRun,
  afterReport: readonly (() => Promise<unknown>)[] = [],
): Promise<JobResult> {
  const {context, record, event} = run;
  const {run: open, notes} = record.current();
  // The note stays until the report is shown: if this process dies before, `post` shows the report.
  const unreportedNote = {about: UNREPORTED, text: "the run ended before its report was shown"};
  record.update({run: {...open, finishedAt: context.now()}, notes: [...withoutUnreported(notes), unreportedNote]});
  await countRunnerMinutes(run);
  writeResults(run);
  await report(run);
  await summarize(run);
  await runFollowUps(run, afterReport);
  await settleSpending(run);
  await writePage(run).catch((error: unknown) => context.log(`the page was not written: ${error}`));
  await exportTelemetry(run);
  const closed = redactRecord({record: record.current(), redact: context.redact});
  const {github} = context;
  await github.react({trigger: event.trigger, content: reactionFor(closed)});
  if (run.eyes !== null) await github.unreact({trigger: event.trigger, reaction: run.eyes});
  if (context.inputs.job === "publish") await restoreReport(run);
  if (isReported(run)) await notifyRequester(run);
  await searchDropped(run);
  // The list of withheld writes is complete only here.
  if (context.withheld !== null) await summarize(run);
  return resultOfJob(closed);
}

/** A cancelled run leaves the search to `post`, which has more time. */
async function searchDropped(run: AdmittedRun): Promise<void> {
  const {signal} = run.context;
  if (!signal.aborted) await answerDroppedRequests(run);
  if (!signal.aborted) saveState("searched", "true");
}

/** An edit of the job `progress` that arrived late has replaced the report. */
async function restoreReport(run: AdmittedRun): Promise<void> {
  const {context, event} = run;
  const comment = await context.github.findComment(event.thread.number, isCommentOf(event));
  if (comment.ok && comment.value !== null && isProgress(comment.value.body)) await report(run);
}

/** Runs the steps after the report, and shows the report again if they have something to add to it. */
async function runFollowUps(run: AdmittedRun, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const shownReport = JSON.stringify([run.record.current().notes, run.record.current().failures]);
  for (const step of steps) await step();
  saveState("followed-up", "true");
  if (JSON.stringify([run.record.current().notes, run.record.current().failures]) === shownReport) return;
  writeResults(run);
  await report(run);
  await summarize(run);
}

async function summarize({record, context}: AdmittedRun): Promise<void> {
  const summary = renderSummary(redactRecord({record: record.current(), redact: context.redact}));
  await writeSummary(context.withheld === null ? summary : `${summary}\n${renderWithheld(context.withheld)}`);
}

/** The page of the run, which the workflow uploads. A link in its place would lead elsewhere. */
async function writePage({record, context}: Pick<AdmittedRun, "record" | "context">): Promise<void> {
  const {runPage} = await import("../src/report/page.ts");
  const file = pageFile(record.file);
  await rm(file, {force: true});
  await writeFile(file, runPage(redactRecord({record: record.current(), redact: context.redact})), {flag: "wx"});
}

/** Writes the outputs, and gives the runner the digest of the closed record. */
export function writeResults(run: AdmittedRun): void {
  saveState("closed", run.record.digest());
  writeRunOutputs(run);
}

/** True if `main` closed the record with these claims. The runner keeps the digest out of the agent's reach. */
function isClosedByMain({record}: Pick<AdmittedRun, "record">): boolean {
  return readState("closed") === record.digest();
}

/**
 * Shows the report in the thread. If that fails, the record gets a note with the reason, and `post` tries once more.
 */
export async function report(run: AdmittedRun): Promise<void> {
  const {context, record} = run;
  const {thread, notes} = record.current();
  const earlier = withoutUnreported(notes);
  const closed = redactRecord({record: {...record.current(), notes: earlier}, redact: context.redact});
  const update = await run.comment.finish(renderReport(closed));
  if (update.ok) {
    record.update({thread: thread && {...thread, commentId: update.value}, notes: earlier});
    return;
  }
  const reason = "message" in update.failure ? update.failure.message : update.failure.kind;
  context.log(`the report could not be shown in the thread: ${reason}`);
  const text = `the report could not be shown in the thread (${reason}); it is in the job's summary`;
  record.update({notes: [...earlier, {about: UNREPORTED, text}]});
}

/** The subject of the note that the thread has no report. */
const UNREPORTED = "comment";

const isReported = ({record}: AdmittedRun): boolean => !record.current().notes.some(({about}) => about === UNREPORTED);

const withoutUnreported = (notes: RunRecord["notes"]) => notes.filter(({about}) => about !== UNREPORTED);

/** The final reaction on the triggering comment: 🚀 verified, 👍 green without that claim, 😕 anything else. */
export function reactionFor(record: Pick<RunRecord, "verdict" | "failures">): Reaction {
  if (!isGreen(record)) return "confused";
  return isVerified(record.verdict) ? "rocket" : "+1";
}

/**
 * Recovers the run of this event if it crashed: parks its work and closes its comment (P8, P9). Only the digest from
 * `main` proves that a record is closed, because the agent could reach the record.
 */
export async function recover(context: RunContext, {hasMainEnded}: {hasMainEnded: boolean}): Promise<void> {
  const reading = readEvent(context.runner.eventName, context.event);
  if (reading.kind !== "event") return;
  const {event} = reading;
  const record = openRecord({context, event});
  if (record === null && hasMainEnded) return;
  // The comment is found by its marker, not by its id in the record: the agent could have put another comment's id
  // there.
  const run = record === null ? await findLostRun(context, event) : openRun({context, event, record, commentId: null});
  if (run === null) return;
  await removeAbandonedPipes();
  const {run: closed} = run.record.current();
  if (closed.finishedAt !== null && isClosedByMain(run)) {
    // GitHub may accept now the report that it refused at the end of the run.
    if (!isReported(run)) await report(run);
    if (isReported(run) && readState("notified") !== "true") await notifyRequester(run);
    if (readState("booked") !== "true") await settleSpending(run);
    if (readState("followed-up") !== "true") await markCommit(run);
    if (readState("searched") !== "true") await searchDropped(run);
    return;
  }
  context.log("The run was interrupted. Saving its work and completing its comment.");
  await removeLocks(join(run.folder, "git"));
  await runWithInterimReport(run, async () => {
    // Runs before any GitHub API call, which may take minutes to fail.
    await parkRemainingWork(run);
    await clearSigningBranch(run);
    run.record.addFailure(INTERRUPTED);
    await completePublication(run);
  });
  const eyes = await context.github.react({trigger: event.trigger, content: "eyes"});
  const {isGreen, why} = await settle({...run, eyes: eyes.ok ? eyes.value : null});
  await removeConversation(run);
  if (!isGreen) annotateError(context.redact(why));
}

/**
 * The run of a request that `main` neither answered nor recorded before it was killed. In separate jobs, the publishing
 * job finds it.
 */
async function findLostRun(context: RunContext, event: Event): Promise<AdmittedRun | null> {
  const {"trigger-phrase": phrase, label, assignee, job} = context.inputs;
  if (job !== "all" || screen(event, {phrase, label, assignee}).kind !== "asked") return null;
  const openRun = await findOpenRun(context);
  if (!openRun.ok)
    context.log("The run was interrupted, and the thread cannot be read. The request may have no answer.");
  return openRun.ok ? openRun.value : null;
}

const INTERRUPTED: Failure = {kind: "interrupted", message: "the process ended before the run was finished"};
/** The runner may end `post` soon after a cancellation; the thread has a report by then. */
const LAST_WORD_MS = 60_000;

/** Runs `action`. If it takes longer, reports the current state; the final report replaces it. */
async function runWithInterimReport(run: AdmittedRun, action: () => Promise<void>): Promise<void> {
  let lastWord: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    const {failures, notes, ...record} = run.record.current();
    const note = {about: "saving the work", text: `did not finish within ${LAST_WORD_MS / 1_000} s`};
    const interim = {...record, failures: [...failures, INTERRUPTED], notes: [...notes, note]};
    const interimReport = redactRecord({record: interim, redact: run.context.redact});
    lastWord = Promise.all([
      run.comment.finish(renderReport(interimReport)),
      writeSummary(renderSummary(interimReport)),
    ]);
  }, LAST_WORD_MS);
  await action().finally(() => clearTimeout(timer));
  await lastWord;
}

/** Deletes the branch on which GitHub was making the commit. One that remains does no harm. */
async function clearSigningBranch(run: AdmittedRun): Promise<void> {
  if (!run.context.inputs["sign-commits"]) return;
  const repository = await openOwnRepository(run);
  if (repository.ok) await clearSigning({repository: repository.value, ref: signingRef(run.marker.run)});
}
