/** The words, signs and values of a source text, in order, without its comments. */

export interface Token {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly kind: "word" | "number" | "string" | "sign";
}

const IS_STRING = /string|char|rune|regex|heredoc/;
/** Kinds of nodes with strings in them. */
const HAS_STRINGS = /concatenated|strings|_list$/;

export const isStringKind = (kind: string): boolean => IS_STRING.test(kind) && !HAS_STRINGS.test(kind);

export const isCommentKind = (kind: string): boolean => kind.includes("comment");

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A comment, or a string with its quotes. */
export interface OpaquePart extends TextRange {
  readonly isComment: boolean;
}

function kindOf(text: string): Token["kind"] {
  return /^[\p{L}_$@]/u.test(text) ? "word" : /^\.?\d/.test(text) ? "number" : "sign";
}

/** Words, numbers, and the signs of all languages. `>>` is two signs, because it may end two lists of types. */
const TOKEN =
  /[\p{L}_$][\p{L}\p{N}_$]*|(?:\d\w*(?:\.\d\w*)?|(?<![\w)\]])\.\d\w*)(?:(?<=[eE])[-+]\d+)?|=>|->|<-|[=!]==?|[<>]=|<<|&&|\|\||\?\?|\?\.|::?=?|\.\.\.?=?|\*\*|\+\+|--|[-+*/%&|^]=|\S/gu;

/** A string is one token, whatever it contains; `opaque` is in order. */
export function tokensIn(text: string, opaque: readonly OpaquePart[], {from, to}: TextRange): Token[] {
  const tokens: Token[] = [];
  const read = (start: number, end: number) => {
    for (const {0: own, index} of text.slice(start, end).matchAll(TOKEN))
      tokens.push({from: start + index, to: start + index + own.length, text: own, kind: kindOf(own)});
  };
  let at = from;
  for (let index = firstEndingAfter(opaque, from); (opaque[index]?.from ?? to) < to; index += 1) {
    const part = opaque[index] as OpaquePart;
    if (part.from >= from) {
      read(at, part.from);
      if (!part.isComment) tokens.push({...part, text: text.slice(part.from, part.to).trim(), kind: "string"});
    }
    at = part.to;
  }
  if (at < to) read(at, to);
  return tokens;
}

function firstEndingAfter(opaque: readonly OpaquePart[], at: number): number {
  let [low, high] = [0, opaque.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((opaque[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without white space, except between two words. */
export function joinTokens(tokens: readonly Token[]): string {
  return tokens
    .filter(({text}, index) => text !== "," || !/^[)\]}]/.test(tokens[index + 1]?.text ?? ")"))
    .map(({text, kind}, index, all) =>
      kind !== "sign" && kind !== "string" && all[index - 1]?.kind === "word" ? ` ${text}` : text,
    )
    .join("");
}

/** The text with blanks in place of comments and of the contents of strings. */
export function codeOf(text: string, opaque: readonly OpaquePart[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const {from, to, isComment} of opaque) {
    parts.push(text.slice(end, from));
    parts.push(
      isComment ? blank(text.slice(from, to)) : `${text[from]}${blank(text.slice(from + 1, to - 1))}${text[to - 1]}`,
    );
    end = to;
  }
  return parts.join("") + text.slice(end);
}

const blank = (text: string): string => (/\S/.test(text) ? text.replace(/[^\n]/g, " ") : text);

const OPEN = "([{";
const CLOSE = ")]}";

/** The parts between commas that are outside of brackets. */
export function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "sign" && OPEN.includes(token.text)) depth += 1;
    if (token.kind === "sign" && CLOSE.includes(token.text)) depth -= 1;
    if (depth === 0 && token.text === ",") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** What is inside each of the brackets that are not inside others. */
export function groupsIn(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    const isClose = token.kind === "sign" && CLOSE.includes(token.text);
    if (isClose) depth -= 1;
    if (depth > 0) groups.at(-1)?.push(token);
    if (token.kind === "sign" && OPEN.includes(token.text)) {
      if (depth === 0) groups.push([]);
      depth += 1;
    }
  }
  return groups;
}

/** The tokens outside of brackets. */
export function outline(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter(({kind, text}) => {
    if (kind === "sign" && CLOSE.includes(text)) depth -= 1;
    const isOutside = depth === 0;
    if (kind === "sign" && OPEN.includes(text)) depth += 1;
    return isOutside && !(kind === "sign" && (OPEN.includes(text) || CLOSE.includes(text)));
  });
}

/** How many values a list has: those in the largest brackets, or of the only list in them. A text has one in each line. */
export function countValues(tokens: readonly Token[]): number {
  const [only] = tokens;
  if (tokens.length === 1 && only?.kind === "string") {
    // Ruby's list of words
    if (/^%[wWiI]/.test(only.text)) return only.text.split(/\s+/).length;
    return only.text.split("\n").filter((line) => /\w/.test(line)).length;
  }
  const last = groupsIn(tokens).reduce(
    (most, group) => (partsOf(group).length >= partsOf(most).length ? group : most),
    [],
  );
  const parts = partsOf(last);
  const [first] = parts;
  if (parts.length !== 1 || first === undefined) return parts.length;
  const value = first.at(-1);
  if (value?.kind === "string" && value.text.includes("\n")) return countValues([value]);
  // The argument of a call is the list; in a list, it is the only row.
  const isArgument = tokens[tokens.indexOf(last[0] ?? tokens[0] ?? (value as Token)) - 1]?.text === "(";
  return isArgument && CLOSE.includes(value?.text ?? "-") ? countValues(first) : 1;
}
