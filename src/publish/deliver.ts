/** Pushes a candidate while others push, too: never forces, rebases onto new commits, and verifies again. */

import {push, pushFailure} from "../git/push.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate} from "../record/verification.ts";
import {ok, type Result} from "../record/words.ts";
import type {FinalCommit} from "./commit.ts";
import {type Rebased, rebase} from "./rebase.ts";

/** Pushes in one run. After the third lost race, the run gives up. */
export const MAX_PUSH_ATTEMPTS = 3;

/** `candidate` is the newest one; if it was not pushed, the caller parks it. */
export type DeliveryResult =
  | {readonly kind: "pushed"; readonly ref: string; readonly final: FinalCommit; readonly candidate: Candidate}
  | {readonly kind: "refused"; readonly failure: Failure; readonly candidate: Candidate}
  /** `again` returned false; it reports why */
  | {readonly kind: "kept-back"; readonly candidate: Candidate};

export interface Delivery {
  readonly repository: Repository;
  readonly candidate: Candidate;
  /** full name; the ref must have the id `expect`, or must not exist if that is null */
  readonly target: {readonly ref: string; readonly expect: string | null};
  /** the branch that the candidate's base comes from */
  readonly baseRef: string;
  /** other names, in order, in case another run creates the target first */
  readonly otherNames: readonly string[];
  /** creates the commit to push from a candidate */
  readonly make: (candidate: Candidate) => Promise<Result<FinalCommit, Failure>>;
  /**
   * verifies a rebased candidate; true if it may be pushed. Null if nothing can be verified: then a moved branch ends
   * the delivery
   */
  readonly again: ((rebased: Rebased) => Promise<boolean>) | null;
  /** see `push` */
  readonly pausesMs?: readonly number[];
}

/**
 * Pushes at most three times. If the branch moved, or the base left the server because its branch was rewritten, the
 * candidate is rebased onto the newest commit, as a new candidate that must pass `again` (P5). If the name is taken,
 * the next name is used. Ends as `refused` after a deleted branch, a conflict, a rule of the server or a third lost race.
 * Never forces a push, so the commits of others stay.
 */
export async function deliver(delivery: Delivery): Promise<DeliveryResult> {
  const {repository, again, make, otherNames, baseRef, pausesMs} = delivery;
  let {candidate} = delivery;
  let {ref, expect} = delivery.target;
  const names = otherNames.slice(otherNames.indexOf(ref) + 1);
  for (let tries = 1; ; tries += 1) {
    const final = await make(candidate);
    if (!final.ok) return {kind: "refused", failure: final.failure, candidate};
    const {commit} = final.value;
    const pushResult = await push({repository, commit, ref, expect, ...(pausesMs && {pausesMs})});
    const failure = pushFailure(ref, pushResult);
    if (failure === null) return {kind: "pushed", ref, final: final.value, candidate};
    const isBaseGone = pushResult.kind === "base-gone";
    if (pushResult.kind !== "lost" && !isBaseGone) return {kind: "refused", failure, candidate};
    if (tries >= MAX_PUSH_ATTEMPTS) return {kind: "refused", failure: busyFailure(ref), candidate};
    if (expect === null && !isBaseGone) {
      // The same commit under another name: its tree stays the verified one.
      const nextName = names.shift();
      if (nextName === undefined) return {kind: "refused", failure, candidate};
      ref = nextName;
      continue;
    }
    const movedRef = isBaseGone ? baseRef : ref;
    const tip = isBaseGone ? await repository.remoteRef(baseRef) : ok(pushResult.at);
    const onto = tip.ok ? tip.value : null;
    if (onto === null || again === null) return {kind: "refused", failure, candidate};
    const rebaseResult = await rebase({repository, candidate, ref: movedRef, onto});
    if (!rebaseResult.ok) return {kind: "refused", failure: rebaseResult.failure, candidate};
    if (rebaseResult.value.changes.length === 0)
      return {kind: "refused", failure: alreadyPresentFailure(movedRef, onto), candidate};
    candidate = rebaseResult.value.candidate;
    if (expect !== null) expect = onto;
    if (!(await again(rebaseResult.value))) return {kind: "kept-back", candidate};
  }
}

function busyFailure(ref: string): Failure {
  return {kind: "push-lost", ref, message: `others pushed first, ${MAX_PUSH_ATTEMPTS} times in a row`};
}

function alreadyPresentFailure(ref: string, at: string): Failure {
  return {kind: "push-lost", ref, message: `it is at ${at.slice(0, 12)} now, which already has the same changes`};
}
