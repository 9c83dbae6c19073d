/** Counts the words of a task in many texts. Words that the task does not have cost only one look into a small table. */
import {scanWords, wordsOf} from "./words.ts";

/** A word of the task in one text: its number times 256, plus the number of times that it occurs, at most 255. */
export type WordHits = Uint32Array;
const MAX_COUNT = 255;

/** The table has this many places for each word, so that a foreign word nearly always meets a free place. */
const PLACES_PER_WORD = 8;

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
  const known = wordsOf(task);
  const numberOf = openTable([...known.keys()]);
  const counts = new Uint32Array(known.size);
  const documents = new Uint32Array(known.size);
  const distinct = new Uint32Array(known.size);
  return {
    words: [...known.values()],
    count(parts) {
      let most = 0;
      for (const bytes of parts) {
        const {length, hashes} = scanWords(bytes);
        for (let at = 0; at < length; at++) {
          const word = numberOf(hashes[at] ?? 0);
          if (word < 0) continue;
          const before = counts[word] ?? 0;
          if (before === 0) distinct[most++] = word;
          counts[word] = before + 1;
        }
      }
      const hits = distinct.slice(0, most);
      for (let at = 0; at < most; at++) {
        const word = hits[at] ?? 0;
        hits[at] = word * 256 + Math.min(MAX_COUNT, counts[word] ?? 0);
        counts[word] = 0;
        documents[word] = (documents[word] ?? 0) + 1;
      }
      return hits;
    },
    shareOf(name) {
      const {length, hashes} = scanWords(name);
      let shared = 0;
      for (let at = 0; at < length; at++) if (numberOf(hashes[at] ?? 0) >= 0) shared += 1;
      return length === 0 ? 0 : shared / length;
    },
    documents,
  };
}

/** A hash table with open addressing: the number of a hash, -1 if it has none. */
function openTable(known: readonly number[]): (hash: number) => number {
  const places = 2 ** Math.ceil(Math.log2(PLACES_PER_WORD * (known.length + 1)));
  const hashes = new Int32Array(places);
  /** plus 1, so that 0 is a free place */
  const numbers = new Uint32Array(places);
  const placeOf = (hash: number): number => {
    let place = (hash ^ (hash >>> 15)) & (places - 1);
    while (numbers[place] !== 0 && hashes[place] !== hash) place = (place + 1) & (places - 1);
    return place;
  };
  for (const [number, hash] of known.entries()) {
    const place = placeOf(hash);
    hashes[place] = hash;
    numbers[place] = number + 1;
  }
  return (hash) => (numbers[placeOf(hash)] ?? 0) - 1;
}
