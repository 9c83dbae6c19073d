/** Splits a byte stream into lines at LF only, and limits the length of each line. */

interface LineSplitter {
  /** Takes the next bytes, which may end within a character. */
  push(chunk: Uint8Array): void;
  /** Passes on a last line without LF. */
  end(): void;
  /** The number of lines that were skipped because they were too long. */
  readonly dropped: number;
}

const LF = 0x0a;

/**
 * `onLine` gets each line without its LF. Only LF ends a line, because JSON text may contain U+2028 and U+2029, which
 * general-purpose line readers treat as line ends.
 */
export function splitLines(options: {maxBytes: number; onLine: (line: string) => void}): LineSplitter {
  const {maxBytes, onLine} = options;
  let parts: Uint8Array[] = [];
  let length = 0;
  let isTooLong = false;
  let droppedCount = 0;

  const add = (bytes: Uint8Array) => {
    if (isTooLong || bytes.length === 0) return;
    length += bytes.length;
    if (length > maxBytes) {
      isTooLong = true;
      droppedCount += 1;
      parts = [];
      return;
    }
    // A copy, because the caller may reuse its buffer before the line is complete.
    parts.push(bytes.slice());
  };

  const finish = () => {
    if (!isTooLong) onLine(Buffer.concat(parts).toString("utf8"));
    parts = [];
    length = 0;
    isTooLong = false;
  };

  return {
    push(chunk) {
      let start = 0;
      for (let newline = chunk.indexOf(LF, start); newline !== -1; newline = chunk.indexOf(LF, start)) {
        add(chunk.subarray(start, newline));
        finish();
        start = newline + 1;
      }
      add(chunk.subarray(start));
    },
    end() {
      if (length > 0) finish();
    },
    get dropped() {
      return droppedCount;
    },
  };
}
