/** Numbers the words of many texts and counts them, in arrays instead of maps: ten thousand specs have millions of words. */
import {STOP_HASHES, scanWords} from "./words.ts";

/** Further words are ignored. Ten thousand specs of prose have a tenth of it. The arrays take memory only where they are used. */
const MOST_WORDS = 1 << 19;
const PLACES = MOST_WORDS * 2;
const MOST_COUNTED = 255;

/** The distinct words of one text, with the number of times that each occurs, at most 255. */
export interface WordCounts {
  readonly words: Uint32Array;
  readonly counts: Uint8Array;
}

export function openVocabulary() {
  /** a hash table with open addressing: the number of a word plus 1, so that 0 is a free place */
  const table = new Int32Array(PLACES);
  const hashes = new Int32Array(MOST_WORDS);
  const documents = new Uint32Array(MOST_WORDS);
  const counts = new Uint32Array(MOST_WORDS);
  let size = 0;
  /** the number of a hash; -1 if it has none and does not get one */
  const numberOf = (hash: number, isNew: boolean): number => {
    let place = Math.imul(hash, 0x9e3779b1) >>> 12;
    let number = table[place] ?? 0;
    while (number !== 0 && hashes[number - 1] !== hash) {
      place = (place + 1) & (PLACES - 1);
      number = table[place] ?? 0;
    }
    if (number !== 0 || !isNew || size === MOST_WORDS) return number - 1;
    hashes[size] = hash;
    size += 1;
    table[place] = size;
    return size - 1;
  };
  for (const hash of STOP_HASHES) numberOf(hash, true);
  const firstWord = size;
  return {
    /** Counts the words of a text. A query adds no words and is no document. */
    count(text: string, {isQuery = false} = {}): WordCounts {
      const {length, hashes: found} = scanWords(text);
      const distinct = new Uint32Array(length);
      let most = 0;
      for (let at = 0; at < length; at++) {
        const word = numberOf(found[at] ?? 0, !isQuery);
        if (word < firstWord) continue;
        const before = counts[word] ?? 0;
        if (before === 0) distinct[most++] = word;
        counts[word] = before + 1;
      }
      const words = distinct.slice(0, most);
      const own = new Uint8Array(most);
      for (let at = 0; at < most; at++) {
        const word = words[at] ?? 0;
        own[at] = Math.min(MOST_COUNTED, counts[word] ?? 0);
        counts[word] = 0;
        if (!isQuery) documents[word] = (documents[word] ?? 0) + 1;
      }
      return {words, counts: own};
    },
    /** the number of texts that have each word, by the word's number */
    documents: () => documents.subarray(0, size),
    hashOf: (word: number) => hashes[word] ?? 0,
  };
}
