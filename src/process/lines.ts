/** Makes whole, clean, short lines out of what a program prints: no escape sequences, nothing over 2 kB. */

/** A longer line is cut: nobody reads it, and a minified file would fill a report. In bytes of UTF-8. */
export const MAX_LINE_BYTES = 2048;
/** What is kept of a line that has not ended yet; room for the escape sequences that will go. */
const MAX_PENDING_BYTES = 4 * MAX_LINE_BYTES;
const NEWLINE = 0x0a;
const NOTHING: Uint8Array = new Uint8Array(0);

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
  let pending = NOTHING;
  /** Hands on the pending line if the chunk completes it; gives what of the chunk is left. Copies no more than that line. */
  const complete = (chunk: Uint8Array): Uint8Array => {
    const lineEnd = chunk.indexOf(NEWLINE) + 1;
    const end = lineEnd > 0 ? lineEnd : chunk.length;
    const line = Buffer.concat([pending, chunk.subarray(0, end)]);
    const isWhole = lineEnd > 0 || line.length > MAX_PENDING_BYTES;
    if (isWhole) write(line);
    pending = isWhole ? NOTHING : line;
    return chunk.subarray(end);
  };
  return {
    add(chunk) {
      const rest = pending.length === 0 ? chunk : complete(chunk);
      const lineEnd = rest.lastIndexOf(NEWLINE) + 1;
      const end = rest.length - lineEnd > MAX_PENDING_BYTES ? rest.length : lineEnd;
      if (end > 0) write(rest.subarray(0, end));
      if (end < rest.length) pending = Buffer.from(rest.subarray(end));
    },
    end() {
      if (pending.length > 0) write(pending);
      pending = NOTHING;
    },
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
