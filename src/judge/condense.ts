/** Shortens a part of a diff, so that fewer parts are left out. Lines that a reviewer needs first are kept. */
import {findCommentLines} from "./comment-lines.ts";
import type {DiffLines, DiffPart} from "./diff-parts.ts";

const mark = (line: string): string => (line.startsWith("@@ ") ? "@" : (line[0] ?? " "));

/** At most `max` unchanged lines before and after each change. */
export function withContext(lines: DiffLines, max: number): string[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - max), at + max + 1).some((line) => mark(line) === "+" || mark(line) === "-");
  return lines.filter((line, at) => (mark(line) !== " " && line !== "") || isNear(at));
}

/** The size of a change in a derived file, or of a removed file. */
export function summarize(lines: DiffLines): string[] {
  const count = (sign: string) => lines.filter((line) => mark(line) === sign).length;
  return [`[${count("+")} lines added, ${count("-")} removed]`];
}

const FEW_COMMENTS = 2;

/** Blocks of unchanged or added comments without their inner lines, and without removed comments. */
export function withoutComments(lines: DiffLines, path: string): string[] {
  const isComment = findCommentLines(lines, path);
  return replaceRuns(lines, {
    isIn: (_, at) => isComment[at] ?? false,
    isSame: (one, other) => mark(one) === mark(other),
    keep: FEW_COMMENTS - 1,
    what: "lines of comments",
  });
}

/** Matches up to the end of the line, because code can follow. */
const IMPORTS = [
  /^import (?:type )?(?:[\w$*{}, ]+ from )?(?:"[^"]*"|'[^']*');?$/,
  /^\} from (?:"[^"]*"|'[^']*');?$/,
  /^import (?:static )?[\w.*, ]+;?$/,
  /^from [\w.]+ import [\w.*, ]+$/,
  /^(?:pub )?use [\w:{}*, \\]+;$/,
  /^(?:global )?using (?:static )?[\w.]+;$/,
  /^#include ?(?:<[^<>]*>|"[^"]*")$/,
  /^require(?:_relative)? (?:"[^"#]*"|'[^']*')$/,
];

export function isImport(line: string): boolean {
  const text = line.slice(1).trim();
  return IMPORTS.some((pattern) => pattern.test(text));
}

/** Blocks of imports, reduced to their first lines. */
export function withoutImports(lines: DiffLines): string[] {
  return replaceRuns(lines, {
    isIn: (line) => isImport(line) && mark(line) !== "@",
    isSame: (one, other) => mark(one) === mark(other),
    keep: 2,
    what: "imports",
  });
}

/** Removed lines that the same part adds again with another indentation or at another place. */
export function withoutMoved(lines: DiffLines): string[] {
  const addedCounts = new Map<string, number>();
  for (const line of lines)
    if (mark(line) === "+") addedCounts.set(line.slice(1).trim(), (addedCounts.get(line.slice(1).trim()) ?? 0) + 1);
  const movedFlags = lines.map((line) => {
    const text = line.slice(1).trim();
    const count = mark(line) === "-" ? (addedCounts.get(text) ?? 0) : 0;
    if (count > 0) addedCounts.set(text, count - 1);
    return count > 0;
  });
  return replaceRuns(lines, {
    isIn: (_, at) => movedFlags[at] ?? false,
    isSame: () => true,
    keep: 0,
    what: "moved lines",
  });
}

/** Long runs of removed lines, reduced to their first lines, because their replacement is more useful. */
export function withoutRemovals(lines: DiffLines): string[] {
  return replaceRuns(lines, {
    isIn: (line) => mark(line) === "-",
    isSame: () => true,
    keep: 3,
    what: "removed lines",
  });
}

/** Lines that are nested deeper than `depth` levels; a run of them is replaced by its length. */
export function outline(lines: DiffLines, depth: number): string[] {
  const unit = indentUnit(lines);
  return replaceRuns(lines, {
    isIn: (line) => mark(line) !== "@" && line.trim().length > 1 && indentOf(line) / unit > depth,
    isSame: (one, other) => mark(one) === mark(other),
    keep: 1,
    what: "inner lines",
  });
}

/** Fewer characters are shown instead of a marker. */
const WORTH_A_MARKER = 80;

function replaceRuns(
  lines: DiffLines,
  options: {
    isIn: (line: string, at: number) => boolean;
    isSame: (one: string, other: string) => boolean;
    /** lines of a run that stay, at its start */
    keep: number;
    /** a name for the lines, as the marker shows it */
    what: string;
  },
): string[] {
  const shownLines: string[] = [];
  let run: string[] = [];
  const close = () => {
    const omittedLines = run.slice(options.keep);
    if (omittedLines.join("\n").length <= WORTH_A_MARKER) shownLines.push(...run);
    else
      shownLines.push(
        ...run.slice(0, options.keep),
        `${mark(run[0] ?? "")} [… ${options.what} left out: ${omittedLines.length}]`,
      );
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    const isIn = options.isIn(line, index);
    if (!isIn || (run[0] !== undefined && !options.isSame(run[0], line))) close();
    if (isIn) run.push(line);
    else shownLines.push(line);
  }
  close();
  return shownLines;
}

const indentOf = (line: string): number => (/^.([ \t]*)/.exec(line)?.[1] ?? "").replaceAll("\t", "    ").length;

function indentUnit(lines: DiffLines): number {
  const indents = lines.filter((line) => mark(line) !== "@" && line.trim().length > 1).map(indentOf);
  return Math.min(8, Math.max(2, Math.min(...indents.filter((indent) => indent > 1), 8)));
}

/** Lines of more than `max` characters, reduced to the changed part, or to their beginning. */
export function clipLines(lines: DiffLines, max: number): DiffLines {
  if (lines.every(({length}) => length <= max)) return lines;
  const partners = findPartners(lines);
  return lines.map((line, at) => {
    if (line.length <= max) return line;
    const partner = partners[at];
    const start = partner === undefined ? 0 : firstDifference(line, lines[partner] ?? "");
    return clipFrom(line, {start, max});
  });
}

/** For each line the index of its counterpart: the line at the same place in the run of the other sign. */
function findPartners(lines: DiffLines): (number | undefined)[] {
  const partners: (number | undefined)[] = Array(lines.length).fill(undefined);
  let [removed, added] = [0, 0];
  lines.forEach((line, at) => {
    const sign = mark(line);
    if (sign === "-") [removed, added] = added > 0 ? [1, 0] : [removed + 1, 0];
    else if (sign !== "+") [removed, added] = [0, 0];
    else if (added++ < removed) {
      const partner = at - removed;
      partners[at] = partner;
      partners[partner] = at;
    }
  });
  return partners;
}

function firstDifference(one: string, other: string): number {
  let at = 1;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function clipFrom(line: string, {start, max}: {start: number; max: number}): string {
  const charsBefore = Math.min(start, Math.floor(max / 4));
  const from = start - charsBefore;
  const text = line.slice(Math.max(1, from), from + max).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  const hiddenBefore = from <= 1 ? "" : `[… ${from - 1} characters left out] `;
  const rest = line.length - (from + max);
  return `${line[0]}${hiddenBefore}${text}${rest > 0 ? ` [… ${rest} characters left out]` : ""}`;
}

/** The content of a part's change without its place: equal for the places of one mechanical change. */
export function changeOf({lines}: Pick<DiffPart, "lines">): string {
  const changes = new Set<string>();
  const partners = findPartners(lines);
  lines.forEach((line, at) => {
    const sign = mark(line);
    if (sign !== "+" && sign !== "-") return;
    const partner = partners[at];
    if (partner === undefined) changes.add(line.trim());
    else if (sign === "+") changes.add(wordChange((lines[partner] ?? "").slice(1), line.slice(1)));
  });
  return [...changes].sort().join("\n");
}

/** The words between the equal beginning and the equal end of two lines. */
function wordChange(before: string, after: string): string {
  const [from, to] = [before.match(/\w+|\s+|[^\w\s]/g) ?? [], after.match(/\w+|\s+|[^\w\s]/g) ?? []];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  return `${from.slice(start, from.length - end).join("")} → ${to.slice(start, to.length - end).join("")}`;
}
