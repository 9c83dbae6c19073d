/** The interface of a scorer: how relevant each spec is for a task. */

/** A text to score: a spec, or a section of one. */
export interface ScorableText {
  readonly name: string;
  /**
   * The UTF-8 text from its beginning, at most `maxBytes` of it; empty if there is none. It is valid until the next
   * call, and not cached, as there may be thousands.
   */
  readonly read: (maxBytes: number) => Uint8Array;
  /** removes text that does not count; takes much longer than reading, so it is not used for every text */
  readonly clean?: (bytes: Uint8Array) => Uint8Array;
}

export interface Scored<T extends ScorableText> {
  readonly spec: T;
  /** above 0; comparable only with the scores for the same task */
  readonly score: number;
  /** the words of the task that weigh most, for people */
  readonly words: readonly string[];
}

/** Returns the specs that have something in common with the task, best first; equal scores keep the given order. */
export type Scorer = <T extends ScorableText>(task: string, specs: readonly T[]) => Scored<T>[];

/** Best first; the sort is stable. */
export function bestFirst<T extends ScorableText>(scored: readonly Scored<T>[]): Scored<T>[] {
  return scored.filter(({score}) => score > 0).toSorted((one, other) => other.score - one.score);
}
