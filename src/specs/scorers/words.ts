/** Splits UTF-8 text into words as numbers, in one pass that creates no string per word. */

const MIN_WORD_CHARS = 2;
/** Words longer than this are data, such as hashes. */
const MAX_WORD_CHARS = 40;

const STOP_WORDS =
  "a an and any are as at be been but by can do does for from had has have how if in into is it its may more must no not of on only or our shall should so some such than that the their then there these they this to use used uses using was we were what when where which while who will with would you your";

/** Classes of characters. The first three separate words; `JOIN` only separates the parts of a name. */
const OTHER = 0;
const IDEOGRAPH = 1;
const JOIN = 2;
const UPPER = 3;
const LOWER = 4;
const DIGIT = 5;
/** the first byte of a character outside ASCII */
const WIDE = 6;

/** The class of each byte. Only ASCII letters can be `UPPER`, so only these separate the parts of `camelCase`. */
const BYTES = new Uint8Array(0x100).fill(WIDE, 0x80);
BYTES.fill(LOWER, 0x61, 0x7b).fill(UPPER, 0x41, 0x5b).fill(DIGIT, 0x30, 0x3a).fill(JOIN, 0x5f, 0x60);
/** The bytes that most words consist of, ASCII letters in lower case and digits; 0 for others. */
const PLAIN_BYTES = Uint8Array.from(BYTES, (kind, byte) => (kind === LOWER || kind === DIGIT ? byte : 0));

/** The class of each UTF-16 unit. */
const CLASSES = new Uint8Array(0x10000).fill(LOWER, 0xaa);
// Punctuation and symbols, and hiragana, which is mostly the grammar between the words of a Japanese sentence; then
// katakana, Chinese characters and Hangul, whose words have no spaces between them.
CLASSES.fill(OTHER, 0x2000, 0x2c00).fill(OTHER, 0x3000, 0x30a0).fill(OTHER, 0xff00, 0xff10);
CLASSES.fill(IDEOGRAPH, 0x30a0, 0xa000).fill(IDEOGRAPH, 0xac00, 0xd7a4);

/**
 * Case is ignored, except in rare scripts: a capital letter counts as its small one. In ASCII, one bit makes it small.
 */
const FOLDED = new Uint16Array(0x10000);
for (let unit = 0; unit < FOLDED.length; unit++) {
  const mayBeCapital = unit < 0x3000 || unit >= 0xff00;
  const lower = mayBeCapital ? String.fromCharCode(unit).toLowerCase() : "";
  FOLDED[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
}
const SMALL = 0x20;
const [HASH, NAME_HASH, PAIR_HASH] = [0x01000193, 0x85ebca6b, 0x9e3779b1];

/** The wanted words, by part of their hash; a few others pass as well. */
export type WordFilter = Uint8Array;
const FILTER_MASK = 0xffff;
const EVERY_WORD: WordFilter = new Uint8Array(FILTER_MASK + 1).fill(1);

export function filterFor(hashes: Iterable<number>): WordFilter {
  const filter = new Uint8Array(FILTER_MASK + 1);
  for (const hash of hashes) filter[hash & FILTER_MASK] = 1;
  return filter;
}

/** The words of one text; the arrays are reused by the next scan. */
export interface WordScan {
  readonly length: number;
  readonly hashes: Int32Array;
  /** the places of the words in bytes */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The rest of a longer text is ignored. */
const MAX_BYTES = 1 << 20;
/**
 * A character outside ASCII has at most this many bytes. Zeros end a text, even if it breaks off inside a character.
 */
const WIDEST = 4;
/**
 * Arrays of a fixed place and size are read a third faster. The system allocates memory only for the parts that are
 * used.
 */
const TEXT = new Uint8Array(MAX_BYTES + WIDEST);
const [HASHES, STARTS, ENDS] = [new Int32Array(MAX_BYTES), new Uint32Array(MAX_BYTES), new Uint32Array(MAX_BYTES)];

/**
 * Finds the wanted words of a text. The parts of `camelCase` and `snake_case` names are words, and so is the whole
 * name, because a task that contains it refers to exactly this name. In languages without spaces, each pair of
 * neighbouring characters is a word.
 */
export function scanWords(bytes: Uint8Array, filter: WordFilter = EVERY_WORD): WordScan {
  const end = Math.min(bytes.length, MAX_BYTES);
  TEXT.set(end < bytes.length ? bytes.subarray(0, end) : bytes);
  TEXT.fill(0, end, end + WIDEST);
  let length = 0;
  let at = 0;
  let start = 0;
  let hash = 0;
  /** of the name that the word is a part of */
  let nameStart = 0;
  let name = 0;
  let parts = 0;
  /** the character before, if it is an ideograph */
  let ideograph = 0;
  const add = (value: number, from: number, to: number): void => {
    if (filter[value & FILTER_MASK] === 0) return;
    HASHES[length] = value;
    STARTS[length] = from;
    ENDS[length++] = to;
  };
  for (;;) {
    for (let byte = PLAIN_BYTES[TEXT[at] ?? 0] ?? 0; byte !== 0; byte = PLAIN_BYTES[TEXT[at] ?? 0] ?? 0) {
      hash = Math.imul(hash ^ byte, HASH);
      at += 1;
    }
    let unit = TEXT[at] ?? 0;
    let kind = BYTES[unit] ?? OTHER;
    let next = at + 1;
    if (kind === WIDE) {
      next = at + (unit < 0xe0 ? 2 : unit < 0xf0 ? 3 : WIDEST);
      unit = FOLDED[decodeWide(at)] ?? 0;
      kind = CLASSES[unit] ?? OTHER;
    }
    if (kind === LOWER || (kind === UPPER && (at === start || BYTES[TEXT[at - 1] ?? 0] !== LOWER))) {
      hash = Math.imul(hash ^ (kind === UPPER ? unit | SMALL : unit), HASH);
      at = next;
      continue;
    }
    if (at > start) {
      if (at - start >= MIN_WORD_CHARS && at - start <= MAX_WORD_CHARS) add(hash, start, at);
      if (kind >= JOIN || parts > 0) {
        if (parts === 0) nameStart = start;
        parts += 1;
        name = Math.imul(name ^ hash, NAME_HASH);
      }
      hash = 0;
    }
    if (kind < JOIN && parts > 0) {
      if (parts > 1) add(name, nameStart, at);
      name = 0;
      parts = 0;
    }
    if (kind === IDEOGRAPH && ideograph !== 0) add(Math.imul(unit, PAIR_HASH) ^ ideograph, at - 3, next);
    ideograph = kind === IDEOGRAPH ? unit : 0;
    if (at >= end) return {length, hashes: HASHES, starts: STARTS, ends: ENDS};
    // A capital letter begins the next part of a name.
    at = kind === UPPER ? at : next;
    start = at;
  }
}

/** The UTF-16 unit of a character outside ASCII; 0 for pictures and the few others that need two units. */
function decodeWide(at: number): number {
  const first = TEXT[at] ?? 0;
  const second = (TEXT[at + 1] ?? 0) & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  return first < 0xf0 ? ((first & 0x0f) << 12) | (second << 6) | ((TEXT[at + 2] ?? 0) & 0x3f) : 0;
}

/** The hashes of words that nearly every text has. */
const STOP_HASHES: ReadonlySet<number> = (() => {
  const {hashes, length} = scanWords(Buffer.from(STOP_WORDS));
  return new Set(hashes.subarray(0, length));
})();

/** A distinct word of a text. */
interface CountedWord {
  readonly text: string;
  readonly count: number;
}

/** The distinct words of a text by hash, without stop words, in the order of their first use. */
export function wordsOf(text: string): Map<number, CountedWord> {
  const bytes = Buffer.from(text);
  const words = new Map<number, CountedWord>();
  const {length, hashes, starts, ends} = scanWords(bytes);
  for (let at = 0; at < length; at++) {
    const hash = hashes[at] ?? 0;
    if (STOP_HASHES.has(hash)) continue;
    const knownWord = words.get(hash);
    const word = knownWord?.text ?? bytes.toString("utf8", starts[at], ends[at]).toLowerCase();
    words.set(hash, {text: word, count: (knownWord?.count ?? 0) + 1});
  }
  return words;
}
