/** Writes all that a program prints into a file, up to a size; what does not fit, or cannot be written, is left out. */
import {closeSync, openSync, writeSync} from "node:fs";

/** Where to, and how much of it. */
export interface OutputFileOptions {
  readonly file: string;
  readonly maxBytes: number;
}

/** What the file holds in the end. `isWhole` says that nothing is missing from it. */
export interface OutputFile {
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** The file is made at the first byte. Writes are done at once: they go to the system's cache, and nothing piles up in memory. */
export function openOutputFile(to: OutputFileOptions): {add(bytes: Uint8Array): void; end(): OutputFile} {
  let handle: number | null = null;
  let bytes = 0;
  let isWhole = true;
  const write = (some: Uint8Array): void => {
    handle ??= openSync(to.file, "wx", 0o600);
    for (let at = 0; at < some.length; ) at += writeSync(handle, some, at);
    bytes += some.length;
  };
  return {
    add(chunk) {
      if (!isWhole) return;
      const fitting = chunk.subarray(0, to.maxBytes - bytes);
      isWhole = fitting.length === chunk.length;
      try {
        if (fitting.length > 0) write(fitting);
      } catch {
        isWhole = false; // a full disk is no reason to lose the stage; the record has the head and the tail
      }
    },
    end() {
      if (handle !== null) closeSync(handle);
      return {bytes, isWhole};
    },
  };
}
