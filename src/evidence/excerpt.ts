/** Chooses, within a number of characters, the lines of a log that a reader needs to repair the failure. */
import {type Line, wholeCharacters} from "./lines.ts";

/** Room that one "lines left out" marker takes. */
const MARKER_CHARS = 28;

/** Takes the lines and what each is worth; gives them in order, gaps marked, never longer than `maxChars` UTF-16 units. */
export function excerpt(o: {lines: readonly Line[]; worth: Float64Array; maxChars: number}): string {
  const whole = o.lines.map((line) => line.text).join("\n");
  if (whole.length <= o.maxChars) return whole;
  const kept = choose(o);
  return cut(render(o.lines, kept), o.maxChars);
}

function choose(o: {lines: readonly Line[]; worth: Float64Array; maxChars: number}): Uint8Array {
  const order = Array.from(o.worth.keys()).filter((at) => (o.worth[at] ?? 0) > 0);
  order.sort((a, b) => (o.worth[b] ?? 0) - (o.worth[a] ?? 0) || a - b);
  const kept = new Uint8Array(o.lines.length);
  const texts = new Set<string>();
  let room = o.maxChars - MARKER_CHARS;
  for (const at of order) {
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
