/** Closes a run that died: its work goes from the folder and the local refs to a parked branch, its comment to an end (P8, P9). */
import {join} from "node:path";
import {type AdmittedRun, isCommentOf, runId} from "../../lifecycle/1-admit.ts";
import {parkCandidate} from "../../lifecycle/3-publish.ts";
import {isClosedByMain, report, settle, UNREPORTED} from "../../lifecycle/4-settle.ts";
import {LEFTOVERS_REF, lastCandidate} from "../changes/candidate.ts";
import type {Repository} from "../git/repository.ts";
import {removeLocks} from "../git/stale-locks.ts";
import {annotateError, writeSummary} from "../github/runner.ts";
import {removeAbandonedPipes} from "../process/pipes.ts";
import {clearSigning, signingRef} from "../publish/sign.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate, Verdict} from "../record/verification.ts";
import {renderReport} from "../report/markdown.ts";
import {renderSummary} from "../report/summary.ts";
import {readEvent} from "../request/event.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import {captureCandidate} from "./capture-candidate.ts";
import {completePublication, findParkedCommit, notePublished} from "./find-published.ts";
import {openLiveComment} from "./live-comment.ts";
import {openRecordFile} from "./record-file.ts";
import {type RunContext, runFolder} from "./run-context.ts";
import {openOwnRepository} from "./run-setup.ts";

/**
 * Finds the record of this event's run; one that is closed and reported, or that never began, needs nothing. That it is closed
 * must be known from `main` itself: the agent could reach the record.
 */
export async function recover(world: RunContext): Promise<void> {
  const reading = readEvent(world.context.eventName, world.event);
  if (reading.kind !== "event") return;
  const {event} = reading;
  const {github} = world;
  const marker = {run: runId(event), session: null};
  const folder = runFolder(world.context, marker.run);
  const record = openRecordFile({file: join(folder, "record.json"), redact: world.redact});
  if (record === null) return;
  await removeAbandonedPipes();
  // Its comment is found by its mark, not by the record's word: the agent could reach that file, and name one of somebody else.
  const comment = openLiveComment({github, number: event.thread.number, isIt: isCommentOf(event), id: null});
  const run: AdmittedRun = {world, folder, marker, event, record, comment, eyes: null, head: null};
  const {run: closed, notes} = record.current();
  if (closed.finishedAt !== null && isClosedByMain(run)) {
    // GitHub may take now what it did not take when the run ended.
    if (notes.some(({about}) => about === UNREPORTED)) await report(run);
    return;
  }
  world.log("The run ended before it was done: its work is parked now, and its comment closed.");
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
  if (!isGreen) annotateError(world.redact(why));
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
    const shown = redactRecord({record: known, redact: run.world.redact});
    lastWord = Promise.all([run.comment.finish(renderReport(shown)), writeSummary(renderSummary(shown))]);
  }, LAST_WORD_MS);
  await action().finally(() => clearTimeout(timer));
  await lastWord;
}

/** The branch on which GitHub was making the commit; one that cannot be deleted says nothing wrong. */
async function clearSigningBranch(run: AdmittedRun): Promise<void> {
  if (!run.world.inputs["sign-commits"]) return;
  const repository = await openOwnRepository(run);
  if (repository.ok) await clearSigning({repository: repository.value, ref: signingRef(run.marker.run)});
}

/** Parks the newest work of a run that cannot go on, unless it has been put somewhere already, recorded or not. */
export async function parkRemainingWork(run: AdmittedRun): Promise<void> {
  const {record} = run;
  const {base, publication} = record.current();
  if (publication.kind !== "none" || base === null) return;
  const opened = await openOwnRepository(run);
  if (!opened.ok) return run.record.addFailure(opened.failure);
  const repository = opened.value;
  if (await notePublished({run, repository})) return;
  const found = await newestWork({run, repository, base: base.commit});
  if (found === null) return;
  const issue = run.event.thread.number;
  const parked = await parkCandidate({
    run,
    repository,
    candidate: found,
    exampleSecrets: [],
    findParked: (candidate) => findParkedCommit({repository, candidate, issue}),
  });
  record.update({publication: parked});
}

/** What stands in the working folder now is newer than any candidate; where it cannot be read, the last candidate is. */
export async function newestWork(o: {
  run: AdmittedRun;
  repository: Repository;
  base: string;
}): Promise<Candidate | null> {
  const {run, repository, base} = o;
  const leftovers = await repository.git(["rev-parse", "--verify", "--quiet", LEFTOVERS_REF]);
  // Without that ref no agent was started here, and what is in the folder is not its work; the publishing job has what was sent.
  if (!leftovers.ok) return run.world.inputs.job === "publish" ? lastCandidateOf(repository) : null;
  const made = await captureCandidate({run, repository, base, leftovers: leftovers.value.trim(), protectedPaths: []});
  if (made.ok) {
    if (made.value.changes.length === 0) return null;
    if (made.value.refused !== null) run.record.addFailure(made.value.refused);
    noteAttempt(run, {candidate: made.value.candidate, changes: [...made.value.changes]});
    return made.value.candidate;
  }
  run.record.addFailure(made.failure);
  return lastCandidateOf(repository);
}

async function lastCandidateOf(repository: Repository): Promise<Candidate | null> {
  const last = await lastCandidate(repository);
  return last.ok ? last.value : null;
}

/** The report counts what was found as one more attempt, unverified, unless the record has it already. */
function noteAttempt(run: AdmittedRun, found: Pick<Attempt, "changes"> & {candidate: Candidate}): void {
  const {attempts} = run.record.current();
  const verdict: Verdict = {
    kind: "unverified",
    why: "cancelled",
    detail: "the run ended before this could be verified",
  };
  run.record.update({verdict});
  if (attempts.at(-1)?.candidate?.tree === found.candidate.tree) return;
  const attempt: Attempt = {number: attempts.length + 1, turn: null, verification: null, verdict, ...found};
  run.record.update({attempts: [...attempts, attempt]});
}
