/** The interface of a scorer: how relevant each spec is for a task. */

/** A text to score: a spec, or a section of one. */
export interface ScorableText {
  readonly name: string;
  /** the text from its beginning, about `maxBytes` of it; empty if there is none. Not cached, as there may be thousands */
  readonly read: (maxBytes: number) => string;
}

export interface Scored<T extends ScorableText> {
  readonly spec: T;
  /** above 0; comparable only with the scores for the same task */
  readonly score: number;
  /** the words of the task that weigh most, for people */
  readonly words: readonly string[];
}

/** Returns the specs that have something in common with the task, best first; equal ones in the given order. */
export type Scorer = <T extends ScorableText>(task: string, specs: readonly T[]) => Scored<T>[];

/** Best first; the sort is stable. */
export function bestFirst<T extends ScorableText>(scored: readonly Scored<T>[]): Scored<T>[] {
  return scored.filter(({score}) => score > 0).toSorted((one, other) => other.score - one.score);
}
