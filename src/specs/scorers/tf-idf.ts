/** Scores specs by TF-IDF: the words of the task that few specs have weigh most. A name in the task helps a little. */
import {openQuery, type Query, type WordHits} from "./query.ts";
import {bestFirst, type ScorableText, type Scored} from "./scorer.ts";

/** Of all specs together. A few large specs are read whole: a task is often about something far below the beginning. */
const ALL_BYTES = 60 * 1024 * 1024;
const [MIN_BYTES, MAX_BYTES] = [6 * 1024, 512 * 1024];
/**
 * A long text has more words of the task by chance, so its score is divided by this power of its length. That finds as many
 * specs as the cosine, which would need the counts of all other words (`npm run bench -- specs`).
 */
const LENGTH_POWER = 0.3;
/** A shorter text gains nothing by its length. */
const SHORT_BYTES = 200;
const SHOWN_WORDS = 3;
/** A spec gains this share of its score if its whole name is in the task. */
const NAME_BONUS = 0.25;

export function scoreByTfIdf<T extends ScorableText>(task: string, specs: readonly T[]): Scored<T>[] {
  const query = openQuery(task);
  const mostBytes = Math.max(MIN_BYTES, Math.min(MAX_BYTES, Math.floor(ALL_BYTES / specs.length)));
  const texts = specs.map((spec) => {
    const name = Buffer.from(spec.name);
    const bytes = spec.read(mostBytes);
    return {spec, name, length: Math.max(SHORT_BYTES, bytes.length), hits: query.count([name, bytes])};
  });
  const weights = weighWords(query, specs.length);
  return bestFirst(
    texts.map(({spec, name, length, hits}) => {
      const {sum, strongest} = addHits(hits, weights);
      const score = (sum * (1 + NAME_BONUS * query.shareOf(name))) / length ** LENGTH_POWER;
      return {spec, score, words: strongest.map((word) => query.words[word]?.text ?? "")};
    }),
  );
}

/** Rare words weigh more, and words that the task repeats. */
function weighWords({words, documents}: Query, texts: number): Float64Array {
  return Float64Array.from(words, ({count}, word) => {
    const rarity = Math.log((1 + texts) / (1 + (documents[word] ?? 0))) + 1;
    return logarithm(count) * rarity;
  });
}

/** The score of a text before its length counts, and the words that add most to it. */
function addHits(hits: WordHits, weights: Float64Array): {sum: number; strongest: number[]} {
  let sum = 0;
  const strongest: number[] = [];
  const shares: number[] = [];
  for (const hit of hits) {
    const share = logarithm(hit & 0xff) * (weights[hit >>> 8] ?? 0);
    sum += share;
    let place = shares.length;
    while (place > 0 && share > (shares[place - 1] ?? 0)) place -= 1;
    if (place === SHOWN_WORDS) continue;
    shares.splice(place, 0, share);
    strongest.splice(place, 0, hit >>> 8);
    shares.length = Math.min(shares.length, SHOWN_WORDS);
    strongest.length = shares.length;
  }
  return {sum, strongest};
}

const logarithm = (count: number): number => 1 + Math.log(Math.max(1, count));
