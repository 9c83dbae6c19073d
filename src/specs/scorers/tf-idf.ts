/** Scores specs by TF-IDF: the words of the task that few specs have weigh most. A name in the task helps a little. */
import {openQuery, type Query, type WordHits} from "./query.ts";
import {bestFirst, type ScorableText, type Scored, type Scorer} from "./scorer.ts";

/** The parts of the specs that are read. */
export interface ReadingLimits {
  /**
   * The limit for all specs together. A few large specs are read completely, because the relevant part may be far from
   * the beginning.
   */
  readonly allBytes: number;
  /** The part of each spec that is always read. */
  readonly minBytes: number;
  /** Of many specs, only the beginnings are read first. This share of the best specs is then read further. */
  readonly shareReadAgain: number;
  readonly minReadAgain: number;
}

export const LIMITS: ReadingLimits = {
  allBytes: 30 * 1024 * 1024,
  minBytes: 3 * 1024,
  shareReadAgain: 0.05,
  minReadAgain: 50,
};
const MAX_BYTES = 512 * 1024;
/** Hidden text is removed from the best specs, up to this sum of their lengths. */
const CLEANED_BYTES = 4 * 1024 * 1024;
/**
 * A long text has more words of the task by chance, so its score is divided by this power of its length. That finds as
 * many specs as the cosine, which would need the counts of all other words (`npm run bench -- specs`).
 */
const LENGTH_POWER = 0.3;
/** A shorter text gains nothing by its length. */
const SHORT_BYTES = 200;
const SHOWN_WORDS = 3;
/** A spec gains this share of its score if its whole name is in the task. */
const NAME_BONUS = 0.25;

export const scoreByTfIdf: Scorer = scoreWithin(LIMITS);

/**
 * Scores the specs by their texts. If the specs are too large together, it returns only those with the best beginnings.
 */
export function scoreWithin(limits: ReadingLimits): Scorer {
  return <T extends ScorableText>(task: string, specs: readonly T[]) => {
    const query = openQuery(task);
    const bytesOf = (count: number) =>
      Math.max(limits.minBytes, Math.min(MAX_BYTES, Math.floor(limits.allBytes / count)));
    const countIn = (some: readonly T[]) =>
      some.map((spec) => countWords({spec, query, maxBytes: bytesOf(some.length)}));
    /** Ranks the best specs again without their hidden text, which can only have raised their scores. */
    const rankCleaned = (ranked: readonly Scored<T>[], maxBytes: number): Scored<T>[] => {
      if (ranked.every(({spec}) => spec.clean === undefined)) return [...ranked];
      let bytes = 0;
      const cleaned: CountedText<T>[] = [];
      for (const {spec} of ranked) {
        if (bytes >= CLEANED_BYTES) break;
        const text = countWords({spec, query, maxBytes, isCleaned: true});
        bytes += text.length;
        cleaned.push(text);
      }
      return [...rank(cleaned), ...ranked.slice(cleaned.length)];
    };
    const texts = countIn(specs);
    const weights = weighWords(query, specs.length);
    const rank = (some: readonly CountedText<T>[]) => bestFirst(some.map((text) => scoreText({text, query, weights})));
    const rankedSpecs = rank(texts);
    if (!texts.some(({isCut}) => isCut)) return rankCleaned(rankedSpecs, bytesOf(specs.length));
    const keptCount = Math.max(limits.minReadAgain, Math.ceil(limits.shareReadAgain * specs.length));
    const keptSpecs = rankedSpecs.slice(0, keptCount).map(({spec}) => spec);
    return rankCleaned(rank(countIn(keptSpecs)), bytesOf(keptSpecs.length));
  };
}

interface CountedText<T extends ScorableText> {
  readonly spec: T;
  readonly name: Uint8Array;
  readonly length: number;
  readonly isCut: boolean;
  readonly hits: WordHits;
}

function countWords<T extends ScorableText>(options: {
  spec: T;
  query: Query;
  maxBytes: number;
  isCleaned?: boolean;
}): CountedText<T> {
  const {spec, query, maxBytes} = options;
  const name = Buffer.from(spec.name);
  const readBytes = spec.read(maxBytes);
  const isCut = readBytes.length >= maxBytes && maxBytes < MAX_BYTES;
  const bytes = (options.isCleaned ? spec.clean?.(readBytes) : null) ?? readBytes;
  return {spec, name, length: Math.max(SHORT_BYTES, bytes.length), isCut, hits: query.count([name, bytes])};
}

function scoreText<T extends ScorableText>(options: {
  text: CountedText<T>;
  query: Query;
  weights: Float64Array;
}): Scored<T> {
  const {
    text: {spec, name, length, hits},
    query,
    weights,
  } = options;
  const {sum, strongest} = addHits(hits, weights);
  const score = (sum * (1 + NAME_BONUS * query.shareOf(name))) / length ** LENGTH_POWER;
  return {spec, score, words: strongest.map((word) => query.words[word]?.text ?? "")};
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
