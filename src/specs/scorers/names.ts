/** Scores a spec by the words that its name shares with the task, each worth 1 point: the rule of the Merlin agent. */
import {bestFirst, type ScorableText, type Scored} from "./scorer.ts";
import {wordsOf} from "./words.ts";

const SHORTEST = 3;

export function scoreByNames<T extends ScorableText>(task: string, specs: readonly T[]): Scored<T>[] {
  const taskWords = wordsOf(task);
  return bestFirst(
    specs.map((spec) => {
      const words = [...wordsOf(spec.name)].flatMap(([hash, {text}]) =>
        taskWords.has(hash) && text.length >= SHORTEST ? [text] : [],
      );
      return {spec, score: words.length, words};
    }),
  );
}
