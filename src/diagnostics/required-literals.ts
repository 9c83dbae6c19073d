/** Derives the literals that every match of a regex must contain, for the Aho–Corasick prefilter. */

/** The known properties of the text that a part of a pattern matches. */
interface PatternPart {
  /** all possible texts, if they are few */
  readonly texts: readonly string[] | null;
  /** it starts and ends with one of these; the empty literal if nothing is known */
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  /** it contains one of these; none if nothing is known */
  readonly literals: readonly string[];
}

interface TokenReader {
  readonly tokens: readonly string[];
  at: number;
}

/** The notation of `literalMatcher` for the start of a line, and for a digit. */
const START = "\n";
const DIGIT = "0";
/** The first characters of a longer literal are rare enough. */
const LONGEST_LITERAL = 10;
const UNKNOWN_LITERALS: readonly string[] = [""];
/** A part with more possible texts is not analyzed. */
const MAX_TEXTS = 16;

/**
 * An escape, a class, the start of a group, an anchor, a quantifier, or plain characters, of which the last may be
 * repeated.
 */
const TOKENS =
  /\\(?:u[\da-fA-F]{4}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[)|^$.]|(?:[*+?]|\{\d+,?\d*\})\??|[^\\[(){|^$.*+?]+(?![*+?{])|[^\\[(){|^$.*+?]/g;

/**
 * Returns literals in lower case of which every matching line contains at least one: the rarest possible, such as
 * `.go:0` for `file.go:12: message`. If nothing else is certain, it is the start of the line. After the exact and
 * matching sets of R. Cox, "Regular Expression Matching with a Trigram Index" (2012).
 */
export function requiredLiterals(source: string): readonly string[] {
  const cachedLiterals = literalsBySource.get(source);
  if (cachedLiterals !== undefined) return cachedLiterals;
  const {literals} = readChoice({tokens: source.match(TOKENS) ?? [], at: 0});
  const shortLiterals =
    literals.length === 0 ? [START] : [...new Set(literals.map((one) => one.slice(0, LONGEST_LITERAL)))];
  literalsBySource.set(source, shortLiterals);
  return shortLiterals;
}

const literalsBySource = new Map<string, readonly string[]>();

/** Returns a function that takes a pattern's source, and returns false if the pattern matches nowhere in this text. */
export function literalFinder(text: string): (source: string) => boolean {
  const plainText = START + text.toLowerCase().replace(/\d/g, DIGIT);
  return (source) => requiredLiterals(source).some((literal) => plainText.includes(literal));
}

/** Reads to the end of the group, or of the pattern, and consumes it. */
function readChoice(reader: TokenReader): PatternPart {
  const all = [readSequence(reader)];
  while (reader.tokens[reader.at++] === "|") all.push(readSequence(reader));
  const [one] = all;
  if (one !== undefined && all.length === 1) return one;
  const literals = all.some((part) => part.literals.length === 0) ? [] : all.flatMap((part) => part.literals);
  const texts = ifFew(all.flatMap((part) => part.texts ?? []));
  if (texts !== null && all.every((part) => part.texts !== null)) return {texts, starts: texts, ends: texts, literals};
  const starts = ifFew(all.flatMap((part) => part.starts)) ?? UNKNOWN_LITERALS;
  return {texts: null, starts, ends: ifFew(all.flatMap((part) => part.ends)) ?? UNKNOWN_LITERALS, literals};
}

function readSequence(reader: TokenReader): PatternPart {
  let literals: readonly string[] = [];
  let rarest = 0;
  let starts: readonly string[] | null = null;
  /** the possible texts directly before the current place */
  let textsBefore = UNKNOWN_LITERALS;
  const offer = (candidates: readonly string[]): void => {
    const rareness = rarity(candidates);
    if (rareness > rarest) [literals, rarest] = [candidates, rareness];
  };
  for (let token = peek(reader); token !== "" && token !== "|" && token !== ")"; token = peek(reader)) {
    reader.at++;
    const single = token.startsWith("(") ? readChoice(reader) : charactersOf(token);
    const part = withQuantifier(single, reader);
    // A lookahead or lookbehind matches no characters.
    if (/^\(\?<?[=!]/.test(token)) continue;
    const longer = concatenate(textsBefore, part.starts);
    if (longer !== null && part.texts !== null) {
      textsBefore = longer;
      continue;
    }
    offer(longer ?? textsBefore);
    offer(part.literals);
    starts ??= longer ?? textsBefore;
    textsBefore = part.ends;
  }
  offer(textsBefore);
  return {texts: starts === null ? textsBefore : null, starts: starts ?? textsBefore, ends: textsBefore, literals};
}

const peek = (reader: TokenReader): string => reader.tokens[reader.at] ?? "";

/** The texts of a token outside groups, in lower case. */
function charactersOf(token: string): PatternPart {
  const texts = textsOf(token);
  return {texts, starts: texts ?? UNKNOWN_LITERALS, ends: texts ?? UNKNOWN_LITERALS, literals: texts ?? []};
}

/** Null for a large class; the empty literal for a token without width. */
function textsOf(token: string): readonly string[] | null {
  if (token === "^") return [START];
  if (token === "$" || token === "\\b") return UNKNOWN_LITERALS;
  if (token === "\\d") return [DIGIT];
  if (token === "\\t") return ["\t"];
  if (token === "." || /^\\\w/.test(token)) return null;
  if (token.startsWith("\\")) return [token.slice(1)];
  const lowerCase = token.toLowerCase().replace(/\d/g, DIGIT);
  if (!token.startsWith("[")) return [lowerCase];
  const members = lowerCase.slice(1, -1).match(/\\?./g) ?? [];
  if (/^\[\^|-/.test(lowerCase) || members.some((one) => /^\\\w/.test(one))) return null;
  return ifFew([...new Set(members.map((one) => one.slice(-1)))]);
}

/** The properties of a part with its quantifier, which is the next token. */
function withQuantifier(part: PatternPart, reader: TokenReader): PatternPart {
  const token = peek(reader);
  if (!/^[*+?{]/.test(token)) return part;
  reader.at++;
  if (token.startsWith("+") || /^\{[1-9]/.test(token)) return {...part, texts: null};
  const texts = token.startsWith("?") && part.texts !== null ? [...part.texts, ""] : null;
  return {texts, starts: texts ?? UNKNOWN_LITERALS, ends: texts ?? UNKNOWN_LITERALS, literals: []};
}

/** Each of the first texts followed by each of the second; null if these are too many. */
function concatenate(textsBefore: readonly string[], behind: readonly string[]): readonly string[] | null {
  if (textsBefore.length * behind.length > MAX_TEXTS) return null;
  return textsBefore.flatMap((one) => behind.map((other) => one + other));
}

const ifFew = (texts: readonly string[]): readonly string[] | null => (texts.length > MAX_TEXTS ? null : texts);

/** The rarity of the most common of these literals; 0 if there is none, or if every line contains one. */
function rarity(literals: readonly string[]): number {
  let least = literals.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  for (const literal of literals) {
    // At the start of a line, or with a special character, a literal is as rare as one that is a few characters longer.
    const atStart = literal.length > 3 && literal.startsWith(START) ? 3 : 0;
    least = Math.min(least, literal.length + atStart + (literal.charCodeAt(0) > 127 ? 3 : 0));
  }
  return least;
}
