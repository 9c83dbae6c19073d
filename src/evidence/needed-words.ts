/** Reads from a pattern's source which words a line must hold for the pattern to fit, so that a `sieve` can look for them first. */

/** What may stand at one place of a pattern: a known character, a choice of sequences (a group), or null for anything else. */
interface Item {
  readonly is: string | readonly Item[][] | null;
  /** false where it may be missing */
  readonly must: boolean;
  /** exactly once, so that what follows stands directly behind it */
  readonly once: boolean;
}

/** As the `sieve` writes the start of a line, and a digit. */
const START = "\n";
const DIGIT = "0";

/**
 * Gives words, in lower case, of which at least one stands in every line that the pattern fits: the longest that can be had, as `.go:0` for
 * `file.go:12: message`. What is certain of every line is its start. Many patterns are read at each start, so it reads single characters.
 */
export function neededWords(source: string): readonly string[] {
  const words = wordsOf(readChoice({source, at: 0}));
  return words.length === 0 ? [START] : words;
}

interface Reader {
  readonly source: string;
  at: number;
}

/** Reads up to the end of the group, or of the pattern. */
function readChoice(reader: Reader): Item[][] {
  let sequence: Item[] = [];
  const choice = [sequence];
  while (reader.at < reader.source.length) {
    const character = reader.source[reader.at++];
    if (character === ")") break;
    if (character === "|") {
      sequence = [];
      choice.push(sequence);
    } else if (character === "(") readGroup(reader, sequence);
    else if (character !== "$") {
      const is = readCharacter(reader, character ?? "");
      const item = withTimes(reader, is);
      if (is !== "") sequence.push(item);
    }
  }
  return choice;
}

/** Reads a group behind its parenthesis; one that only looks ahead or back has no part in the line. */
function readGroup(reader: Reader, sequence: Item[]): void {
  const {source} = reader;
  let looks = false;
  if (source[reader.at] === "?") {
    const mark = source[reader.at + 1];
    const isNamed = mark === "<" && source[reader.at + 2] !== "=" && source[reader.at + 2] !== "!";
    looks = mark !== ":" && !isNamed;
    reader.at = isNamed ? source.indexOf(">", reader.at) + 1 : reader.at + (mark === "<" ? 3 : 2);
  }
  const item = withTimes(reader, readChoice(reader));
  if (!looks) sequence.push(item);
}

/** Gives the character, in lower case; nothing for what has no width; null for a class. */
function readCharacter(reader: Reader, character: string): string | null {
  const {source} = reader;
  if (character === "^") return START;
  if (character === ".") return null;
  if (character === "[") {
    while (source[reader.at] !== "]") reader.at += source[reader.at] === "\\" ? 2 : 1;
    reader.at++;
    return null;
  }
  if (character !== "\\") return /\d/.test(character) ? DIGIT : character.toLowerCase();
  const escaped = source[reader.at++] ?? "";
  if (escaped === "d") return DIGIT;
  if (escaped === "t") return "\t";
  if (escaped === "b") return "";
  if (escaped === "u") reader.at += 4;
  return /\w/.test(escaped) ? null : escaped;
}

/** Reads how often the item before may stand there. */
function withTimes(reader: Reader, is: Item["is"]): Item {
  const {source} = reader;
  const mark = source[reader.at];
  if (mark !== "*" && mark !== "+" && mark !== "?" && mark !== "{") return {is, must: true, once: true};
  const must = mark === "+" || (mark === "{" && source[reader.at + 1] !== "0");
  reader.at = mark === "{" ? source.indexOf("}", reader.at) + 1 : reader.at + 1;
  if (source[reader.at] === "?") reader.at++;
  return {is, must, once: false};
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
