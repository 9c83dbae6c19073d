/** Derives the literals that every match of a regex must contain, for the Aho–Corasick prefilter. */

/** What is known of the text that a part of a pattern fits. */
interface Part {
  /** all that it can be, where that is little */
  readonly texts: readonly string[] | null;
  /** one of these it starts and ends with; the empty word where nothing is known */
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  /** one of these stands in it; none where nothing is known */
  readonly words: readonly string[];
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
}

/** As the `literalMatcher` writes the start of a line, and a digit. */
const START = "\n";
const DIGIT = "0";
/** The beginning of a longer word is rare enough. */
const LONGEST_WORD = 10;
const NOT_KNOWN: readonly string[] = [""];
/** More different texts than this are not followed. */
const MOST_TEXTS = 16;

/** An escape, a class, what opens a group, a mark, how often, or plain characters, of which the last may be there several times. */
const TOKENS =
  /\\(?:u[\da-fA-F]{4}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[)|^$.]|(?:[*+?]|\{\d+,?\d*\})\??|[^\\[(){|^$.*+?]+(?![*+?{])|[^\\[(){|^$.*+?]/g;

/**
 * Gives words, in lower case, of which at least one stands in every line that the pattern fits: the rarest that can be had, as `.go:0` for
 * `file.go:12: message`. What is certain of every line is its start. After the exact and matching sets of R. Cox, "Regular Expression
 * Matching with a Trigram Index" (2012).
 */
export function requiredLiterals(source: string): readonly string[] {
  const {words} = readChoice({tokens: source.match(TOKENS) ?? [], at: 0});
  return words.length === 0 ? [START] : [...new Set(words.map((word) => word.slice(0, LONGEST_WORD)))];
}

/** Reads up to behind the end of the group, or of the pattern. */
function readChoice(reader: Reader): Part {
  const all = [readSequence(reader)];
  while (reader.tokens[reader.at++] === "|") all.push(readSequence(reader));
  const [one] = all;
  if (one !== undefined && all.length === 1) return one;
  const words = all.some((part) => part.words.length === 0) ? [] : all.flatMap((part) => part.words);
  const texts = few(all.flatMap((part) => part.texts ?? []));
  if (texts !== null && all.every((part) => part.texts !== null)) return {texts, starts: texts, ends: texts, words};
  const starts = few(all.flatMap((part) => part.starts)) ?? NOT_KNOWN;
  return {texts: null, starts, ends: few(all.flatMap((part) => part.ends)) ?? NOT_KNOWN, words};
}

function readSequence(reader: Reader): Part {
  let words: readonly string[] = [];
  let rarest = 0;
  let starts: readonly string[] | null = null;
  /** what can stand directly before the place that is read */
  let before = NOT_KNOWN;
  const offer = (others: readonly string[]): void => {
    const rare = rarity(others);
    if (rare > rarest) [words, rarest] = [others, rare];
  };
  for (let token = peek(reader); token !== "" && token !== "|" && token !== ")"; token = peek(reader)) {
    reader.at++;
    const once = token.startsWith("(") ? readChoice(reader) : charactersOf(token);
    const part = repeated(once, reader);
    // A group that only looks ahead or back has no part in the line.
    if (/^\(\?<?[=!]/.test(token)) continue;
    const longer = joined(before, part.starts);
    if (longer !== null && part.texts !== null) {
      before = longer;
      continue;
    }
    offer(longer ?? before);
    offer(part.words);
    starts ??= longer ?? before;
    before = part.ends;
  }
  offer(before);
  return {texts: starts === null ? before : null, starts: starts ?? before, ends: before, words};
}

const peek = (reader: Reader): string => reader.tokens[reader.at] ?? "";

/** What a token that is no group stands for, in lower case. */
function charactersOf(token: string): Part {
  const texts = textsOf(token);
  return {texts, starts: texts ?? NOT_KNOWN, ends: texts ?? NOT_KNOWN, words: texts ?? []};
}

/** Null for a class of many; the empty word for what has no width. */
function textsOf(token: string): readonly string[] | null {
  if (token === "^") return [START];
  if (token === "$" || token === "\\b") return NOT_KNOWN;
  if (token === "\\d") return [DIGIT];
  if (token === "\\t") return ["\t"];
  if (token === "." || /^\\\w/.test(token)) return null;
  if (token.startsWith("\\")) return [token.slice(1)];
  const plain = token.toLowerCase().replace(/\d/g, DIGIT);
  if (!token.startsWith("[")) return [plain];
  const inside = plain.slice(1, -1).match(/\\?./g) ?? [];
  if (/^\[\^|-/.test(plain) || inside.some((one) => /^\\\w/.test(one))) return null;
  return few([...new Set(inside.map((one) => one.slice(-1)))]);
}

/** What is known of a part that stands there as often as the next token says. */
function repeated(part: Part, reader: Reader): Part {
  const token = peek(reader);
  if (!/^[*+?{]/.test(token)) return part;
  reader.at++;
  if (token.startsWith("+") || /^\{[1-9]/.test(token)) return {...part, texts: null};
  const texts = token.startsWith("?") && part.texts !== null ? [...part.texts, ""] : null;
  return {texts, starts: texts ?? NOT_KNOWN, ends: texts ?? NOT_KNOWN, words: []};
}

/** Each of these with each of those behind it; null for too many. */
function joined(before: readonly string[], behind: readonly string[]): readonly string[] | null {
  if (before.length * behind.length > MOST_TEXTS) return null;
  return before.flatMap((one) => behind.map((other) => one + other));
}

const few = (texts: readonly string[]): readonly string[] | null => (texts.length > MOST_TEXTS ? null : texts);

/** How rare the most common of these words is; 0 where there is none, or one that stands everywhere. */
function rarity(words: readonly string[]): number {
  let least = words.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  for (const word of words) {
    // At the start of a line a word is as rare as one that is a few characters longer; so is one with a sign of its own.
    const atStart = word.length > 3 && word.startsWith(START) ? 3 : 0;
    least = Math.min(least, word.length + atStart + (word.charCodeAt(0) > 127 ? 3 : 0));
  }
  return least;
}
