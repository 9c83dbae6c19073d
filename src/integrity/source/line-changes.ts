/** The lines that a change adds to a file and removes from it, by content: a line that only moves is neither. */
import {cacheLatest} from "../../test-code/text/cache-latest.ts";

export interface ChangedLine {
  readonly number: number;
  readonly text: string;
}

export interface LineChanges {
  readonly added: readonly ChangedLine[];
  readonly removed: readonly ChangedLine[];
}

export const compareLines = cacheLatest(
  (before: string | null, after: string | null): LineChanges => ({
    added: linesMissingIn(after, before),
    removed: linesMissingIn(before, after),
  }),
);

function linesMissingIn(text: string | null, other: string | null): ChangedLine[] {
  const counts = new Map<string, number>();
  for (const line of linesOf(other)) {
    const content = line.trim();
    counts.set(content, (counts.get(content) ?? 0) + 1);
  }
  return linesOf(text).flatMap((line, index) => {
    const content = line.trim();
    const count = counts.get(content) ?? 0;
    if (count > 0) counts.set(content, count - 1);
    return count > 0 || content === "" ? [] : [{number: index + 1, text: line}];
  });
}

function linesOf(text: string | null): string[] {
  return text === null ? [] : text.split(/\r?\n/);
}
