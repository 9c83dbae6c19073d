/** Splits shell text into the lines that a shell reads as one. */
import {splitShell} from "../../shell/split.ts";

const MAX_LINES = 400;
/** A command may hold a document, such as the JSON that it sends. */
const MAX_JOINED = 120;

/** Lines with continuations and open quotes joined, and without here-documents. */
export function logicalLines(text: string): string[] {
  const lines: string[] = [];
  const physical = text.slice(0, 20_000).replaceAll("\r\n", "\n").split("\n").slice(0, MAX_LINES);
  for (let i = 0; i < physical.length; i++) {
    let line = (physical[i] ?? "").replace(HERE_STRING, "");
    const end = /<<-?\s*['"\\]?([A-Za-z_]\w*)/.exec(line)?.[1];
    if (end !== undefined) {
      const stop = physical.findIndex((other, at) => at > i && other.trim() === end);
      i = stop < 0 ? physical.length : stop;
      lines.push(line.replace(HERE_DOCUMENT, ""));
      continue;
    }
    const lastIndex = Math.min(i + MAX_JOINED, physical.length - 1);
    let joined = i;
    while (joined < lastIndex && (/\\\s*$/.test(line) || isOpen(line))) line = `${line}\n${physical[++joined] ?? ""}`;
    // A quote that never closes may be an apostrophe: only its own line is lost.
    if (!isOpen(line)) i = joined;
    const closing = OPENS_ARRAY.test(line)
      ? physical.findIndex((other, at) => at > i && /^[^#]*\)\s*(?:#.*)?$/.test(other))
      : -1;
    if (closing > i && closing <= lastIndex) {
      const items = physical.slice(i + 1, closing + 1).map((other) => other.replace(/(^|\s)#.*$/, "").trim());
      line = [line, ...items].filter((item) => item !== "").join("\n");
      i = closing;
    }
    lines.push(line);
  }
  return lines;
}

/** A list of words that continues on the next lines. */
const OPENS_ARRAY = /^\s*\w+\+?=\([^()]*$/;

const HERE_STRING = /<<<\s*("[^"]*"|'[^']*'|[^\s;&|)]+)/g;
const HERE_DOCUMENT = /\d?<<-?\s*(['"\\]?)[A-Za-z_]\w*\1?/g;

const isOpen = (line: string): boolean => line.length < 4000 && splitShell(line) === null;
