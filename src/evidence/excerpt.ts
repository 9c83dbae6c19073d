/** Chooses, within a number of characters, the lines of a log that a reader needs to repair the failure. */
import {fold} from "./fold.ts";
import {type Line, wholeCharacters} from "./lines.ts";
import type {Problem} from "./problems.ts";

/** Room that one "lines left out" marker takes. */
const MARKER_CHARS = 28;

/** Fewer problems than this are shown as the tool printed them. */
const FOLD_FROM = 20;
/** A folded list is worth its strangeness only where it is this much shorter than the lines it stands for. */
const FOLD_GAIN = 0.45;
/** What is left for other lines beside a folded list. */
const BESIDE_FOLD = 0.04;

/** Takes the lines and what each is worth; gives the best of them in order, gaps marked, at most `maxChars` UTF-16 units. */
export function shorten(o: {
  lines: readonly Line[];
  problems: readonly Problem[];
  worth: Float64Array;
  maxChars: number;
}): string {
  const whole = o.lines.map((line) => line.text).join("\n");
  if (whole.length <= o.maxChars) return whole;
  const folded = foldProblems(o);
  if (folded === null) return cut(render(o.lines, choose(o)), o.maxChars);
  const rest = choose({...o, worth: folded.worth, maxChars: o.maxChars - folded.text.length - 2});
  return cut(`${folded.text}\n\n${render(o.lines, rest)}`, o.maxChars);
}

function foldProblems(o: {
  lines: readonly Line[];
  problems: readonly Problem[];
  worth: Float64Array;
  maxChars: number;
}): {text: string; worth: Float64Array} | null {
  const single = o.problems.filter((problem) => !problem.isBlock);
  if (single.length < FOLD_FROM) return null;
  const verbatim = new Set(single.map((problem) => o.lines[problem.from]?.text ?? ""));
  const chars = [...verbatim].reduce((sum, text) => sum + text.length + 1, 0);
  if (chars < o.maxChars * 0.6) return null;
  const text = fold(
    single.map((problem) => problem.diagnostic),
    Math.floor(o.maxChars * (1 - BESIDE_FOLD)),
  );
  if (text.length > chars * FOLD_GAIN) return null;
  const worth = Float64Array.from(o.worth);
  for (const {from} of single) worth[from] = 0;
  return {text, worth};
}

function choose(o: {lines: readonly Line[]; worth: Float64Array; maxChars: number}): Uint8Array {
  const order = Array.from(o.worth.keys()).filter((at) => (o.worth[at] ?? 0) > 0);
  order.sort((a, b) => (o.worth[b] ?? 0) - (o.worth[a] ?? 0) || a - b);
  const kept = new Uint8Array(o.lines.length);
  const texts = new Set<string>();
  let room = o.maxChars - MARKER_CHARS;
  for (const at of order) {
    if (room < 12) break;
    const text = o.lines[at]?.text ?? "";
    const shape = text.replace(/\s+/g, " ").trim();
    if (shape.length > 3 && texts.has(shape)) continue;
    const gaps = (kept[at - 1] === 1 || at === 0 ? 0 : 1) + (kept[at + 1] === 1 ? 0 : 1) - 1;
    const cost = text.length + 1 + gaps * MARKER_CHARS;
    if (cost > room) continue;
    room -= cost;
    kept[at] = 1;
    texts.add(shape);
  }
  return kept;
}

function render(lines: readonly Line[], kept: Uint8Array): string {
  const out: string[] = [];
  let left = 0;
  const flush = (): void => {
    if (left > 0) out.push(`[… ${left} ${left === 1 ? "line" : "lines"} left out …]`);
    left = 0;
  };
  lines.forEach((line, at) => {
    if (kept[at] !== 1) {
      left++;
      return;
    }
    flush();
    out.push(line.text);
  });
  flush();
  return out.join("\n");
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : wholeCharacters(text.slice(0, maxChars));
}
