/** Brings a candidate to its branch though others push too: create-only or leased, put onto what came in between, verified again. */

import {push, pushFailure} from "../git/push.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate, Change} from "../record/verification.ts";
import type {Result} from "../record/words.ts";
import type {FinalCommit} from "./commit.ts";
import {type Rebased, rebase} from "./rebase.ts";

/** Pushes of one run; after the third lost race the branch is too busy for it. */
export const MAX_PUSH_ATTEMPTS = 3;

/** `candidate` is always the newest one, which is to be parked when it was not pushed. */
export type Delivered =
  | {readonly kind: "pushed"; readonly ref: string; readonly final: FinalCommit; readonly candidate: Candidate}
  | {readonly kind: "refused"; readonly failure: Failure; readonly candidate: Candidate}
  /** `again` has said no, and why */
  | {readonly kind: "kept-back"; readonly candidate: Candidate};

export interface Delivery {
  readonly repository: Repository;
  readonly candidate: Candidate;
  /** full name; `expect` is the id that it must have, null: it must not exist */
  readonly target: {readonly ref: string; readonly expect: string | null};
  /** other names, in order, where the target was to be created and somebody else was faster */
  readonly otherNames: readonly string[];
  /** makes the commit to push of a candidate */
  readonly make: (candidate: Candidate) => Promise<Result<FinalCommit, Failure>>;
  /** verifies what was put onto a moved branch; true when it may go out. Null where nothing can be verified: then a moved branch ends it */
  readonly again: ((rebased: Rebased) => Promise<boolean>) | null;
  /** see `push` */
  readonly pausesMs?: readonly number[];
}

/**
 * Pushes, at most three times. A branch that moved gets the candidate on top, as a new candidate that goes through `again`
 * first (P5); a name that is taken is left to its owner. A deleted branch, a conflict, a rule of the server and a third lost
 * race end it: `refused`. Nothing is ever forced, so what others pushed stays.
 */
export async function deliver(o: Delivery): Promise<Delivered> {
  const {repository, again} = o;
  let {candidate} = o;
  let {ref, expect} = o.target;
  const names = o.otherNames.slice(o.otherNames.indexOf(ref) + 1);
  for (let tries = 1; ; tries += 1) {
    const final = await o.make(candidate);
    if (!final.ok) return {kind: "refused", failure: final.failure, candidate};
    const {commit} = final.value;
    const pushed = await push({repository, commit, ref, expect, ...(o.pausesMs && {pausesMs: o.pausesMs})});
    const failure = pushFailure(ref, pushed);
    if (failure === null) return {kind: "pushed", ref, final: final.value, candidate};
    if (pushed.kind !== "lost") return {kind: "refused", failure, candidate};
    if (tries >= MAX_PUSH_ATTEMPTS) return {kind: "refused", failure: busy(ref), candidate};
    if (expect === null) {
      // The same commit under another name: its tree stays the verified one.
      const free = names.shift();
      if (free === undefined) return {kind: "refused", failure, candidate};
      ref = free;
      continue;
    }
    if (pushed.at === null || again === null) return {kind: "refused", failure, candidate};
    const moved = await rebase({repository, candidate, ref, onto: pushed.at});
    if (!moved.ok) return {kind: "refused", failure: moved.failure, candidate};
    if (isEmpty(moved.value.changes)) return {kind: "refused", failure: alreadyThere(ref, pushed.at), candidate};
    candidate = moved.value.candidate;
    expect = pushed.at;
    if (!(await again(moved.value))) return {kind: "kept-back", candidate};
  }
}

const isEmpty = (changes: readonly Change[]) => changes.length === 0;

function busy(ref: string): Failure {
  return {kind: "push-lost", ref, message: `somebody else was faster each of ${MAX_PUSH_ATTEMPTS} times`};
}

function alreadyThere(ref: string, at: string): Failure {
  return {kind: "push-lost", ref, message: `it is at ${at.slice(0, 12)} now, which has the same changes already`};
}
