/** Lists the parts of a change that a shortened diff hides, for the report: a mark in the diff itself is seen by the judge only. */
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

/** The files whose content git does not show: one NUL makes a file with code binary, and a pointer is not content. */
export function nameUnseenContents(parts: readonly DiffPart[]): string[] {
  return parts.flatMap(({path, head, lines}) => {
    const kind = KINDS.find(({isIn}) => isIn({head, lines}));
    return kind === undefined ? [] : [`${path} (${kind.name})`];
  });
}

const POINTER = /^[+ ]version https:\/\/git-lfs\.github\.com\/spec\/v1$/;
const hasLine = (lines: DiffLines, pattern: RegExp) => lines.some((line) => pattern.test(line));

const KINDS: readonly {name: string; isIn: (part: Pick<DiffPart, "head" | "lines">) => boolean}[] = [
  {name: "binary", isIn: ({head}) => /\nBinary files [^\n]* differ$|\nGIT binary patch(?:\n|$)/.test(head)},
  {name: "submodule", isIn: ({head, lines}) => /\s160000$/m.test(head) && hasLine(lines, /^\+Subproject commit /)},
  {name: "Git LFS", isIn: ({lines}) => hasLine(lines, POINTER) && hasLine(lines, /^\+oid sha256:[0-9a-f]{64}$/)},
];
