/** Saves the newest work of a run that cannot continue. */
import {LEFTOVERS_REF, lastCandidate} from "../changes/candidate.ts";
import type {Repository} from "../git/repository.ts";
import type {Attempt} from "../record/attempt.ts";
import {withheldPublication} from "../record/record.ts";
import type {Candidate, Verdict} from "../record/verification.ts";
import {type AdmittedRun, workOwner} from "./admitted-run.ts";
import {captureCandidate} from "./capture-candidate.ts";
import {findParkedCommit, notePublished} from "./find-published.ts";
import {parkCandidate} from "./park-candidate.ts";
import {openOwnRepository} from "./prepare-run.ts";
import {saveOtherTries} from "./tries.ts";

/** Parks the newest work of a run that cannot continue, unless it is already published or parked, recorded or not. */
export async function parkRemainingWork(run: AdmittedRun): Promise<void> {
  const {base, publication, tries} = run.record.current();
  if (base === null || (publication.kind !== "none" && tries === undefined)) return;
  const ownRepository = await openOwnRepository(run);
  if (!ownRepository.ok) return run.record.addFailure(ownRepository.failure);
  const repository = ownRepository.value;
  if (publication.kind === "none" && !(await notePublished(run, repository)))
    await parkNewestWork(run, repository, base.commit);
  await saveOtherTries(run, {repository, exampleSecrets: []});
}

async function parkNewestWork(run: AdmittedRun, repository: Repository, base: string): Promise<void> {
  const candidate = await newestWork(run, repository, base);
  if (candidate === null) return;
  const issue = workOwner(run.event);
  const publication = await parkCandidate(run, {
    repository,
    candidate,
    exampleSecrets: [],
    findParked: (work) => findParkedCommit({repository, candidate: work, issue}),
  });
  run.record.update({publication: run.context.withheld === null ? publication : withheldPublication(publication)});
}

/** The working folder is newer than any candidate. If it cannot be read, the last candidate is the newest work. */
export async function newestWork(run: AdmittedRun, repository: Repository, base: string): Promise<Candidate | null> {
  const leftovers = await repository.git(["rev-parse", "--verify", "--quiet", LEFTOVERS_REF]);
  // Without that ref no agent has started on this machine, and the folder contains none of its work. The publishing job
  // has the sent work.
  if (!leftovers.ok) return run.context.inputs.job === "publish" ? lastCandidateOf(repository) : null;
  const capture = await captureCandidate(run, {
    repository,
    base,
    leftovers: leftovers.value.trim(),
    protectedPaths: [],
  });
  if (capture.ok) {
    if (capture.value.changes.length === 0) return null;
    if (capture.value.refused !== null) run.record.addFailure(capture.value.refused);
    noteAttempt(run, {candidate: capture.value.candidate, changes: [...capture.value.changes]});
    return capture.value.candidate;
  }
  run.record.addFailure(capture.failure);
  return lastCandidateOf(repository);
}

async function lastCandidateOf(repository: Repository): Promise<Candidate | null> {
  const candidate = await lastCandidate(repository);
  return candidate.ok ? candidate.value : null;
}

/** Adds the work to the record as an unverified attempt, unless the record has it. */
function noteAttempt(run: AdmittedRun, found: Pick<Attempt, "changes"> & {candidate: Candidate}): void {
  const {attempts} = run.record.current();
  const detail = "the run ended before this work could be verified";
  const verdict: Verdict = {kind: "unverified", why: "unfinished", detail};
  run.record.update({verdict});
  if (attempts.at(-1)?.candidate?.tree === found.candidate.tree) return;
  const attempt: Attempt = {number: attempts.length + 1, turn: null, verification: null, verdict, ...found};
  run.record.update({attempts: [...attempts, attempt]});
}
