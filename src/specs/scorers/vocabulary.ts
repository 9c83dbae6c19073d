/** Numbers the words of many texts and counts them, in arrays instead of maps: ten thousand specs have millions of words. */
import {STOP_HASHES, scanWords} from "./words.ts";

/** Further words are ignored. Ten thousand specs of prose have a tenth of it. */
const MOST_WORDS = 1 << 20;
const MOST_COUNTED = 255;
const FIRST_SIZE = 1 << 15;

/** The distinct words of one text, with the number of times that each occurs, at most 255. */
export interface WordCounts {
  readonly words: Uint32Array;
  readonly counts: Uint8Array;
}

export function openVocabulary() {
  const numbers = openNumbers();
  for (const hash of STOP_HASHES) numbers.of(hash, true);
  const firstWord = numbers.size();
  let documents = new Uint32Array(FIRST_SIZE);
  let counts = new Uint32Array(FIRST_SIZE);
  const grow = (array: Uint32Array): Uint32Array<ArrayBuffer> => {
    const larger = new Uint32Array(numbers.size() * 2);
    larger.set(array);
    return larger;
  };
  return {
    /** Counts the words of a text. A query adds no words and is no document. */
    count(text: string, {isQuery = false} = {}): WordCounts {
      const {length, hashes} = scanWords(text);
      const found = new Uint32Array(length);
      let distinct = 0;
      for (let at = 0; at < length; at++) {
        const word = numbers.of(hashes[at] ?? 0, !isQuery);
        if (word < firstWord) continue;
        if (word >= counts.length) [counts, documents] = [grow(counts), grow(documents)];
        if (counts[word] === 0) found[distinct++] = word;
        counts[word] = (counts[word] ?? 0) + 1;
      }
      const words = found.slice(0, distinct);
      const own = Uint8Array.from(words, (word) => Math.min(MOST_COUNTED, counts[word] ?? 0));
      for (const word of words) {
        counts[word] = 0;
        if (!isQuery) documents[word] = (documents[word] ?? 0) + 1;
      }
      return {words, counts: own};
    },
    /** the number of texts that have each word, by the word's number */
    documents: () => documents.subarray(0, numbers.size()),
    hashOf: numbers.hashOf,
  };
}

/** A hash table with open addressing: numbers the distinct hashes from 0 on. */
function openNumbers() {
  /** numbers plus 1, so that 0 is a free place */
  let table = new Int32Array(FIRST_SIZE * 2);
  let hashes = new Int32Array(FIRST_SIZE);
  let size = 0;
  const placeOf = (hash: number): number => {
    const mask = table.length - 1;
    let place = (Math.imul(hash, 0x9e3779b1) >>> 7) & mask;
    for (let number = table[place] ?? 0; number > 0 && hashes[number - 1] !== hash; number = table[place] ?? 0)
      place = (place + 1) & mask;
    return place;
  };
  return {
    size: () => size,
    hashOf: (number: number) => hashes[number] ?? 0,
    /** the number of a hash; -1 if it has none and is not to get one */
    of(hash: number, isNew: boolean): number {
      const place = placeOf(hash);
      const known = table[place] ?? 0;
      if (known > 0 || !isNew || size === MOST_WORDS) return known - 1;
      if (size === hashes.length) {
        const before = hashes;
        hashes = new Int32Array(size * 2);
        hashes.set(before);
        table = new Int32Array(size * 4);
        for (const [number, old] of before.entries()) table[placeOf(old)] = number + 1;
        return this.of(hash, isNew);
      }
      hashes[size] = hash;
      table[place] = ++size;
      return size - 1;
    },
  };
}
