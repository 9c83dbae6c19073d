/** Reads from a pattern's source which words a line must hold for the pattern to fit, so that a `sieve` can look for them first. */

/** What may stand at one place of a pattern: a known character, a choice of sequences (a group), or null for anything else. */
export interface Item {
  readonly is: string | readonly Item[][] | null;
  /** false where it may be missing */
  readonly must: boolean;
  /** exactly once, so that what follows stands directly behind it */
  readonly once: boolean;
}

/** As the `sieve` writes the start of a line, and a digit. */
const START = "\n";
const DIGIT = "0";

/** The parts of a pattern's source: an escape, a class, what opens a group, a mark, how often, or plain characters. */
const PARTS =
  /\\(?:u[\da-f]{4}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[)|^$.]|(?:[*+?]|\{\d+,?\d*\})\??|[^\\[(){|^$.*+?]+(?![*+?{])|[^\\[(){|^$.*+?]/g;

/**
 * Gives words, in lower case, of which at least one stands in every line that the pattern fits: the longest that can be had, as `.go:0` for
 * `file.go:12: message`. What is certain of every line is its start.
 */
export function neededWords(source: string): readonly string[] {
  const words = wordsOf(readPattern(source));
  return words.length === 0 ? [START] : words;
}

interface Reader {
  readonly parts: readonly string[];
  at: number;
}

/** What a pattern looks for, as a choice of sequences. */
function readPattern(source: string): readonly (readonly Item[])[] {
  return readChoice({parts: source.match(PARTS) ?? [], at: 0});
}

/** Reads up to the end of the group, or of the pattern. */
function readChoice(reader: Reader): Item[][] {
  let sequence: Item[] = [];
  const choice = [sequence];
  while (reader.at < reader.parts.length) {
    const part = reader.parts[reader.at++] ?? "";
    if (part === ")") break;
    if (part === "|") {
      sequence = [];
      choice.push(sequence);
      continue;
    }
    const item = withTimes(reader, part.startsWith("(") ? readChoice(reader) : charactersOf(part));
    // A group that only looks ahead or back has no part in the line.
    if (item.is !== "" && !/^\(\?<?[=!]/.test(part)) sequence.push(item);
  }
  return choice;
}

/** Gives the characters, in lower case; nothing for what has no width; null for a class. */
function charactersOf(part: string): string | null {
  if (part === "^") return START;
  if (part === "$" || part === "\\b") return "";
  if (part === "." || part.startsWith("[")) return null;
  if (part === "\\d") return DIGIT;
  if (part === "\\t") return "\t";
  if (part.startsWith("\\")) return /^\\\w/.test(part) ? null : part.slice(1);
  return part.toLowerCase().replace(/\d/g, DIGIT);
}

/** Reads how often the item before may stand there. */
function withTimes(reader: Reader, is: Item["is"]): Item {
  const times = /^[*+?{]/.exec(reader.parts[reader.at] ?? "")?.[0];
  if (times === undefined) return {is, must: true, once: true};
  const part = reader.parts[reader.at++] ?? "";
  return {is, must: times === "+" || (times === "{" && !part.startsWith("{0")), once: false};
}

interface Found {
  best: readonly string[];
  /** what stands directly before the place that is looked at */
  word: string;
}

/** The words of all sequences, if none of them is without. */
function wordsOf(choice: readonly (readonly Item[])[]): readonly string[] {
  const words: string[] = [];
  for (const sequence of choice) {
    const found: Found = {best: [], word: ""};
    follow(sequence, found);
    offer(found, [found.word]);
    if (found.best.length === 0) return [];
    words.push(...found.best);
  }
  return words;
}

function follow(sequence: readonly Item[], found: Found): void {
  for (const {is, must, once} of sequence) {
    const only = typeof is === "object" && is?.length === 1 ? is[0] : undefined;
    if (typeof is === "string" && must) found.word += is;
    if (only !== undefined && once) follow(only, found);
    if (once && (typeof is === "string" || only !== undefined)) continue;
    offer(found, [found.word]);
    found.word = "";
    if (typeof is === "object" && is !== null && must) offer(found, wordsOf(is));
  }
}

/** Keeps the words that are rarer: of each set the most common word counts. */
function offer(found: Found, words: readonly string[]): void {
  if (rarity(words) > rarity(found.best)) found.best = words;
}

function rarity(words: readonly string[]): number {
  let least = 0;
  for (const word of words) {
    // At the start of a line a word is as rare as one that is a few characters longer.
    const own = word.length + (word.length > 3 && word.startsWith(START) ? 3 : 0);
    least = least === 0 ? own : Math.min(least, own);
  }
  return least;
}
