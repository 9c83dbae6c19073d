/** The lines around a failure, as compilers show them. */
import {clip, showInvisible} from "../../markdown/escape.ts";

const LINES_BEFORE = 2;
const LINES_AFTER = 1;
const MAX_COLUMNS = 120;

/** The line with two lines before and one after it, numbered; empty if the file has no such line. */
export function codeFrame(source: string, place: {line: number; column?: number | undefined}): string[] {
  const lines = source.split(/\r\n|\r|\n/);
  if (place.line < 1 || place.line > lines.length) return [];
  const firstLine = Math.max(1, place.line - LINES_BEFORE);
  const shownLines = lines
    .slice(firstLine - 1, place.line + LINES_AFTER)
    .map((text) => showInvisible(text).replaceAll("\t", "  "));
  while (shownLines.length > place.line - firstLine + 1 && shownLines.at(-1)?.trim() === "") shownLines.pop();
  const digits = String(firstLine + shownLines.length - 1).length;
  return shownLines.flatMap((text, index) => {
    const number = firstLine + index;
    const isPlace = number === place.line;
    const row = `${isPlace ? ">" : " "} ${String(number).padStart(digits)} | ${clip(text, MAX_COLUMNS)}`.trimEnd();
    return isPlace ? [row, ...pointer(lines[number - 1] ?? "", place.column, digits)] : [row];
  });
}

/** A caret below the column; none for the first column, which tools also name if they know only the line. */
function pointer(line: string, column: number | undefined, digits: number): string[] {
  if (column === undefined || column < 2 || column > Math.min(line.length + 1, MAX_COLUMNS)) return [];
  const tabs = line.slice(0, column - 1).split("\t").length - 1;
  return [`  ${" ".repeat(digits)} | ${" ".repeat(column - 1 + tabs)}^`];
}
