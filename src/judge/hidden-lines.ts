/** Names what a shortened diff hides of a change, for the report: a mark in the diff itself is seen by the judge only. */
import type {DiffLines, DiffPart} from "./diff-parts.ts";

const INNER_LINES = / inner lines left out: \d+\]$/;

/** The files with added lines that are not, or not completely, in the shown lines of their part. */
export function nameHiddenLines(parts: readonly DiffPart[], shown: readonly (DiffLines | null)[]): string[] {
  const names = parts.flatMap(({path, lines}, at) => {
    const shownLines = shown[at];
    if (!shownLines || !lacksAddedLine(lines, shownLines)) return [];
    return shownLines.some((line) => INNER_LINES.test(line)) ? `inner lines of ${path}` : `some added lines of ${path}`;
  });
  return [...new Set(names)];
}

function lacksAddedLine(lines: DiffLines, shownLines: DiffLines): boolean {
  if (lines === shownLines) return false;
  const counts = new Map<string, number>();
  for (const line of shownLines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.some((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return line.startsWith("+") && count === 0;
  });
}

/** The files of which git shows no content: one NUL makes a file with code binary. */
export function nameBinaryFiles(parts: readonly DiffPart[]): string[] {
  return parts
    .filter(({head}) => /\nBinary files [^\n]* differ$|\nGIT binary patch(?:\n|$)/.test(head))
    .map(({path}) => `${path} (binary)`);
}
