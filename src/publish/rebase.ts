/** Rebases a candidate onto a branch that moved, without a checkout. The result is a new, unverified candidate. */
import {examineCandidate, keepCandidate} from "../changes/candidate.ts";
import {merge} from "../git/merge.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate, Change} from "../record/verification.ts";
import {type Result, refused} from "../record/words.ts";

const MAX_NAMED = 10;

/** The tree is new, so the earlier verification does not apply to it (P5). */
export interface Rebased {
  readonly candidate: Candidate;
  /** since the new base; empty if the branch has the same changes already */
  readonly changes: readonly Change[];
}

/**
 * Fetches `onto` and merges the candidate's changes into it, with the candidate's base as the common ancestor. The
 * result is one commit on `onto`, on a local ref (P8). Fails as `push-lost`, with the files, if both changed the same
 * lines, and as `candidate-refused` if the result must not be published.
 */
export async function rebase(options: {
  repository: Repository;
  candidate: Candidate;
  /** the branch, for messages */
  ref: string;
  onto: string;
}): Promise<Result<Rebased, Failure>> {
  const {repository, candidate, ref, onto} = options;
  const newBase = await repository.fetch(onto);
  if (!newBase.ok) return newBase;
  const mergeResult = await merge({repository, base: candidate.base, theirs: newBase.value.tree, ours: candidate.tree});
  if (!mergeResult.ok) return mergeResult;
  const {tree, conflicts} = mergeResult.value;
  if (conflicts.length > 0) {
    const files = conflicts.slice(0, MAX_NAMED).join(", ");
    const message = `it is at ${onto.slice(0, 12)} now, where the same lines were changed: ${files}`;
    return refused({kind: "push-lost", ref, message});
  }
  const commit = await keepCandidate({repository, base: onto, tree});
  return commit.ok ? examineCandidate({repository, base: onto, commit: commit.value}) : commit;
}
