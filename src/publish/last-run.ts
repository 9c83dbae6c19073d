/** Finds Assay's newest commit in a branch that has not been undone yet. */
import type {HistoryCommit} from "../git/history.ts";
import type {Failure} from "../record/failure.ts";
import type {UndoneRun} from "../record/record.ts";
import {ok, type Result} from "../record/words.ts";
import {type CommitTrailers, readTrailers} from "./message.ts";

/** A commit whose message and ids claim that Assay made it. Only `isProven` can confirm the claim. */
export interface ClaimedRun extends CommitTrailers {
  readonly commit: string;
}

/**
 * Searches `history`, newest first. Skips commits that undo others, and the commits that they undo, so that a second
 * `/undo` undoes the run before it. A commit counts only if `isProven` confirms it, because anyone can copy a message.
 */
export async function findLastRun(
  history: readonly HistoryCommit[],
  isProven: (claim: ClaimedRun) => Promise<Result<boolean, Failure>>,
): Promise<Result<UndoneRun | null, Failure>> {
  const undone = new Set<string>();
  for (const entry of history) {
    const claim = claimOf(entry);
    if (claim === null || undone.has(claim.commit)) continue;
    const proof = await isProven(claim);
    if (!proof.ok) return proof;
    if (!proof.value) continue;
    const {commit, base, undoes} = claim;
    if (undoes === null) return ok({commit, parent: base, subject: entry.message.split("\n", 1)[0] ?? ""});
    undone.add(undoes);
  }
  return ok(null);
}

/**
 * Null if the message is not Assay's, or belongs to another commit, as after a rebase or a squash. A merge names its last
 * parent, and counts only with `mayMerge`.
 */
export function claimOf({commit, tree, parents, message}: HistoryCommit, mayMerge = false): ClaimedRun | null {
  const trailers = readTrailers(message);
  const isOfThis = trailers?.tree === tree && parents.length <= (mayMerge ? 2 : 1) && parents.at(-1) === trailers.base;
  return trailers !== null && isOfThis ? {commit, ...trailers} : null;
}
