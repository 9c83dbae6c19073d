/** Chooses, within a number of characters, the lines of a log that a reader needs to repair the failure. */

import type {Problem} from "./blocks.ts";
import {fold} from "./group-duplicates.ts";
import {bodyAt, type Lines, textAt, wholeCharacters} from "./lines.ts";
import {findSections} from "./sections.ts";

/** Room that one "lines left out" marker takes. */
const MARKER_CHARS = 28;

/** What a line takes at least, on the whole; it bounds how many lines are considered. */
const SHORTEST_CHARS = 4;

/** Fewer problems than this are shown as the tool printed them. */
const FOLD_FROM = 20;
/** A folded list is worth its strangeness only where it is this much shorter than the lines it stands for. */
const FOLD_GAIN = 0.45;
/** Only where a log is little else than such problems, so that no other failure is pushed aside. */
const FOLD_SHARE = 0.12;
/** What is left for other lines beside a folded list. */
const BESIDE_FOLD = 0.04;

/** Takes the lines and what each is worth; gives the best of them in order, gaps marked, at most `maxChars` UTF-16 units. */
export function shorten(o: {
  lines: Lines;
  hints: Int32Array;
  problems: readonly Problem[];
  worth: Float64Array;
  maxChars: number;
}): string {
  if (fits(o.lines, o.maxChars)) return o.lines.starts.map((_, at) => textAt(o.lines, at)).join("\n");
  const folded = foldProblems(o);
  if (folded === null) return cut(render(o.lines, choose(o)), o.maxChars);
  const rest = choose({...o, worth: folded.worth, maxChars: o.maxChars - folded.text.length - 2});
  return cut(`${folded.text}\n\n${render(o.lines, rest)}`, o.maxChars);
}

function fits(lines: Lines, maxChars: number): boolean {
  let chars = -1;
  for (let at = 0; at < lines.count; at++) {
    chars += (lines.ends[at] ?? 0) - (lines.starts[at] ?? 0) + 1;
    if (chars > maxChars) return false;
  }
  return true;
}

function foldProblems(o: {
  lines: Lines;
  hints: Int32Array;
  problems: readonly Problem[];
  worth: Float64Array;
  maxChars: number;
}): {text: string; worth: Float64Array} | null {
  const single = o.problems.filter((problem) => !problem.isBlock);
  if (single.length < Math.max(FOLD_FROM, o.lines.count * FOLD_SHARE)) return null;
  const verbatim = new Set(single.map((problem) => textAt(o.lines, problem.from)));
  const chars = [...verbatim].reduce((sum, text) => sum + text.length + 1, 0);
  if (chars < o.maxChars * 0.6) return null;
  const text = fold(
    single.map((problem) => problem.diagnostic),
    Math.floor(o.maxChars * (1 - BESIDE_FOLD)),
  );
  if (text.length > chars * FOLD_GAIN) return null;
  // In the log of a whole CI job the problems of one step must not push the failure of another aside.
  if (findSections(o.lines, o.hints).some((section) => section.failed)) return null;
  const worth = o.worth.slice();
  for (const {from} of single) worth[from] = 0;
  return {text, worth};
}

/** Picks lines by worth until the room is used; what small gaps give back is used in a second round. */
function choose(o: {lines: Lines; worth: Float64Array; maxChars: number}): Uint8Array {
  const order = best(o.worth, Math.ceil(o.maxChars / SHORTEST_CHARS));
  const kept = new Uint8Array(o.lines.count);
  const texts = new Map<string, number>();
  let room = o.maxChars - MARKER_CHARS;
  for (let round = 0; round < 3 && room > 40; round++) {
    pick({lines: o.lines, order, kept, texts, room});
    fillSmallGaps(o.lines, kept);
    room = o.maxChars - render(o.lines, kept).length - MARKER_CHARS;
  }
  return kept;
}

/** The places of the `most` best lines, best first. */
function best(worth: Float64Array, most: number): number[] {
  const least = worth.length > most ? (worth.toSorted().at(-most) ?? 0) : 0;
  const order: number[] = [];
  worth.forEach((value, at) => {
    if (value > 0 && value >= least) order.push(at);
  });
  return order.sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b).slice(0, most);
}

function pick(o: {
  lines: Lines;
  order: readonly number[];
  kept: Uint8Array;
  texts: Map<string, number>;
  room: number;
}): void {
  const {kept, texts} = o;
  let room = o.room;
  for (const at of o.order) {
    if (room < 40) return;
    if (kept[at] === 1) continue;
    const text = shown(o.lines, at);
    // A blank line is shown where it fills a small gap.
    if (text === "") continue;
    const shape = sameness(text) || text;
    const twin = shape.length > 3 ? texts.get(shape) : undefined;
    const more = text.length - shown(o.lines, twin ?? at).length;
    if (twin !== undefined && more <= 0) continue;
    const gaps = (kept[at - 1] === 1 || at === 0 ? 0 : 1) + (kept[at + 1] === 1 ? 0 : 1) - 1;
    const cost = twin === undefined ? text.length + 1 + gaps * MARKER_CHARS : more;
    if (cost > room) continue;
    room -= cost;
    if (twin !== undefined) kept[twin] = 0;
    kept[at] = 1;
    texts.set(shape, at);
  }
}

/** A gap that is shorter than its marker is shown instead. */
function fillSmallGaps(lines: Lines, kept: Uint8Array): void {
  let from = 0;
  for (let at = 0; at <= lines.count; at++) {
    if (at < lines.count && kept[at] !== 1) continue;
    if (at - from <= 3) {
      let chars = 0;
      for (let gap = from; gap < at; gap++) chars += shown(lines, gap).length + 1;
      if (chars <= MARKER_CHARS) kept.fill(1, from, at);
    }
    from = at + 1;
  }
}

/** A line as the excerpt shows it: without trailing blanks, wide gaps inside narrowed. */
function shown(lines: Lines, at: number): string {
  return textAt(lines, at)
    .trimEnd()
    .replace(/(\S) {4,}/g, "$1   ");
}

/** Lines that differ in blanks or in a `[ERROR]` in front say the same; the longer one is kept. */
function sameness(text: string): string {
  return text
    .replace(/^\[[A-Z]+\] */, "")
    .replace(/\s+/g, " ")
    .trim();
}

function render(lines: Lines, kept: Uint8Array): string {
  const out: string[] = [];
  let from = 0;
  const leaveOut = (to: number): void => {
    if (to > from)
      out.push(saysNothing(lines, from, to) ? "" : `[… ${to - from} ${to - from === 1 ? "line" : "lines"} left out …]`);
  };
  for (let at = kept.indexOf(1); at >= 0; at = kept.indexOf(1, from)) {
    leaveOut(at);
    out.push(shown(lines, at));
    from = at + 1;
  }
  leaveOut(lines.count);
  return out.join("\n");
}

function saysNothing(lines: Lines, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (sameness(bodyAt(lines, at)) !== "") return false;
  return true;
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : wholeCharacters(text.slice(0, maxChars));
}
