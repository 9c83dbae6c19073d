/** Makes the candidate from the agent's folder. Files that must not be pushed stay in the record as a patch. */

import {makeCandidate} from "../changes/candidate.ts";
import type {Repository} from "../git/repository.ts";
import {setAside} from "../publish/set-aside.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate, Change} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";

/**
 * `refused` names files that could not be included. The candidate then contains the others; it is parked and never
 * published.
 */
export interface CapturedCandidate {
  readonly candidate: Candidate;
  readonly changes: readonly Change[];
  readonly refused: Failure | null;
}

interface CapturedWork {
  readonly repository: Repository;
  readonly base: string;
  readonly leftovers: string;
  /** from the base; empty after a crash, because they are unknown then */
  readonly protectedPaths: readonly string[];
}

/** Fails as `makeCandidate` does if no file can be included. */
export async function captureCandidate(
  run: AdmittedRun,
  {repository, base, leftovers, protectedPaths}: CapturedWork,
): Promise<Result<CapturedCandidate, Failure>> {
  const place = {repository, folder: run.context.runner.workspace, base, leftovers};
  const wholeWork = await makeCandidate(place);
  const candidateWork = await (isOfParts(wholeWork) ? makeCandidate({...place, leaveOut: true}) : wholeWork);
  if (!candidateWork.ok) return wholeWork.ok ? candidateWork : wholeWork;
  if (!wholeWork.ok && candidateWork.value.changes.length === 0) return wholeWork;
  const withoutWorkflows = await setAside({repository, ...candidateWork.value, protectedPaths});
  if (!withoutWorkflows.ok) return withoutWorkflows;
  const {candidate, changes, aside} = withoutWorkflows.value;
  run.record.update({setAside: aside});
  return ok({
    candidate,
    changes,
    refused: wholeWork.ok ? null : withFileNames(wholeWork.failure, candidateWork.value.leftOut),
  });
}

const isOfParts = (whole: Result<unknown, Failure>) => !whole.ok && whole.failure.kind === "candidate-refused";

/** Names every file that was left out of the candidate. */
function withFileNames(failure: Failure, leftOut: readonly string[]): Failure {
  if (failure.kind !== "candidate-refused") return failure;
  return {...failure, problems: [...new Set([...failure.problems, ...leftOut])]};
}
