/** The publishing job: the only one that may write. It runs nothing of the repository, and believes only what it can read again. */
import {writeFile} from "node:fs/promises";
import {join} from "node:path";
import {examineCandidate, keepCandidate} from "../../src/changes/candidate.ts";
import {type HandoverPart, unpackRecord, unpackSession, unpackVerdict, unpackWork} from "../../src/handover/bundle.ts";
import {decodeOutput} from "../../src/handover/encode-output.ts";
import {verifyHandover} from "../../src/handover/verify-handover.ts";
import type {OnEvent} from "../../src/record/events.ts";
import type {Failure} from "../../src/record/failure.ts";
import type {RunRecord} from "../../src/record/record.ts";
import {ok, type Result} from "../../src/record/words.ts";
import {catchBug, recordFailure} from "../../src/run/catch-bug.ts";
import {markCommit} from "../../src/run/commit-check.ts";
import {failureLines} from "../../src/run/event-log.ts";
import {writeRunOutputs} from "../../src/run/outputs.ts";
import {applyParkedWork, isReleased, removeOldRefs} from "../../src/run/parked-work.ts";
import type {RunContext} from "../../src/run/run-context.ts";
import {prepareRun, type RunSetup} from "../../src/run/run-setup.ts";
import {saveRunSession} from "../../src/run/saved-session.ts";
import type {AdmittedRun} from "../1-admit.ts";
import {publish} from "../3-publish.ts";
import {type Done, settle} from "../4-settle.ts";
import {bundleFolder, findOpenRun, resumeJob} from "./resume-job.ts";

/** Publishes or parks, keeps the session and closes the comment, whatever the jobs before have left. */
export async function publishJob(world: RunContext, listen: OnEvent): Promise<Done> {
  const taken = resumeJob(world, {again: false});
  if (!taken.ok) return closeWithoutTicket(world, taken.failure);
  const {run, ticket} = taken.value;
  writeRunOutputs(run);
  await catchBug(run, async () => {
    const laid = await prepareRun(run, ticket);
    if (!laid.ok) return recordFailure(run, laid.failure);
    const work = await unpackRecord(bundleFolder(world, "work"));
    await takeOver({run, ground: laid.value, work});
    if (run.record.current().request?.kind === "verify") {
      if (isReleased(run)) await publish({run, ground: laid.value, onEvent: listen});
    } else {
      await keepItsSession({run, ground: laid.value, work});
      await publish({run, ground: laid.value, onEvent: listen});
      await removeOldRefs({run, ground: laid.value});
    }
    await markCommit(run);
  });
  return settle(run);
}

/** Without the admission result nothing can be published, but the event and the comment's marker are enough to finish that. */
async function closeWithoutTicket(world: RunContext, failure: Failure): Promise<Done> {
  const why = failureLines(failure).join("\n");
  const run = await findOpenRun(world);
  if (run === null) return {isGreen: false, why};
  recordFailure(run, failure);
  return {...(await settle(run)), why};
}

/** Takes into the record what the jobs before have found, as far as it may be claimed. */
async function takeOver(o: {run: AdmittedRun; ground: RunSetup; work: Result<RunRecord, string>}): Promise<void> {
  const {run, ground, work} = o;
  const {record} = run;
  const {repository, base} = ground;
  const handed =
    record.current().request?.kind === "verify"
      ? await parkedWork({run, ground})
      : await unpackWork({folder: bundleFolder(run.world, "work"), repository, base: base.commit});
  const own = await unpackVerdict({
    digests: run.world.inputs.digest.map(decodeOutput),
    folderOf: (machine) => bundleFolder(run.world, machine === null ? "verify" : `verify-${machine}`),
    plan: ground.plan,
  });
  const {attempts, verdict, failures, notes} = verifyHandover({mine: record.current(), work, own, handed});
  const before = record.current();
  if (work.ok && work.value.setAside) record.update({setAside: work.value.setAside});
  // Two jobs that look for the same parked work say the same of it.
  const added = notes.filter(({text}) => !before.notes.some((note) => note.text === text));
  record.update({attempts, verdict, failures: [...before.failures, ...failures], notes: [...before.notes, ...added]});
}

/** What `/verify` was to look at on an issue, put onto the base once more by this job itself; null where there is none. */
async function parkedWork(o: {run: AdmittedRun; ground: RunSetup}): Promise<Result<HandoverPart | null, Failure>> {
  const brought = await applyParkedWork(o);
  if (!brought.ok || brought.value === null) return brought.ok ? ok(null) : brought;
  const {repository} = o.ground;
  const {commit, tree, base} = brought.value.candidate;
  // What was fetched without its history seems to have no parent, so a copy is examined.
  const kept = await keepCandidate({repository, base, tree});
  if (!kept.ok) return kept;
  const examined = await examineCandidate({repository, base, commit: kept.value});
  if (!examined.ok) return examined;
  const {candidate, changes} = examined.value;
  // The check goes onto the parked commit itself, where that stands on this base.
  return ok({candidate: {...candidate, commit}, changes});
}

/** The conversation is the agent's own words wherever it is kept; which commit keeps it, only this job may say. */
async function keepItsSession(o: {run: AdmittedRun; ground: RunSetup; work: Result<RunRecord, string>}): Promise<void> {
  const {run, ground, work} = o;
  const text = await unpackSession(bundleFolder(run.world, "work"));
  if (text === "") return;
  const file = join(run.folder, "session.jsonl");
  await writeFile(file, text);
  if (work.ok && work.value.session?.resumed) run.record.update({session: work.value.session});
  await saveRunSession({run, ground, file});
}
