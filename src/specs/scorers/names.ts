/** Scores a spec by the words that its name shares with the task, each worth 1 point: the rule of the Merlin agent. */
import {bestFirst, type ScorableText, type Scored} from "./scorer.ts";
import {wordsOf} from "./words.ts";

const MIN_WORD_CHARS = 3;

export function scoreByNames<T extends ScorableText>(task: string, specs: readonly T[]): Scored<T>[] {
  const taskWords = wordsOf(task);
  return bestFirst(
    specs.map((spec) => {
      const words = [...wordsOf(spec.name)].flatMap(([hash, {text}]) =>
        taskWords.has(hash) && text.length >= MIN_WORD_CHARS ? [text] : [],
      );
      return {spec, score: words.length, words};
    }),
  );
}
