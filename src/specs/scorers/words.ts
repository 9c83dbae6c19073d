/** Splits text into words, as numbers: ten thousand specs are read in one pass that creates no string per word. */

const SHORTEST = 2;
/** Words longer than this are data, such as hashes. */
const LONGEST = 40;

const STOP_WORDS =
  "a an and any are as at be been but by can do does for from had has have how if in into is it its may more must no not of on only or our shall should so some such than that the their then there these they this to use used uses using was we were what when where which while who will with would you your";

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const IDEOGRAPH = 4;

/** The class of each UTF-16 unit. */
const CLASSES = new Uint8Array(0x10000).fill(LOWER, 0xaa);
CLASSES.fill(LOWER, 0x61, 0x7b).fill(UPPER, 0x41, 0x5b).fill(DIGIT, 0x30, 0x3a);
// Punctuation and symbols; then kana, Chinese characters and Hangul, whose words have no spaces between them.
CLASSES.fill(OTHER, 0x2000, 0x2c00).fill(OTHER, 0x3000, 0x3040).fill(OTHER, 0xff00, 0xff10);
CLASSES.fill(IDEOGRAPH, 0x3040, 0xa000).fill(IDEOGRAPH, 0xac00, 0xd7a4);

/** Case is ignored: a capital letter counts as its small one. */
const FOLDED = Uint16Array.from({length: 0x10000}, (_, unit) => {
  const lower = String.fromCharCode(unit).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
});

/** The words of one text; the arrays are used again by the next scan. */
export interface WordScan {
  readonly length: number;
  readonly hashes: Int32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

let buffers = openBuffers(1 << 14);

function openBuffers(size: number) {
  const units = new Uint16Array(size);
  const bytes = Buffer.from(units.buffer);
  return {units, bytes, hashes: new Int32Array(size), starts: new Uint32Array(size), ends: new Uint32Array(size)};
}

/**
 * Finds the words of a text. `camelCase`, `snake_case` and `kebab-case` names are split. In languages without spaces, each
 * pair of neighbouring characters is a word.
 */
export function scanWords(text: string): WordScan {
  if (text.length > buffers.hashes.length) buffers = openBuffers(text.length);
  const {units, bytes, hashes, starts, ends} = buffers;
  // An array of units is read much faster than a string.
  bytes.write(text, "utf16le");
  let hash = 0;
  let start = -1;
  let before: number = OTHER;
  let length = 0;
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? (units[at] ?? 0) : 0;
    const kind = CLASSES[unit] ?? OTHER;
    if (kind === OTHER || kind === IDEOGRAPH || (kind === UPPER && before === LOWER)) {
      if (start >= 0 && at - start >= SHORTEST && at - start <= LONGEST) {
        hashes[length] = hash;
        starts[length] = start;
        ends[length++] = at;
      }
      hash = 0;
      start = -1;
    }
    if (kind === IDEOGRAPH && before === IDEOGRAPH) {
      hashes[length] = Math.imul(unit, 0x9e3779b1) ^ (units[at - 1] ?? 0);
      starts[length] = at - 1;
      ends[length++] = at + 1;
    } else if (kind !== OTHER && kind !== IDEOGRAPH) {
      if (start < 0) start = at;
      hash = Math.imul(hash ^ (FOLDED[unit] ?? unit), 0x01000193) ^ (hash >>> 15);
    }
    before = kind;
  }
  return {length, hashes, starts, ends};
}

/** The hashes of words that nearly every text has. */
export const STOP_HASHES: readonly number[] = (() => {
  const {hashes, length} = scanWords(STOP_WORDS);
  return [...new Set(hashes.subarray(0, length))];
})();

/** The distinct words of a text by hash, without stop words, in the order of their first use. */
export function wordsOf(text: string): Map<number, string> {
  const words = new Map<number, string>();
  const {length, hashes, starts, ends} = scanWords(text);
  for (let at = 0; at < length; at++) {
    const hash = hashes[at] ?? 0;
    if (!words.has(hash)) words.set(hash, text.slice(starts[at], ends[at]).toLowerCase());
  }
  for (const hash of STOP_HASHES) words.delete(hash);
  return words;
}
