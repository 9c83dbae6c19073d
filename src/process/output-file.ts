/** Writes a program's output to a file, up to a size; the rest, and everything after a write error, is dropped. */
import {closeSync, openSync, writeSync} from "node:fs";

export interface OutputFileOptions {
  readonly file: string;
  readonly maxBytes: number;
}

/** The finished file; `isWhole` if nothing is missing. */
export interface OutputFile {
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** The file is created with the first byte. Writes are synchronous, so that nothing accumulates in memory. */
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
      const part = chunk.subarray(0, to.maxBytes - bytes);
      isWhole = part.length === chunk.length;
      try {
        if (part.length > 0) write(part);
      } catch {
        isWhole = false; // a full disk must not fail the stage; the record has the head and the tail
      }
    },
    end() {
      if (handle !== null) closeSync(handle);
      return {bytes, isWhole};
    },
  };
}
