/** Shortens a diff to an excerpt: shortens or leaves out parts, the least important first, until it is short enough. */
import {scoreByTfIdf} from "../specs/scorers/tf-idf.ts";
import {changeOf, isImport, summarize} from "./condense.ts";
import {type DiffLines, type DiffPart, nameParts, renderDiff} from "./diff-parts.ts";
import {nameHiddenLines, nameUnseenContents} from "./hidden-lines.ts";

type Group = "code" | "rest";

/** The shown part of a diff, in its order, and the names of what was left out. */
export interface DiffExcerpt {
  readonly text: string;
  readonly cut: string[];
}

/** Each change stops as soon as `isEnough`. */
interface ShrinkingExcerpt {
  readonly isWithin: (group: Group | "all", max: number) => boolean;
  readonly shorten: (
    group: Group | "all",
    isEnough: () => boolean,
    how: (lines: DiffLines, part: number) => DiffLines,
  ) => void;
  /** whole files are replaced by their number of lines */
  readonly summarizeFiles: (isConcerned: (part: DiffPart) => boolean, isEnough: () => boolean) => void;
  /** with `keepsFirst`, the nearest part of each file stays */
  readonly leaveOut: (group: Group, isEnough: () => boolean, options?: {keepsFirst: boolean}) => void;
  readonly result: () => DiffExcerpt;
}

/**
 * The parts that are nearest to the points are the most important ones. `whole` has the same parts with uncut lines.
 */
export function openExcerpt(options: {
  whole: readonly DiffPart[];
  parts: readonly DiffPart[];
  points: readonly string[];
}): ShrinkingExcerpt {
  const {whole: wholeParts, parts, points} = options;
  const {shown: shownLines, size, replace} = openShownParts(parts);
  const summarizedParts = new Set<number>();
  const leastImportantFirst = rankParts(parts, points).reverse();
  const isShownIn = (group: Group | "all") => (at: number) =>
    shownLines[at] !== null && (group === "all" || groupOf(parts[at]) === group);

  return {
    isWithin: (group, max) => (group === "all" ? size.code + size.rest : size[group]) <= max,
    shorten(group, isEnough, how) {
      for (const partIndex of leastImportantFirst.filter(isShownIn(group))) {
        if (isEnough()) return;
        const previousLines = shownLines[partIndex] ?? [];
        const lines = how(previousLines, partIndex);
        if (lengthOf(lines) < lengthOf(previousLines)) replace(partIndex, lines);
      }
    },
    summarizeFiles(isConcerned, isEnough) {
      for (const [first, ...otherIndices] of partsOfFiles(parts, isConcerned)) {
        if (isEnough()) return;
        if (first === undefined) continue;
        const allLines = [first, ...otherIndices].flatMap((at) => parts[at]?.lines ?? []);
        for (const partIndex of otherIndices) if (shownLines[partIndex] !== null) replace(partIndex, null);
        replace(first, summarize(allLines));
        summarizedParts.add(first);
      }
    },
    leaveOut(group, isEnough, {keepsFirst} = {keepsFirst: false}) {
      const keptFiles = new Set<string>();
      const nearest = new Set(
        leastImportantFirst.toReversed().filter((at) => {
          const {head = ""} = parts[at] ?? {};
          return !keptFiles.has(head) && keptFiles.add(head);
        }),
      );
      for (const partIndex of leastImportantFirst.filter(isShownIn(group))) {
        if (isEnough()) return;
        if (!keepsFirst || !nearest.has(partIndex)) replace(partIndex, null);
      }
    },
    result: () => toExcerpt({whole: wholeParts, parts, shown: shownLines, summarizedParts}),
  };
}

/** The shown lines, and the names of all parts and places that are not shown completely. */
function toExcerpt(options: {
  whole: readonly DiffPart[];
  parts: readonly DiffPart[];
  shown: readonly (DiffLines | null)[];
  summarizedParts: ReadonlySet<number>;
}): DiffExcerpt {
  const {whole, parts, shown, summarizedParts} = options;
  const shownParts = parts.flatMap((part, at) => (shown[at] ? [{...part, lines: shown[at]}] : []));
  const linesOfCompleteFiles = shown.map((lines, at) => (summarizedParts.has(at) ? null : lines));
  return {
    text: renderDiff(shownParts),
    cut: [
      ...nameParts(parts.filter((_, at) => shown[at] === null || summarizedParts.has(at))),
      ...nameHiddenLines(whole, linesOfCompleteFiles),
      ...nameUnseenContents(parts.filter((_, at) => shown[at])),
    ],
  };
}

const groupOf = (part: DiffPart | undefined): Group => (part?.kind === "code" ? "code" : "rest");
const lengthOf = (lines: DiffLines): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** The lines of each part, null for an omitted one, and the size of both groups with the headers of their files. */
function openShownParts(parts: readonly DiffPart[]) {
  const shown: (DiffLines | null)[] = parts.map(({lines}) => lines);
  const size: Record<Group, number> = {code: 0, rest: 0};
  const shownInFile = new Map<string, number>();
  for (const part of parts) {
    const otherCount = shownInFile.get(part.head) ?? 0;
    size[groupOf(part)] += lengthOf(part.lines) + (otherCount > 0 ? 0 : part.head.length + 1);
    shownInFile.set(part.head, otherCount + 1);
  }
  const replace = (at: number, lines: DiffLines | null): void => {
    const {head = ""} = parts[at] ?? {};
    const group = groupOf(parts[at]);
    size[group] += lengthOf(lines ?? []) - lengthOf(shown[at] ?? []);
    shown[at] = lines;
    if (lines !== null) return;
    const otherCount = (shownInFile.get(head) ?? 1) - 1;
    shownInFile.set(head, otherCount);
    if (otherCount === 0) size[group] -= head.length + 1;
  };
  return {shown, size, replace};
}

/**
 * The indices of the parts, the nearest to the points first. Imports contain the names that they import, and explain
 * little.
 */
function rankParts(parts: readonly DiffPart[], points: readonly string[]): number[] {
  const texts = parts.map(({path, lines}, at) => ({
    name: path,
    at,
    read: () => Buffer.from(lines.filter((line) => !isImport(line)).join("\n")),
  }));
  const scores = new Map(scoreByTfIdf(points.join("\n"), texts).map(({spec, score}) => [spec.at, score]));
  return [...parts.keys()].sort((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

function partsOfFiles(parts: readonly DiffPart[], isConcerned: (part: DiffPart) => boolean): number[][] {
  const files = new Map<string, number[]>();
  parts.forEach((part, at) => {
    if (part.lines.length === 0 || !isConcerned(part)) return;
    const partsOfFile = files.get(part.head);
    if (partsOfFile === undefined) files.set(part.head, [at]);
    else partsOfFile.push(at);
  });
  return [...files.values()];
}

/** At most this many places of a mechanical change are shown. */
const SHOWN_PLACES = 2;
const SHOWN_CHANGE_CHARS = 100;

/** Replaces the further places of a change that occurs at many places by a reference to the first one. */
export function referToFirstPlace(parts: readonly DiffPart[]): (lines: DiffLines, part: number) => DiffLines {
  const changes = parts.map(changeOf);
  /** only the places that are shown */
  const places = new Map<string, number[]>();
  changes.forEach((change, at) => {
    const shownPlaces = places.get(change);
    if (shownPlaces === undefined) places.set(change, [at]);
    else if (shownPlaces.length < SHOWN_PLACES) shownPlaces.push(at);
  });
  return (lines, at) => {
    const change = changes[at] ?? "";
    const shownPlaces = places.get(change) ?? [];
    const example = parts[shownPlaces[0] ?? -1];
    if (example === undefined || change === "" || shownPlaces.includes(at)) return lines;
    const words = change.replaceAll("\n", ", ").slice(0, SHOWN_CHANGE_CHARS);
    return [lines[0] ?? "", `[the same change as in ${example.path} from line ${example.line}: ${words}]`];
  };
}
