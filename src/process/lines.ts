/** Turns a program's output into whole, clean lines: no escape sequences, at most 2 kB each. */

/** A longer line is cut, because a minified file would fill a report. In bytes of UTF-8. */
export const MAX_LINE_BYTES = 2048;
/** The buffer for an unfinished line, with space for escape sequences that will be removed. */
const MAX_PENDING_BYTES = 4 * MAX_LINE_BYTES;
const NEWLINE = 0x0a;

/**
 * ECMA-48: CSI sequences, the string sequences (OSC, DCS, SOS, PM, APC) with their end, all other escapes. The classes
 * that follow each other are disjoint and none crosses an ESC, so the time is linear. Of an unterminated string
 * sequence only the opener is removed, never the text.
 */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]|\x1b/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The text as a terminal shows it: without escapes, control characters and overwritten parts, with long lines cut. */
export function cleanText(raw: string): string {
  return raw.replace(ESCAPES, "").split("\n").map(cleanLine).join("\n");
}

function cleanLine(line: string): string {
  const visible = line.replace(/\r+$/, "");
  const lastWritten = visible.slice(visible.lastIndexOf("\r") + 1).replace(CONTROLS, "");
  // A UTF-16 unit has at most three bytes of UTF-8, so most lines need not be counted.
  if (lastWritten.length * 3 <= MAX_LINE_BYTES) return lastWritten;
  const bytes = Buffer.from(lastWritten);
  if (bytes.length <= MAX_LINE_BYTES) return lastWritten;
  const note = " … (line cut)";
  const lineStart = bytes.subarray(0, MAX_LINE_BYTES - Buffer.byteLength(note) - 3).toString();
  return lineStart.replace(/\ufffd+$/, "") + note;
}

/** Takes chunks and passes on whole lines. */
export interface LineReader {
  add(chunk: Uint8Array): void;
  /** passes on the rest */
  end(): void;
}

/**
 * Prevents two streams from mixing within a line or a character: only whole lines are passed on, many at a time. A line
 * that is too long is passed on in pieces. The argument of `write` is valid only during the call.
 */
export function openLines(write: (bytes: Uint8Array) => void): LineReader {
  // One buffer for all pending bytes: with a new one for each chunk, a long unfinished line would take ten times its
  // memory.
  let pendingBytes: Buffer | null = null;
  let pendingLength = 0;
  const hold = (bytes: Uint8Array): void => {
    pendingBytes ??= Buffer.allocUnsafe(MAX_PENDING_BYTES);
    pendingBytes.set(bytes, pendingLength);
    pendingLength += bytes.length;
  };
  const flush = (): void => {
    if (pendingBytes !== null && pendingLength > 0) write(pendingBytes.subarray(0, pendingLength));
    pendingLength = 0;
  };
  /** Adds to the pending line and passes it on if it is whole or too long. Returns the rest of the chunk. */
  const complete = (chunk: Uint8Array): Uint8Array => {
    const lineEnd = chunk.indexOf(NEWLINE) + 1;
    const end = Math.min(lineEnd > 0 ? lineEnd : chunk.length, MAX_PENDING_BYTES - pendingLength);
    hold(chunk.subarray(0, end));
    if (end === lineEnd || pendingLength === MAX_PENDING_BYTES) flush();
    return chunk.subarray(end);
  };
  return {
    add(chunk) {
      const rest = pendingLength === 0 ? chunk : complete(chunk);
      const lineEnd = rest.lastIndexOf(NEWLINE) + 1;
      const end = rest.length - lineEnd > MAX_PENDING_BYTES ? rest.length : lineEnd;
      if (end > 0) write(rest.subarray(0, end));
      if (end < rest.length) hold(rest.subarray(end));
    },
    end: flush,
  };
}

/** Calls `onLine` once for each line from `openLines`, cleaned; for an overlong line with its beginning. */
export function eachLine(onLine: (line: string) => void): (bytes: Uint8Array) => void {
  let isInLine = false;
  return (bytes) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    const parts = text.split("\n");
    const unfinishedLine = parts.pop() ?? "";
    for (const part of parts) {
      if (!isInLine) onLine(cleanText(part));
      isInLine = false;
    }
    if (unfinishedLine !== "") {
      if (!isInLine) onLine(cleanText(unfinishedLine));
      isInLine = true;
    }
  };
}
