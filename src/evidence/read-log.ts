/** Reads a log of any size from a stream in bounded memory: its head, its tail, and the lines between that speak of failure. */
import {pointsOf} from "./generic.ts";
import {LINE_CHARS} from "./lines.ts";

const HEAD_CHARS = 1_000_000;
const TAIL_CHARS = 3_000_000;
const BETWEEN_CHARS = 1_000_000;
/** Points from which a line between head and tail is kept, with as many lines after it. */
const WORTH_KEEPING = 8;
const LINES_AFTER = 12;

/** Takes chunks of UTF-8; gives a log that `distill` can take, at most about 5 million characters. Left-out parts are marked. */
export async function readLog(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const log = keepLog();
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, {stream: true});
    const end = text.lastIndexOf("\n");
    if (end >= 0) log.add(text.slice(0, end));
    // A line without an end is cut here already: it may be as long as the log.
    rest = text.slice(end + 1).slice(0, LINE_CHARS * 2);
  }
  const last = rest + decoder.decode();
  if (last !== "") log.add(last);
  return log.text();
}

function keepLog(): {add: (text: string) => void; text: () => string} {
  const head: string[] = [];
  const between: string[] = [];
  const tail: string[] = [];
  const chars = {head: 0, between: 0, tail: 0};
  let first = 0;
  let after = 0;
  let dropped = 0;

  const leaveTail = (line: string): void => {
    const worth = pointsOf({text: line, body: line, lasting: true}) >= WORTH_KEEPING;
    after = worth ? LINES_AFTER : after - 1;
    if (after < 0 || chars.between > BETWEEN_CHARS) {
      dropped++;
      return;
    }
    if (dropped > 0) between.push(`[… ${dropped} lines not read …]`);
    dropped = 0;
    between.push(line);
    chars.between += line.length + 1;
  };
  const addLine = (line: string): void => {
    if (chars.head < HEAD_CHARS) {
      head.push(line);
      chars.head += line.length + 1;
      return;
    }
    tail.push(line);
    chars.tail += line.length + 1;
    for (; chars.tail > TAIL_CHARS && first < tail.length - 1; first++) {
      const oldest = tail[first] ?? "";
      chars.tail -= oldest.length + 1;
      leaveTail(oldest);
      tail[first] = "";
    }
    if (first > 50_000) {
      tail.splice(0, first);
      first = 0;
    }
  };
  return {
    add: (text) => {
      for (const line of text.split("\n")) addLine(line.length > LINE_CHARS * 2 ? line.slice(0, LINE_CHARS * 2) : line);
    },
    text: () => {
      const gap = dropped > 0 ? [`[… ${dropped} lines not read …]`] : [];
      return [...head, ...between, ...gap, ...tail.slice(first)].join("\n");
    },
  };
}
