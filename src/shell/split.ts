/** Splits a shell line into its simple commands, without ever running or expanding anything. */
import {memoize} from "./memoize.ts";

/** The operator that joins a command to the one before it; `start` for the first, `(` for the first in a group. */
export type Joint = "start" | "&&" | "||" | ";" | "|" | "&" | "(";

export interface SimpleCommand {
  /** the words, quotes removed; `$(…)`, `<(…)`, backticks and `$NAME` stay as written */
  readonly words: readonly string[];
  /** the same words as written, with their quotes */
  readonly raws: readonly string[];
  /** assignments in front of the words */
  readonly env: Readonly<Record<string, string>>;
  readonly joint: Joint;
  /** files that its output is sent to */
  readonly writes: readonly string[];
  /** true if a word is only known when the shell runs: `$(…)`, backticks, `$NAME` */
  readonly dynamic: boolean;
  /** its position in the line */
  readonly start: number;
  readonly end: number;
}

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;
const MAX_LINE = 20_000;

/**
 * The simple commands of a line, in order. Supports quotes, escapes, comments, `&& || ; | &`, new lines, groups and
 * redirections. Null if the line is longer than 20,000 characters, a quote is open, or it contains a here-document:
 * such a line is unknown.
 */
export const splitShell: (line: string) => readonly SimpleCommand[] | null = memoize(split);

function split(line: string): readonly SimpleCommand[] | null {
  if (line.length > MAX_LINE) return null;
  const commands: SimpleCommand[] = [];
  let joint: Joint = "start";
  let words: string[] = [];
  let raws: string[] = [];
  let writes: string[] = [];
  let dynamic = false;
  let redirect: "write" | "read" | null = null;
  let start = 0;
  let i = 0;

  const finish = (next: Joint, end: number): void => {
    if (words.length > 0 || writes.length > 0)
      commands.push(command({words, raws, joint, writes, dynamic, start, end}));
    joint = next;
    words = [];
    raws = [];
    writes = [];
    dynamic = false;
  };

  while (i < line.length) {
    const char = line.charAt(i);
    if (char === " " || char === "\t" || char === "\r") i++;
    else if (char === "\\" && line[i + 1] === "\n") i += 2;
    else if (char === "#") i = endOfLine(line, i);
    else if (line.startsWith("<<", i)) return null;
    else {
      const operator = /^(&>>?|&&|\|\||\|&|;;|[;&|\n()]|\d?>>?\|?(&\d)?|<(?!\())/.exec(line.slice(i, i + 8))?.[0];
      if (operator === undefined) {
        if (words.length === 0 && redirect === null && writes.length === 0) start = i;
        const word = readWord(line, i);
        if (word === null) return null;
        if (redirect === "write") writes.push(word.text);
        else if (redirect === null) {
          words.push(word.text);
          raws.push(line.slice(i, word.end));
        }
        dynamic ||= word.dynamic;
        redirect = null;
        i = word.end;
      } else {
        if (operator.includes(">")) redirect = /&\d$/.test(operator) ? null : "write";
        else if (operator === "<") redirect = "read";
        else finish(jointOf(operator), i);
        i += operator.length;
      }
    }
  }
  finish("start", line.length);
  return commands;
}

/** The words of a line that is one simple command without assignments or redirections; null otherwise. */
export function plainWords(line: string): readonly string[] | null {
  const commands = splitShell(line);
  const [only] = commands ?? [];
  if (commands?.length !== 1 || only === undefined || only.dynamic || only.writes.length > 0) return null;
  return Object.keys(only.env).length > 0 ? null : only.words;
}

function jointOf(operator: string): Joint {
  if (operator === "&&" || operator === "||" || operator === "&") return operator;
  if (operator.startsWith("|")) return "|";
  return operator === "(" ? "(" : ";";
}

function command(raw: Omit<SimpleCommand, "env">): SimpleCommand {
  const env: Record<string, string> = {};
  let firstWord = 0;
  for (const word of raw.words) {
    const match = ASSIGNMENT.exec(word);
    if (match === null) break;
    env[match[1] ?? ""] = match[2] ?? "";
    firstWord++;
  }
  return {...raw, words: raw.words.slice(firstWord), raws: raw.raws.slice(firstWord), env};
}

function readWord(line: string, from: number): {text: string; end: number; dynamic: boolean} | null {
  let text = "";
  let dynamic = false;
  let i = from;
  while (i < line.length && (line.startsWith("<(", i) || !/[ \t\r\n;&|()<>]/.test(line.charAt(i)))) {
    const char = line.charAt(i);
    if (char === "\\") {
      text += line[i + 1] === "\n" ? "" : (line[i + 1] ?? "");
      i += 2;
    } else if (char === "'") {
      const end = line.indexOf("'", i + 1);
      if (end < 0) return null;
      text += line.slice(i + 1, end);
      i = end + 1;
    } else if (char === '"' || char === "`" || /^(\$[({]|<\()/.test(line.slice(i, i + 2))) {
      const end = endOfSpan(line, i);
      if (end < 0) return null;
      const span = line.slice(i, end);
      dynamic ||= char === "<" || /[`$]/.test(span);
      text += char === '"' ? span.slice(1, -1).replace(/\\(["\\$`])/g, "$1") : span;
      i = end;
    } else {
      dynamic ||= char === "$";
      text += char;
      i++;
    }
  }
  return {text, end: i, dynamic};
}

/**
 * The end of a span that opens at `from`: double quotes, backticks, `$(…)`, `<(…)` or `${…}`; -1 if it is not closed.
 */
function endOfSpan(line: string, from: number): number {
  const open = line.charAt(from);
  const isPair = open === "$" || open === "<";
  const close = isPair ? (line[from + 1] === "(" ? ")" : "}") : open;
  const next = line[from + 1];
  let depth = 0;
  for (let i = from + (isPair ? 2 : 1); i < line.length; i++) {
    if (line[i] === "\\") i++;
    else if (isPair && line[i] === next) depth++;
    else if (line[i] === close && depth-- === 0) return i + 1;
  }
  return -1;
}

function endOfLine(line: string, from: number): number {
  const end = line.indexOf("\n", from);
  return end < 0 ? line.length : end;
}
