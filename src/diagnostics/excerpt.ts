/** Chooses the lines of a log that are most useful to fix the failure, within a number of characters. */

import {bodyAt, type LogLines, textAt, wholeCharacters} from "./lines.ts";
import {isChatter} from "./score-lines.ts";
import {ENOUGH, NEVER} from "./useless-lines.ts";

/** About the length of one "lines left out" marker. */
const MARKER_CHARS = 26;

/** Lines further from those that explain the failure are rarely about it. */
const REACH = 30;

/** The average line is at least this long, which limits how many lines are considered. */
const SHORTEST_CHARS = 4;

/**
 * A line without a letter or a digit is not informative. The first pattern compiles in a small part of the second's
 * time.
 */
const ASCII_WORD = /[A-Za-z\d]/;
const WORD = /[\p{L}\p{N}]/u;

interface ScoredLog {
  readonly lines: LogLines;
  readonly scores: Float64Array;
  readonly maxChars: number;
}

/**
 * Takes the lines and the score of each. Returns the best of them in order, with marked gaps, at most `maxChars` UTF-16
 * units.
 */
export function shorten(options: ScoredLog): string {
  if (isWithinLimit(options.lines, options.maxChars))
    return options.lines.starts.map((_, index) => textAt(options.lines, index)).join("\n");
  return cut(render(options.lines, choose(options)), options.maxChars);
}

function isWithinLimit(lines: LogLines, maxChars: number): boolean {
  let chars = -1;
  for (let index = 0; index < lines.count; index++) {
    chars += (lines.ends[index] ?? 0) - (lines.starts[index] ?? 0) + 1;
    if (chars > maxChars) return false;
  }
  return true;
}

/** Picks lines by score until the excerpt is full. */
function choose(options: ScoredLog): Uint8Array {
  const order = bestLines(options.scores, Math.ceil(options.maxChars / SHORTEST_CHARS));
  const chosenLines = new Uint8Array(options.lines.count);
  pick({...options, order, chosenLines});
  removeExcess({...options, order, chosenLines});
  addNeighbours({...options, chosenLines});
  return chosenLines;
}

/**
 * Fills the rest of the room with the lines around those that are shown, one line further from all of them at a time:
 * what a failure means is mostly said next to it.
 */
function addNeighbours({lines, scores, maxChars, chosenLines}: ScoredLog & {chosenLines: Uint8Array}): void {
  let room = maxChars - render(lines, chosenLines).length;
  let edges = [...chosenLines.keys()].filter((index) => chosenLines[index] === 1);
  for (let distance = 1; distance <= REACH && edges.length > 0; distance++) {
    const added: number[] = [];
    for (const edge of edges)
      for (const index of [edge - 1, edge + 1]) {
        if (index < 0 || index >= lines.count || chosenLines[index] === 1) continue;
        if (scores[index] === NEVER || isChatter(bodyAt(lines, index))) continue;
        const cost = excerptLine(lines, index).length + 1;
        if (cost > room) continue;
        room -= cost;
        chosenLines[index] = 1;
        added.push(index);
      }
    edges = added;
  }
}

/** The marks of the gaps may take too much room. Then the worst lines are left out, so that no line is cut. */
function removeExcess(
  options: Pick<ScoredLog, "lines" | "maxChars"> & {order: readonly number[]; chosenLines: Uint8Array},
): void {
  const {lines, order, chosenLines, maxChars} = options;
  for (const index of order.toReversed()) {
    if (chosenLines[index] === 0) continue;
    if (render(lines, chosenLines).length <= maxChars) return;
    chosenLines[index] = 0;
  }
}

/** The indexes of the `most` best lines, best first. */
function bestLines(scores: Float64Array, most: number): number[] {
  const order: number[] = [];
  for (let index = 0; index < scores.length; index++) if ((scores[index] ?? 0) > ENOUGH) order.push(index);
  return order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, most);
}

function pick(options: {lines: LogLines; order: readonly number[]; chosenLines: Uint8Array; maxChars: number}): void {
  const {lines, chosenLines} = options;
  const shown = new Set<string>();
  let room = options.maxChars - MARKER_CHARS;
  for (const index of options.order) {
    if (room < 40) return;
    const text = excerptLine(lines, index);
    const shape = equalityKey(text);
    // A bracket or a blank line is not informative alone.
    if (!hasWord(shape) || shown.has(shape)) continue;
    const gaps = (chosenLines[index - 1] === 1 || index === 0 ? 0 : 1) + (chosenLines[index + 1] === 1 ? 0 : 1) - 1;
    const cost = text.length + 1 + gaps * MARKER_CHARS;
    if (cost > room) continue;
    room -= cost;
    chosenLines[index] = 1;
    shown.add(shape);
  }
}

/** A line as the excerpt shows it. */
const excerptLine = (lines: LogLines, index: number): string => textAt(lines, index).trimEnd();

/** Lines that differ only in blanks or a `[ERROR]` in front count as equal. */
function equalityKey(text: string): string {
  return text
    .replace(/^\[[A-Z]+\] */, "")
    .replace(/\s+/g, " ")
    .trim();
}

const hasWord = (text: string): boolean => ASCII_WORD.test(text) || WORD.test(text);

function render(lines: LogLines, chosenLines: Uint8Array): string {
  const excerptLines: string[] = [];
  let from = 0;
  // The first marker of an excerpt explains the shorter ones, which leave room for lines.
  let ending = " left out …]";
  const leaveOut = (to: number): void => {
    if (to <= from) return;
    const marker = `[… ${to - from} ${to - from === 1 ? "line" : "lines"}${ending}`;
    const line = to - from === 1 ? excerptLine(lines, from) : null;
    const isShown = line !== null && line.length <= marker.length;
    excerptLines.push(isShown ? line : marker);
    if (!isShown) ending = " …]";
  };
  for (let index = chosenLines.indexOf(1); index >= 0; index = chosenLines.indexOf(1, from)) {
    leaveOut(index);
    excerptLines.push(excerptLine(lines, index));
    from = index + 1;
  }
  leaveOut(lines.count);
  return excerptLines.join("\n");
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : wholeCharacters(text.slice(0, maxChars));
}
