/** Counts the words of a task in many texts. Words that the task does not have cost only one look into a filter. */
import {filterFor, scanWords, wordsOf} from "./words.ts";

/** A word of the task in one text: its number times 256, plus the number of times that it occurs, at most 255. */
export type WordHits = Uint32Array;
const MAX_COUNT = 255;

export interface Query {
  /** the distinct words of the task, with their counts in it */
  readonly words: readonly {readonly text: string; readonly count: number}[];
  /** counts the words of the task in a text, given in parts */
  readonly count: (parts: readonly Uint8Array[]) => WordHits;
  /** the share of the words of a name that the task has */
  readonly shareOf: (name: Uint8Array) => number;
  /** the number of counted texts that have each word */
  readonly documents: Readonly<Uint32Array>;
}

export function openQuery(task: string): Query {
  const taskWords = wordsOf(task);
  const numberOf = new Map([...taskWords.keys()].map((hash, number) => [hash, number]));
  const filter = filterFor(taskWords.keys());
  const counts = new Uint32Array(taskWords.size);
  const documents = new Uint32Array(taskWords.size);
  const distinct = new Uint32Array(taskWords.size);
  return {
    words: [...taskWords.values()],
    count(parts) {
      let distinctCount = 0;
      for (const bytes of parts) {
        const {length, hashes} = scanWords(bytes, filter);
        for (let index = 0; index < length; index++) {
          const word = numberOf.get(hashes[index] ?? 0);
          if (word === undefined) continue;
          const previousCount = counts[word] ?? 0;
          if (previousCount === 0) distinct[distinctCount++] = word;
          counts[word] = previousCount + 1;
        }
      }
      const hits = distinct.slice(0, distinctCount);
      for (let index = 0; index < distinctCount; index++) {
        const word = hits[index] ?? 0;
        hits[index] = word * 256 + Math.min(MAX_COUNT, counts[word] ?? 0);
        counts[word] = 0;
        documents[word] = (documents[word] ?? 0) + 1;
      }
      return hits;
    },
    shareOf(name) {
      const {length, hashes} = scanWords(name);
      let sharedCount = 0;
      for (let index = 0; index < length; index++) if (numberOf.has(hashes[index] ?? 0)) sharedCount += 1;
      return length === 0 ? 0 : sharedCount / length;
    },
    documents,
  };
}
