/** Finds a new case for one literal of earlier tests, in front of a result that stays as it was for all other values. */
import type {ChangedLine, LineChanges} from "../source/line-changes.ts";
import {hasLiteral} from "./tested-inputs.ts";

const LITERAL = String.raw`((?!(?:-?[01]|["']["'])(?![\w.]))(?:-?\d[\d_.]*|"[^"\n]{1,60}"|'[^'\n]{1,60}'))`;
const COMPARES = new RegExp(
  String.raw`(?:(?<![=!<>])===?\s*|\.equals\(\s*)${LITERAL}(?![\w.])|(?<![\w.])${LITERAL}(?:\s*===?(?!=)|\.equals\()`,
);
const IF = /^(?:\}\s*)?(?:else\s+)?(?:if|elif)\b/;
const MAX_LINE = 400;
const MAX_LINES = 200;

interface CodeChange extends LineChanges {
  /** the code after the change */
  readonly text: string;
  /** the earlier tests */
  readonly tests: readonly string[];
}

/** The added line with such a case; null if there is none. */
export function singleException({text, tests, added, removed}: CodeChange): ChangedLine | null {
  const isTested = (line: string) => {
    const value = COMPARES.exec(line)?.slice(1).find(Boolean);
    return value !== undefined && tests.some((one) => hasLiteral(one, value));
  };
  const compared = added.filter(({text: line}) => line.length <= MAX_LINE && COMPARES.test(line)).slice(0, MAX_LINES);
  const cases = compared.filter((line) => isTested(line.text));
  if (cases.length === 0) return null;
  const results = removed.slice(0, MAX_LINES).flatMap((line) => resultOf(line.text) ?? []);
  const lines = text.split("\n");
  const fresh = new Set(added.map(({number}) => number));
  const isException = ({text: line, number}: ChangedLine) => {
    const code = line.trim().replace(/[;,]$/, "");
    const isChoice = /\?.*:|\bif\b.*\belse\b/.test(code);
    if (isChoice && results.some((result) => code.endsWith(`: ${result}`) || code.endsWith(`else ${result}`)))
      return true;
    return IF.test(code) && isBeforeReturn(lines, {from: number, fresh});
  };
  return cases.find(isException) ?? null;
}

/** What a line returns or assigns, without names and numbers alone. */
function resultOf(line: string): string | null {
  const result = line
    .trim()
    .replace(/^(?:.*?\breturn\b|.*?=>|[\w.\s:]+?(?<![=!<>])=(?![=>]))\s*/, "")
    .replace(/[;,]$/, "");
  return result.length > 5 && /\W/.test(result) ? result : null;
}

/** A new block of a few lines returns, and the line behind it is an earlier `return`. */
function isBeforeReturn(lines: readonly string[], {from, fresh}: {from: number; fresh: ReadonlySet<number>}): boolean {
  let at = from;
  while (at < from + 4 && fresh.has(at + 1)) at += 1;
  // A line with a bracket alone may be an earlier one.
  while (/^\s*\}?\s*$/.test(lines[at] ?? "x") && at < from + 6) at += 1;
  const block = lines.slice(from - 1, at).join("\n");
  return /\breturn\b/.test(block) && !fresh.has(at + 1) && /^\s*return\b/.test(lines[at] ?? "");
}
