/** Answers questions about opinions without the schema, which loads too slowly for the start of a run. */
import type {JudgedOpinion, Opinion} from "./opinion.ts";

/** True if the judge objects. Only an objection starts another turn or holds a change back. */
export function isNotMet(opinion: Opinion | null | undefined): opinion is JudgedOpinion {
  return opinion?.kind === "judged" && opinion.outcome === "not-met";
}

/**
 * The objection that the work of a run has not answered. A later turn without a usable opinion does not answer it, as
 * the agent can end its turn in such a way.
 */
export function openObjection(attempts: readonly {readonly opinion?: Opinion | undefined}[]): JudgedOpinion | null {
  const opinion = attempts.findLast((attempt) => attempt.opinion?.kind === "judged")?.opinion;
  return isNotMet(opinion) ? opinion : null;
}

/** The opinion on the work of a run: that of the last turn, if it has one. */
export function lastOpinion(
  attempts: readonly {readonly turn: unknown; readonly opinion?: Opinion | undefined}[],
): Opinion | null {
  return attempts.findLast(({turn, opinion}) => turn !== null || opinion !== undefined)?.opinion ?? null;
}
