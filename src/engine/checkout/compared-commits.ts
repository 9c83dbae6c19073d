/** Determines the two commits of a change: usually the candidate and its base. */
import type {Candidate} from "../../record/verification.ts";

/**
 * True if Assay knows two commits with exactly the change between them; false if the base may also have newer commits.
 */
export interface ChangeBase {
  readonly base: string;
  readonly head: string;
  readonly isExact: boolean;
}

/** The two commits of a change. */
export type ComparedCommits = Pick<Candidate, "base" | "commit">;

/** The commits with exactly the change of a candidate, for runs on both sides of it; null if they are not known. */
export function comparedCommits({
  candidate,
  changeBase,
}: {
  candidate: Candidate;
  changeBase?: ChangeBase | null;
}): ComparedCommits | null {
  if (!changeBase) return candidate;
  return changeBase.isExact ? {base: changeBase.base, commit: changeBase.head} : null;
}
