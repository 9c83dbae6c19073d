/** Chooses the lines of a log that are most useful to fix the failure, within a number of characters. */

import type {Problem} from "./blocks.ts";
import {groupProblems} from "./group-duplicates.ts";
import {bodyAt, type LogLines, textAt, wholeCharacters} from "./lines.ts";
import {isPassingWarning} from "./passing-warnings.ts";
import {isChatter} from "./score-lines.ts";
import {findSections} from "./sections.ts";
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

/** Fewer problems than this are shown as the tool printed them. */
const FOLD_FROM = 20;
/** A grouped list is harder to read than its lines, so it must be this much shorter. */
const FOLD_GAIN = 0.45;
/** A list is grouped only if the log has little else, so that no other failure is crowded out. */
const FOLD_SHARE = 0.12;
/** The share of an excerpt for other lines in addition to a grouped list. */
const BESIDE_FOLD = 0.04;

interface ScoredLog {
  readonly lines: LogLines;
  readonly flags: Int32Array;
  readonly problems: readonly Problem[];
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
  const folded = foldProblems(options);
  if (folded === null) return cut(render(options.lines, choose(options)), options.maxChars);
  const otherLines = choose({...options, scores: folded.scores, maxChars: options.maxChars - folded.text.length - 2});
  return cut(`${folded.text}\n\n${render(options.lines, otherLines)}`, options.maxChars);
}

function isWithinLimit(lines: LogLines, maxChars: number): boolean {
  let chars = -1;
  for (let index = 0; index < lines.count; index++) {
    chars += (lines.ends[index] ?? 0) - (lines.starts[index] ?? 0) + 1;
    if (chars > maxChars) return false;
  }
  return true;
}

function foldProblems(options: ScoredLog): {text: string; scores: Float64Array} | null {
  const single = options.problems.filter((problem) => !problem.isBlock);
  const hasError = single.some(({diagnostic}) => diagnostic.severity === "error");
  const listedProblems = single.filter((problem) => !(hasError && isPassingWarning(problem.diagnostic)));
  if (listedProblems.length < Math.max(FOLD_FROM, options.lines.count * FOLD_SHARE)) return null;
  const entries = listedProblems.map(({diagnostic, from}) => ({
    diagnostic,
    text: textAt(options.lines, from).trimEnd(),
  }));
  const chars = [...new Set(entries.map(({text}) => text))].reduce((sum, text) => sum + text.length + 1, 0);
  if (chars < options.maxChars * 0.6) return null;
  const text = groupProblems(entries, Math.floor(options.maxChars * (1 - BESIDE_FOLD)));
  if (text.length > chars * FOLD_GAIN) return null;
  // In the log of a whole CI job, the problems of one step must not crowd out the failure of another.
  if (findSections(options.lines, options.flags).some((section) => section.failed)) return null;
  const scores = options.scores.slice();
  for (const {from} of single) scores[from] = 0;
  return {text, scores};
}

/** Picks lines by score until the excerpt is full. A second round uses the room that small gaps leave. */
function choose(options: Pick<ScoredLog, "lines" | "scores" | "maxChars">): Uint8Array {
  const order = bestLines(options.scores, Math.ceil(options.maxChars / SHORTEST_CHARS));
  const chosenLines = new Uint8Array(options.lines.count);
  const texts = new Map<string, number>();
  let room = options.maxChars - MARKER_CHARS;
  for (let round = 0; round < 3 && room > 40; round++) {
    pick({lines: options.lines, order, chosenLines, texts, room});
    fillSmallGaps(options.lines, chosenLines);
    room = options.maxChars - render(options.lines, chosenLines).length - MARKER_CHARS;
  }
  removeExcess({...options, order, chosenLines});
  addNeighbours({...options, chosenLines});
  return chosenLines;
}

/**
 * Fills the rest of the room with the lines around those that are shown, one line further from all of them at a time:
 * what a failure means is mostly said next to it.
 */
function addNeighbours({
  lines,
  scores,
  maxChars,
  chosenLines,
}: Pick<ScoredLog, "lines" | "scores" | "maxChars"> & {chosenLines: Uint8Array}): void {
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

/** Lines that filled small gaps may take too much room. Then the worst lines are left out, so that no line is cut. */
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

function pick(options: {
  lines: LogLines;
  order: readonly number[];
  chosenLines: Uint8Array;
  texts: Map<string, number>;
  room: number;
}): void {
  const {chosenLines, texts} = options;
  let room = options.room;
  for (const index of options.order) {
    if (room < 40) return;
    if (chosenLines[index] === 1) continue;
    const text = excerptLine(options.lines, index);
    const shape = equalityKey(text);
    // A bracket or a blank line is not informative alone: it is shown only if it fills a small gap.
    if (!hasWord(shape)) continue;
    const sameLine = texts.get(shape);
    const addedChars = text.length - excerptLine(options.lines, sameLine ?? index).length;
    if (sameLine !== undefined && addedChars <= 0) continue;
    const gaps = (chosenLines[index - 1] === 1 || index === 0 ? 0 : 1) + (chosenLines[index + 1] === 1 ? 0 : 1) - 1;
    const cost = sameLine === undefined ? text.length + 1 + gaps * MARKER_CHARS : addedChars;
    if (cost > room) continue;
    room -= cost;
    if (sameLine !== undefined) chosenLines[sameLine] = 0;
    chosenLines[index] = 1;
    texts.set(shape, index);
  }
}

/** Shows a gap that is shorter than its marker. */
function fillSmallGaps(lines: LogLines, chosenLines: Uint8Array): void {
  for (let from = 0; from <= lines.count; ) {
    const next = chosenLines.indexOf(1, from);
    const index = next < 0 ? lines.count : next;
    if (index - from <= 3) {
      let chars = 0;
      for (let gap = from; gap < index; gap++) chars += excerptLine(lines, gap).length + 1;
      if (chars <= MARKER_CHARS) chosenLines.fill(1, from, index);
    }
    from = index + 1;
  }
}

/** A line as the excerpt shows it: without trailing blanks, and with narrow gaps. */
function excerptLine(lines: LogLines, index: number): string {
  return textAt(lines, index)
    .trimEnd()
    .replace(/(\S) {4,}/g, "$1   ");
}

/** Lines that differ only in blanks or a `[ERROR]` in front count as equal; the longer one is kept. */
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
    const isBlank = saysNothing(lines, from, to);
    const marker = isBlank ? "" : `[… ${to - from} ${to - from === 1 ? "line" : "lines"}${ending}`;
    const line = to - from === 1 ? excerptLine(lines, from) : null;
    const isShown = line !== null && line.length <= marker.length;
    excerptLines.push(isShown ? line : marker);
    if (!isBlank && !isShown) ending = " …]";
  };
  for (let index = chosenLines.indexOf(1); index >= 0; index = chosenLines.indexOf(1, from)) {
    leaveOut(index);
    excerptLines.push(excerptLine(lines, index));
    from = index + 1;
  }
  leaveOut(lines.count);
  return excerptLines.join("\n");
}

function saysNothing(lines: LogLines, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (equalityKey(bodyAt(lines, index)) !== "") return false;
  return true;
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : wholeCharacters(text.slice(0, maxChars));
}
