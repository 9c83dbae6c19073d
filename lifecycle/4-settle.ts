/** Last step, always: the record is closed, the report stands in the thread, the reaction and the outputs say the same. */

import type {Reaction} from "../src/github/comments.ts";
import {readState, saveState, writeSummary} from "../src/github/runner.ts";
import {isGreen, type RunRecord} from "../src/record/record.ts";
import {isVerified} from "../src/record/words.ts";
import {plainHeadline} from "../src/report/headline.ts";
import {renderReport} from "../src/report/markdown.ts";
import {renderSummary} from "../src/report/summary.ts";
import {answerDroppedRequests} from "../src/run/dropped-requests.ts";
import {writeRunOutputs} from "../src/run/outputs.ts";
import {redactRecord} from "../src/secrets/redact-record.ts";
import type {AdmittedRun} from "./1-admit.ts";

/** How a run ended for the runner: the colour of the job, and the sentence for its log and, in red, for its annotation. */
export interface Done {
  readonly isGreen: boolean;
  readonly why: string;
}

/**
 * Closes the run; green as P14 has it. The comment failing falls back to the job summary, which says so.
 * `afterReport` is what can wait until a person has an answer.
 */
export async function settle(run: AdmittedRun, afterReport: readonly (() => Promise<unknown>)[] = []): Promise<Done> {
  const {world, record, event} = run;
  const {run: open, notes} = record.current();
  // Until the report stands, the record says that it does not: where this process dies first, `post` shows it.
  const unreported = {about: UNREPORTED, text: "the run ended before its report was shown"};
  record.update({run: {...open, finishedAt: world.now()}, notes: [...withoutUnreported(notes), unreported]});
  announceEnd(run);
  await report(run);
  const closed = redactRecord({record: record.current(), redact: world.redact});
  await writeSummary(renderSummary(closed));
  for (const step of afterReport) await step();
  const {github} = world;
  await github.react({trigger: event.trigger, content: reactionFor(closed)});
  if (run.eyes !== null) await github.unreact({trigger: event.trigger, reaction: run.eyes});
  if (!world.signal.aborted) await answerDroppedRequests(run);
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
  const {world, record} = run;
  const {thread, notes} = record.current();
  const earlier = withoutUnreported(notes);
  const closed = redactRecord({record: {...record.current(), notes: earlier}, redact: world.redact});
  const shown = await run.comment.finish(renderReport(closed));
  if (shown.ok) {
    if (thread !== null) record.update({thread: {...thread, commentId: shown.value}, notes: earlier});
    return;
  }
  const why = "message" in shown.failure ? shown.failure.message : shown.failure.kind;
  world.log(`the report could not be shown in the thread: ${why}`);
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
