/** Reads an agent's answer as sentences of words, code and numbers, and matches them with patterns. */
import {splitVisibleCode} from "../../markdown/code-spans.ts";
import {isIn} from "./forms.ts";

/** A word in lower case, a number as digits, a mark, or code. */
export interface AnswerToken {
  readonly word: string;
  readonly code?: string;
}

export interface AnswerSentence {
  readonly text: string;
  readonly tokens: readonly AnswerToken[];
  readonly isItem: boolean;
  /** for an item of a list: the heading or the line before the list */
  readonly lead: readonly AnswerToken[];
}

const NUMBERS = "zero one two three four five six seven eight nine ten".split(" ");
/** What an answer consists of. At each place the first that fits counts; what none fits is between words. */
const PARTS = {
  item: /(?<=\n)[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+/uy,
  end: /\n[ \t]*(?=[\n#>|])|[.!?;](?=[\s*)]|$)|\|/uy,
  code: /`[^`\n]+`|(?<![\w@.-])(?:[\w@.-]+\/)+[\w.-]+\.\w{1,6}|README|CHANGELOG|changelog/uy,
  word: /[\p{L}\p{N}_@](?:[\p{L}\p{N}_@]|['’./:+,-](?=[\p{L}\p{N}_@]))*|\[[ xX]\]|->|[^\s*_]/uy,
};

function* partsOf(text: string): Generator<{kind: string; part: string}> {
  for (let at = 0; at < text.length; at++)
    for (const [kind, pattern] of Object.entries(PARTS)) {
      pattern.lastIndex = at;
      const part = pattern.exec(text)?.[0];
      if (part === undefined) continue;
      yield {kind, part};
      at += part.length - 1;
      break;
    }
}

/** Code blocks end a sentence and are left out. */
export function readSentences(markdown: string): AnswerSentence[] {
  const sentences: AnswerSentence[] = [];
  let [tokens, parts, isItem, lead]: [AnswerToken[], string[], boolean, readonly AnswerToken[]] = [[], [], false, []];
  const close = () => {
    const isLead = tokens.length < 5 || tokens.at(-1)?.word === ":";
    if (tokens.length > 0 && !isItem) lead = isLead ? tokens : [];
    const text = parts
      .join(" ")
      .replace(/ ([,:)])(?= |$)/g, "$1")
      .replaceAll("( ", "(");
    if (tokens.length > 0) sentences.push({text, tokens, isItem, lead: isItem ? lead : []});
    [tokens, parts, isItem] = [[], [], false];
  };
  const add = (part: string, isCode: boolean) => {
    const word = part.toLowerCase().replaceAll("’", "'");
    const number = NUMBERS.indexOf(word);
    tokens.push(
      isCode ? {word: "", code: part.replace(/^`+ ?|(?<!`) ?`+$/g, "")} : {word: number < 0 ? word : `${number}`},
    );
    parts.push(part);
  };
  for (const {kind, text: piece} of splitVisibleCode(`\n${markdown}`)) {
    if (kind === "fence") close();
    if (kind === "span") add(piece, true);
    for (const {kind: role, part} of kind === "prose" ? partsOf(piece) : []) {
      if (role === "item" || role === "end") close();
      if (role === "item") isItem = true;
      else if (role !== "end" && part !== "#" && part !== ">") add(part, role === "code");
    }
  }
  close();
  return sentences;
}

const ORDINARY = /^[\p{L}\d][\p{L}\d'-]*$/u;

/**
 * The end of the pattern's match at `at`; -1 without one. Its parts: `CODES` (one or more, joined by commas and `and`),
 * `NUM`, `ANY` for a word that is not in `STOP`, `@NAME` for one of a set, `a|b` for one of these, and `END` before the
 * end of the clause. `?` makes a part optional, and `*` allows up to six.
 */
export function matchEnd(tokens: readonly AnswerToken[], pattern: readonly string[], at: number, repeats = 6): number {
  const [part, ...rest] = pattern;
  if (part === undefined) return at;
  const name = part.replace(/[?*]$/, "");
  const after = stepOver(name, tokens, at);
  const isAgain = part.endsWith("*") && repeats > 1;
  const end = after < 0 ? -1 : matchEnd(tokens, isAgain ? pattern : rest, after, isAgain ? repeats - 1 : 6);
  return end >= 0 || name === part ? end : matchEnd(tokens, rest, at);
}

function stepOver(name: string, tokens: readonly AnswerToken[], at: number): number {
  const {word = "", code} = tokens[at] ?? {};
  if (name === "END") return tokens[at] === undefined || isIn("END", word) ? at : -1;
  if (name === "CODES") {
    if (code === undefined) return -1;
    let next = at + 1;
    while ([",", "and", "&", "/"].includes(tokens[next]?.word ?? "")) next++;
    return next > at + 1 && tokens[next]?.code !== undefined ? stepOver(name, tokens, next) : at + 1;
  }
  if (name === "NUM") return /^\d[\d,]*$/.test(word) ? at + 1 : -1;
  if (name === "ANY") return ORDINARY.test(word) && !isIn("STOP", word) ? at + 1 : -1;
  return (name.startsWith("@") ? isIn(name.slice(1), word) : name.split("|").includes(word)) ? at + 1 : -1;
}
