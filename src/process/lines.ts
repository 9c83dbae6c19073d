/** Makes whole, clean, short lines out of what a program prints: no escape sequences, nothing over 2 kB. */

/** A longer line is cut: nobody reads it, and a minified file would fill a report. In bytes of UTF-8. */
export const MAX_LINE_BYTES = 2048;
/** What is kept of a line that has not ended yet; room for the escape sequences that will go. */
const MAX_PENDING_BYTES = 4 * MAX_LINE_BYTES;
const NEWLINE = 0x0a;

/**
 * ECMA-48: CSI sequences, the string sequences (OSC, DCS, SOS, PM, APC) with their end, all other escapes. The classes
 * that follow each other are disjoint and none crosses an ESC, so the time is linear. A string sequence without its end
 * loses only its opener: text is never swallowed by it.
 */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]|\x1b/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Text as a terminal would leave it standing: no escapes, no control characters, overwritten parts gone, lines cut. */
export function cleanText(raw: string): string {
  return raw.replace(ESCAPES, "").split("\n").map(cleanLine).join("\n");
}

function cleanLine(line: string): string {
  const visible = line.replace(/\r+$/, "");
  const lastWritten = visible.slice(visible.lastIndexOf("\r") + 1).replace(CONTROLS, "");
  // A UTF-16 unit is at most three bytes of UTF-8: most lines need no counting.
  if (lastWritten.length * 3 <= MAX_LINE_BYTES) return lastWritten;
  const bytes = Buffer.from(lastWritten);
  if (bytes.length <= MAX_LINE_BYTES) return lastWritten;
  const note = " … (line cut)";
  const kept = bytes.subarray(0, MAX_LINE_BYTES - Buffer.byteLength(note) - 3).toString();
  return kept.replace(/\ufffd+$/, "") + note;
}

/** Takes chunks as they come and hands on whole lines. */
export interface Lines {
  add(chunk: Uint8Array): void;
  /** hands on what is left when no more will come */
  end(): void;
}

/**
 * Keeps two streams from being mixed within a line, or within a character: only whole lines are handed on, many at
 * a time. A line that gets too long is handed on in pieces. What `write` is given is valid only during the call.
 */
export function openLines(write: (bytes: Uint8Array) => void): Lines {
  // One buffer for all that waits: with a new one for each chunk, a long line without an end takes ten times its memory.
  let pending: Buffer | null = null;
  let held = 0;
  const hold = (bytes: Uint8Array): void => {
    pending ??= Buffer.allocUnsafe(MAX_PENDING_BYTES);
    pending.set(bytes, held);
    held += bytes.length;
  };
  const handOn = (): void => {
    if (pending !== null && held > 0) write(pending.subarray(0, held));
    held = 0;
  };
  /** Adds to the line that waits and hands it on if it is whole now, or too long; gives what of the chunk is left. */
  const complete = (chunk: Uint8Array): Uint8Array => {
    const lineEnd = chunk.indexOf(NEWLINE) + 1;
    const end = Math.min(lineEnd > 0 ? lineEnd : chunk.length, MAX_PENDING_BYTES - held);
    hold(chunk.subarray(0, end));
    if (end === lineEnd || held === MAX_PENDING_BYTES) handOn();
    return chunk.subarray(end);
  };
  return {
    add(chunk) {
      const rest = held === 0 ? chunk : complete(chunk);
      const lineEnd = rest.lastIndexOf(NEWLINE) + 1;
      const end = rest.length - lineEnd > MAX_PENDING_BYTES ? rest.length : lineEnd;
      if (end > 0) write(rest.subarray(0, end));
      if (end < rest.length) hold(rest.subarray(end));
    },
    end: handOn,
  };
}

/** Calls `onLine` once for each line of what `openLines` hands on, cleaned; of an overlong line with its beginning. */
export function eachLine(onLine: (line: string) => void): (bytes: Uint8Array) => void {
  let within = false;
  return (bytes) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    const parts = text.split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      if (!within) onLine(cleanText(part));
      within = false;
    }
    if (last !== "") {
      if (!within) onLine(cleanText(last));
      within = true;
    }
  };
}
