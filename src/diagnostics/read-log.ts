/** Reads a log of any size with limited memory: head, tail, and the lines between them that report failures. */

import {hasLineOver, LINE_CHARS} from "./lines.ts";
import {flagsIn} from "./prefilter.ts";
import {pointsOf} from "./score-lines.ts";

const HEAD_CHARS = 600_000;
const TAIL_CHARS = 1_800_000;
const BETWEEN_CHARS = 600_000;
/** A line between head and tail is kept from this score on, with as many lines after it. */
const WORTH_KEEPING = 8;
const LINES_AFTER = 12;
const NEW_LINE = 10;
/** A UTF-16 unit takes at most three bytes in UTF-8. */
const LINE_BYTES = LINE_CHARS * 2 * 3;
/**
 * Larger chunks are read in parts, so that the garbage of a part can be freed at once. The text of such a part is large
 * enough for V8 not to move it; smaller texts are copied twice before they count as old.
 */
const PART_BYTES = 256 * 1024;

/**
 * Takes chunks of UTF-8 and keeps none of them. Returns a log for `distill` with at most about 3 million characters;
 * gaps are marked.
 */
export async function readLog(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const log = keepLog();
  let remainder: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PART_BYTES) {
      const part = chunk.subarray(from, from + PART_BYTES);
      const end = part.lastIndexOf(NEW_LINE);
      if (end >= 0) log.add(withoutLongLines(textOf(remainder, part.subarray(0, end))));
      // An unfinished line is cut here already, because it may be as long as the log.
      const open = end < 0 ? Buffer.concat([remainder, part]) : part.subarray(end + 1);
      remainder = Uint8Array.from(open.subarray(0, LINE_BYTES));
    }
  }
  if (remainder.length > 0) log.add(textOf(remainder, new Uint8Array()).slice(0, LINE_CHARS * 2));
  return log.text().replace(/^\uFEFF/, "");
}

/** Only whole lines are decoded, so that no character is cut. That takes a sixth of the time of a streaming decoder. */
function textOf(begin: Uint8Array, end: Uint8Array): string {
  const bytes = begin.length === 0 ? Buffer.from(end.buffer, end.byteOffset, end.length) : Buffer.concat([begin, end]);
  return bytes.toString("utf8");
}

function withoutLongLines(text: string): string {
  if (!hasLineOver(LINE_CHARS * 2, text)) return text;
  return text
    .split("\n")
    .map((line) => line.slice(0, LINE_CHARS * 2))
    .join("\n");
}

/** Keeps whole parts instead of lines, because a line of a part would keep the part's memory. */
function keepLog(): {add: (part: string) => void; text: () => string} {
  const head: string[] = [];
  const middleLines: string[] = [];
  const tail: string[] = [];
  const chars = {head: 0, between: 0, tail: 0};
  let linesAfter = 0;
  let droppedBytes = 0;

  const leaveTail = (line: string): void => {
    const scores = pointsOf(line, flagsIn(line)) >= WORTH_KEEPING;
    linesAfter = scores ? LINES_AFTER : linesAfter - 1;
    if (linesAfter < 0 || chars.between > BETWEEN_CHARS) {
      droppedBytes++;
      return;
    }
    if (droppedBytes > 0) middleLines.push(`[… ${droppedBytes} lines not read …]`);
    droppedBytes = 0;
    middleLines.push(ownCopy(line));
    chars.between += line.length + 1;
  };
  return {
    add: (part) => {
      if (chars.head < HEAD_CHARS) {
        head.push(part);
        chars.head += part.length + 1;
        return;
      }
      const newestPart = tail.at(-1);
      // A program that writes line by line creates small parts, and a long list of them is slow to shift.
      if (newestPart !== undefined && newestPart.length + part.length < PART_BYTES)
        tail[tail.length - 1] = `${newestPart}\n${part}`;
      else tail.push(part);
      chars.tail += part.length + 1;
      for (let oldest = tail[0]; oldest !== undefined && chars.tail - oldest.length > TAIL_CHARS; oldest = tail[0]) {
        tail.shift();
        chars.tail -= oldest.length + 1;
        for (const line of oldest.split("\n")) leaveTail(line);
      }
    },
    text: () => {
      const gap = droppedBytes > 0 ? [`[… ${droppedBytes} lines not read …]`] : [];
      return [...head, ...middleLines, ...gap, ...tail].join("\n");
    },
  };
}

/** A substring keeps the whole string in memory; a copy does not. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}
