/** Scores specs by the cosine of TF-IDF vectors: words that few specs have weigh most, and long specs gain nothing. A name in the task helps a little. */
import {bestFirst, type ScorableText, type Scored} from "./scorer.ts";
import {openVocabulary} from "./vocabulary.ts";
import {wordsOf} from "./words.ts";

/** Of all specs together. A few large specs are read whole: a task is often about something far below the beginning. */
const ALL_BYTES = 40 * 1024 * 1024;
const [LEAST_BYTES, MOST_BYTES] = [4 * 1024, 512 * 1024];
const SHOWN_WORDS = 3;
/** A spec gains this share of its score if its whole name is in the task. */
const NAME_BONUS = 0.25;

export function scoreByTfIdf<T extends ScorableText>(task: string, specs: readonly T[]): Scored<T>[] {
  const vocabulary = openVocabulary();
  const bytes = Math.max(LEAST_BYTES, Math.min(MOST_BYTES, Math.floor(ALL_BYTES / specs.length)));
  const vectors = specs.map((spec) => ({spec, ...vocabulary.count(`${spec.name}\n${spec.read(bytes)}`)}));
  const rarity = Float64Array.from(vocabulary.documents(), (count) => Math.log((1 + specs.length) / (1 + count)) + 1);
  const query = vocabulary.count(task, {isQuery: true});
  const wanted = new Float64Array(rarity.length);
  for (const [at, word] of query.words.entries()) wanted[word] = weigh(query.counts[at]) * (rarity[word] ?? 0);
  const length = Math.hypot(...Array.from(query.words, (word) => wanted[word] ?? 0));
  const taskWords = wordsOf(task);
  /** the share of the name's words that the task has, by their rarity */
  const nameShare = (name: string): number => {
    const words = [...vocabulary.count(name, {isQuery: true}).words];
    const sum = (some: readonly number[]) => some.reduce((total, word) => total + (rarity[word] ?? 0), 0);
    const whole = sum(words);
    return whole === 0 ? 0 : sum(words.filter((word) => (wanted[word] ?? 0) > 0)) / whole;
  };
  return bestFirst(
    vectors.map(({spec, words, counts}) => {
      let [dot, squares] = [0, 0];
      const shares: {word: number; share: number}[] = [];
      for (let at = 0; at < words.length; at++) {
        const word = words[at] ?? 0;
        const weight = weigh(counts[at]) * (rarity[word] ?? 0);
        squares += weight * weight;
        const share = weight * (wanted[word] ?? 0);
        if (share > 0) shares.push({word, share});
        dot += share;
      }
      const strongest = shares.sort((one, other) => other.share - one.share).slice(0, SHOWN_WORDS);
      const shown = strongest.flatMap(({word}) => taskWords.get(vocabulary.hashOf(word)) ?? []);
      const cosine = dot === 0 ? 0 : dot / Math.sqrt(squares) / length;
      return {spec, score: cosine * (1 + NAME_BONUS * nameShare(spec.name)), words: shown};
    }),
  );
}

const LOGARITHMS = Float64Array.from({length: 256}, (_, count) => 1 + Math.log(Math.max(1, count)));
const weigh = (count = 0): number => LOGARITHMS[count] ?? 0;
