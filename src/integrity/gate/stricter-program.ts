/** Knows which edits of a program of checks cannot make it check less: it fails in more cases, or reports more. */
import {STRICTER_ARGUMENTS} from "../../tools/integrity-names.ts";
import type {ChangedLine, LineChanges} from "../source/line-changes.ts";

const ARGUMENT = new RegExp(String.raw`^,?\s*(?:${STRICTER_ARGUMENTS.map(({source}) => source).join("|")})\s*,?$`);
const EXIT = /\b(?:sys\.exit|exit|SystemExit|process\.exit|os\._exit)\(/g;
const FAILS = /^\s*(?:raise\b|throw\b|(?:sys\.exit|exit|process\.exit|os\._exit)\(\s*["'1-9])/;
/** `or x`, without another exit, assignment or end of a call. */
const ALTERNATIVE = /^\s*(?:or\s|\|\|)(?:[^()=]|[=!<>]=|\([^()]*\))+$/;

/** A whole line; `#` can also begin a name or the line for the interpreter. */
const COMMENT = /^\s*(?:#(?![\w!])|\/\/)/;

/** The removed lines that no added line replaces by a stricter one, and the other added lines; without comments. */
export function withoutStricterLines(changes: LineChanges, after: string): LineChanges {
  const lines = after.split("\n");
  const isCode = ({text}: ChangedLine) => !COMMENT.test(text);
  const unmatched = changes.added.filter(isCode);
  const lost = changes.removed.filter(isCode).filter(({text}) => {
    const at = unmatched.findIndex((one) => isStricter(plain(text), plain(one.text), lines[one.number] ?? ""));
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
  return {added: unmatched, removed: lost};
}

/** How much is printed does not matter. */
const plain = (line: string): string => line.trim().replace(/\bverbosity\s*=\s*\d/, "verbosity=0");

/** The new line is the old one with an insertion that makes it fail in more cases. */
function isStricter(old: string, now: string, next: string): boolean {
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  if (start + end < old.length) return false;
  const inserted = now.slice(start, now.length - end);
  const parts = inserted.split(",").filter((part) => part.trim() !== "");
  if (parts.length > 0 && parts.every((part) => ARGUMENT.test(part.trim()))) return true;
  if (!ALTERNATIVE.test(inserted)) return false;
  const before = now.slice(0, start);
  const exit = [...before.matchAll(EXIT)].at(-1);
  if (exit !== undefined) return isDirectlyInside(before.slice(exit.index + exit[0].length)) && endsWithFailure(now);
  const condition = /^(?:if|elif)\s+(.*)$|^(?:\}\s*else\s+)?if\s*\((.*)$/.exec(before);
  return condition !== null && isDirectlyInside(condition[2] ?? condition[1] ?? "") && FAILS.test(next);
}

/** Not inside a further pair of brackets, such as those of `not (…)`. */
const isDirectlyInside = (text: string): boolean =>
  (text.match(/[([{]/g)?.length ?? 0) === (text.match(/[)\]}]/g)?.length ?? 0);

/** A choice between two exit codes must give the failing one for the condition. */
const endsWithFailure = (line: string): boolean =>
  line.includes(" if ") ? /\(\s*[1-9]\d* if /.test(line) : !line.includes("?") || /\?\s*[1-9]\d*\s*:\s*0/.test(line);
