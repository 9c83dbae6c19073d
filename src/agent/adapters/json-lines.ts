/** Splits a byte stream into lines at LF only, with a bound on each line's length. */

export interface LineSplitter {
  /** Takes the next bytes as they come; a character may be cut in two. */
  push(chunk: Uint8Array): void;
  /** Hands on a last line that has no LF. */
  end(): void;
  /** Lines that were longer than the bound, and so were passed over up to the next LF. */
  readonly dropped: number;
}

const LF = 0x0a;

/**
 * `onLine` gets each complete line, without its LF. Only LF ends a line: JSON text may hold U+2028 and U+2029,
 * which general-purpose line readers take for line ends.
 */
export function splitLines(options: {maxBytes: number; onLine: (line: string) => void}): LineSplitter {
  let parts: Uint8Array[] = [];
  let length = 0;
  let overlong = false;
  let dropped = 0;

  const add = (bytes: Uint8Array) => {
    if (overlong || bytes.length === 0) return;
    length += bytes.length;
    if (length > options.maxBytes) {
      overlong = true;
      dropped += 1;
      parts = [];
      return;
    }
    // A copy: the giver may use its buffer again before the line is complete.
    parts.push(bytes.slice());
  };

  const finish = () => {
    if (!overlong) options.onLine(Buffer.concat(parts).toString("utf8"));
    parts = [];
    length = 0;
    overlong = false;
  };

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(LF, start); at !== -1; at = chunk.indexOf(LF, start)) {
        add(chunk.subarray(start, at));
        finish();
        start = at + 1;
      }
      add(chunk.subarray(start));
    },
    end() {
      if (length > 0) finish();
    },
    get dropped() {
      return dropped;
    },
  };
}
