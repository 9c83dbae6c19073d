/** Saves the newest work of a run that cannot continue. */
import {LEFTOVERS_REF, lastCandidate} from "../changes/candidate.ts";
import type {Repository} from "../git/repository.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Candidate, Verdict} from "../record/verification.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {captureCandidate} from "./capture-candidate.ts";
import {findParkedCommit, notePublished} from "./find-published.ts";
import {parkCandidate} from "./park-candidate.ts";
import {openOwnRepository} from "./prepare-run.ts";

/** Parks the newest work of a run that cannot continue, unless it is already published or parked, recorded or not. */
export async function parkRemainingWork(run: AdmittedRun): Promise<void> {
  const {record} = run;
  const {base, publication} = record.current();
  if (publication.kind !== "none" || base === null) return;
  const opened = await openOwnRepository(run);
  if (!opened.ok) return run.record.addFailure(opened.failure);
  const repository = opened.value;
  if (await notePublished(run, repository)) return;
  const found = await newestWork(run, repository, base.commit);
  if (found === null) return;
  const issue = run.event.thread.number;
  const parked = await parkCandidate(run, {
    repository,
    candidate: found,
    exampleSecrets: [],
    findParked: (candidate) => findParkedCommit({repository, candidate, issue}),
  });
  record.update({publication: parked});
}

/** The working folder is newer than any candidate. If it cannot be read, the last candidate is the newest work. */
export async function newestWork(run: AdmittedRun, repository: Repository, base: string): Promise<Candidate | null> {
  const leftovers = await repository.git(["rev-parse", "--verify", "--quiet", LEFTOVERS_REF]);
  // Without that ref no agent started on this machine, and the folder is not its work. The publishing job has the sent work.
  if (!leftovers.ok) return run.context.inputs.job === "publish" ? lastCandidateOf(repository) : null;
  const made = await captureCandidate(run, {repository, base, leftovers: leftovers.value.trim(), protectedPaths: []});
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

/** Adds the work to the record as an unverified attempt, unless the record has it. */
function noteAttempt(run: AdmittedRun, found: Pick<Attempt, "changes"> & {candidate: Candidate}): void {
  const {attempts} = run.record.current();
  const detail = "the run ended before this could be verified";
  const verdict: Verdict = {kind: "unverified", why: "cancelled", detail};
  run.record.update({verdict});
  if (attempts.at(-1)?.candidate?.tree === found.candidate.tree) return;
  const attempt: Attempt = {number: attempts.length + 1, turn: null, verification: null, verdict, ...found};
  run.record.update({attempts: [...attempts, attempt]});
}
