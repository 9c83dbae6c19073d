/** Blanks comments and the contents of strings, so that the rest can be searched by patterns and by brackets. */
import {cacheLatest} from "./cache-latest.ts";
import type {Language} from "./languages.ts";

/** A source text next to the same text without comments and string contents; positions are equal in both. */
export interface MaskedSource {
  readonly text: string;
  readonly code: string;
}

const AFTER_OPERATOR = /(?:[=(,:[!&|?{};+*%<>~^-]|\b(?:return|typeof|case|in|of|do|else|await|yield))\s*$/;
const RUST_CHARACTER = /'(?:\\[^\n]{1,10}?|[^\\'\n])'/y;
const RUST_RAW = /b?r(#*)"/y;
const REGEX_LITERAL = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;

/** Unclosed strings end with their line, unclosed comments with the file, so that most of a broken file can be read. */
export const maskSource = cacheLatest((text: string, language: Language): MaskedSource => {
  const parts: string[] = [];
  let copiedTo = 0;
  let index = 0;
  const blank = (from: number, to: number) => {
    if (to <= from) return;
    parts.push(text.slice(copiedTo, from), text.slice(from, to).replace(/[^\n]/g, " "));
    copiedTo = to;
  };
  const stops = stopPattern(language);
  while (index < text.length) {
    stops.lastIndex = index;
    const stop = stops.exec(text);
    if (stop === null) break;
    index = stop.index;
    const literal = literalAt(text, index, language);
    if (literal === null) {
      index += 1;
      continue;
    }
    blank(literal.from, literal.to);
    index = literal.end;
  }
  parts.push(text.slice(copiedTo));
  return {text, code: parts.join("")};
});

/** The maximum depth of nested templates. */
const MAX_DEPTH = 20;

interface Literal {
  /** the part to blank */
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** The characters that may begin a comment or a string. */
function stopPattern(language: Language): RegExp {
  return language.name === "python" ? /[#"']/g : language.name === "rust" ? /[/"'r]/g : /[/"'`]/g;
}

function literalAt(text: string, at: number, language: Language, depth = 0): Literal | null {
  if (text.startsWith(language.lineComment, at)) {
    const end = lineEnd(text, at);
    return {from: at, to: end, end};
  }
  if (language.blockComment !== null && text.startsWith(language.blockComment[0], at)) {
    const close = text.indexOf(language.blockComment[1], at + 2);
    const end = close < 0 ? text.length : close + 2;
    return {from: at, to: end, end};
  }
  if (language.name === "rust") {
    const special = rustLiteral(text, at);
    if (special !== null) return special;
  }
  const quote = language.quotes.find((one) => text.startsWith(one, at));
  if (quote !== undefined) return stringAt({text, at, quote, language, depth});
  if (language.name !== "javascript" || !AFTER_OPERATOR.test(text.slice(Math.max(0, at - 20), at))) return null;
  REGEX_LITERAL.lastIndex = at;
  const regex = REGEX_LITERAL.exec(text);
  return regex === null ? null : {from: at + 1, to: at + regex[0].length - 1, end: at + regex[0].length};
}

function rustLiteral(text: string, at: number): Literal | null {
  RUST_CHARACTER.lastIndex = at;
  const character = RUST_CHARACTER.exec(text);
  if (character !== null) return {from: at + 1, to: at + character[0].length - 1, end: at + character[0].length};
  RUST_RAW.lastIndex = at;
  const raw = RUST_RAW.exec(text);
  if (raw === null || /\w/.test(text[at - 1] ?? "")) return null;
  const close = text.indexOf(`"${raw[1]}`, at + raw[0].length);
  const to = close < 0 ? text.length : close;
  return {from: at + raw[0].length, to, end: Math.min(text.length, to + 1)};
}

function stringAt({
  text,
  at,
  quote,
  language,
  depth,
}: {
  text: string;
  at: number;
  quote: string;
  language: Language;
  depth: number;
}): Literal {
  const from = at + quote.length;
  const isMultiline = language.multiline.includes(quote);
  const hasEscapes = !language.raw.includes(quote);
  let index = from;
  while (index < text.length) {
    const char = text[index];
    if (char === "\\" && hasEscapes) index += 2;
    else if (char === "\n" && !isMultiline) return {from, to: index, end: index};
    else if (text.startsWith(quote, index)) return {from, to: index, end: index + quote.length};
    else if (quote === "`" && depth < MAX_DEPTH && language.name === "javascript" && text.startsWith("${", index))
      index = templatePartEnd({text, from: index + 2, language, depth});
    else index += 1;
  }
  return {from, to: text.length, end: text.length};
}

/** The position after the `}` of a `${…}`. */
function templatePartEnd({
  text,
  from,
  language,
  depth: outer,
}: {
  text: string;
  from: number;
  language: Language;
  depth: number;
}): number {
  let depth = 1;
  let index = from;
  while (index < text.length) {
    const char = text[index];
    if (char === "{") depth += 1;
    if (char === "}" && --depth === 0) return index + 1;
    const literal = char === "'" || char === '"' || char === "`" ? literalAt(text, index, language, outer + 1) : null;
    index = literal === null ? index + 1 : literal.end;
  }
  return text.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const CLOSING: Readonly<Record<string, string>> = {"(": ")", "[": "]", "{": "}"};

let lastPairs: {readonly code: string; readonly pairs: Int32Array} = {code: "", pairs: new Int32Array(0)};

/** The position of the bracket that closes the one at `open`; the end of the code if there is none. */
export function closingBracket(code: string, open: number): number {
  // Thousands of calls use the same text, and each would read it to its end.
  if (lastPairs.code !== code) lastPairs = {code, pairs: pairBrackets(code)};
  return lastPairs.pairs[open] || code.length;
}

function pairBrackets(code: string): Int32Array {
  const pairs = new Int32Array(code.length);
  const stack: {readonly at: number; readonly close: string}[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at] ?? "";
    const close = CLOSING[char];
    if (close !== undefined) stack.push({at, close});
    else if (char === stack.at(-1)?.close) pairs[stack.pop()?.at ?? 0] = at;
  }
  return pairs;
}

/** A longer line is data. Patterns take quadratic time on long lines. */
const MAX_LINE = 1000;

/** The text with each long line cut, and long runs of blank lines, so that a hostile file takes bounded time. */
export function cutLongLines(text: string): string {
  const lines = text.split("\n");
  // Cutting by a pattern takes most of the time of a whole inspection.
  const isLong = lines.some((line) => line.length > MAX_LINE);
  const short = isLong ? lines.map((line) => line.slice(0, MAX_LINE)).join("\n") : text;
  return short.replace(/\n(?:[ \t\r]*\n){50,}/g, "\n".repeat(50));
}

const lineStarts = new WeakMap<MaskedSource, readonly number[]>();

/** The number of the line that contains a position, from 1. */
export function lineAt(source: MaskedSource, position: number): number {
  const starts = lineStarts.get(source) ?? [...source.text.matchAll(/^/gm)].map(({index}) => index);
  lineStarts.set(source, starts);
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low + 1;
}
