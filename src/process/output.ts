/** Captures the head and the tail of a program's output in bounded memory, and writes all of it to a file. */

import {closeSync, openSync, writeSync} from "node:fs";
import type {Captured} from "../record/evidence.ts";
import {cleanText} from "./lines.ts";

export const NO_OUTPUT: Captured = {head: "", tail: "", droppedBytes: 0};

export interface Capture {
  add(bytes: Uint8Array): void;
  /** the captured output as clean text, cut at line ends */
  captured(): Captured;
}

/**
 * More raw bytes are captured than requested, because cleaning shortens the text. The text is cleaned at the end,
 * because that costs far more than copying, and most of a long output is dropped.
 */
const RAW_FACTOR = 3;
const NEWLINE = 0x0a;

/** Limits in bytes of UTF-8, for the cleaned text. */
export function openCapture(limits: {readonly headBytes: number; readonly tailBytes: number}): Capture {
  const head = openHead(limits.headBytes * RAW_FACTOR);
  const tail = openRing(limits.tailBytes * RAW_FACTOR);
  let total = 0;
  return {
    add(bytes) {
      total += bytes.length;
      tail.add(bytes.subarray(head.add(bytes)));
    },
    captured() {
      const [start, end] = [head.bytes(), tail.bytes()];
      const droppedBytes = total - start.length - end.length;
      return droppedBytes === 0
        ? fitWhole(Buffer.concat([start, end]), limits)
        : fitParts({start, end, between: droppedBytes}, limits);
    },
  };
}

function fitWhole(raw: Buffer, limits: {readonly headBytes: number; readonly tailBytes: number}): Captured {
  const text = Buffer.from(cleanText(raw.toString()));
  const headEnd = text.length <= limits.headBytes ? text.length : endOfLine(text, limits.headBytes);
  const tailStart = startOfLine(text, Math.max(headEnd, text.length - limits.tailBytes));
  return {
    head: text.subarray(0, headEnd).toString(),
    tail: text.subarray(tailStart).toString(),
    droppedBytes: tailStart - headEnd,
  };
}

function fitParts(
  raw: {readonly start: Buffer; readonly end: Buffer; readonly between: number},
  limits: {readonly headBytes: number; readonly tailBytes: number},
): Captured {
  // Both cuts may be within a line, so the raw line at each is dropped before the text is cleaned.
  const rawHeadEnd = endOfLine(raw.start, raw.start.length);
  const rawTailStart = startOfLine(raw.end, 1);
  const head = Buffer.from(cleanText(raw.start.subarray(0, rawHeadEnd).toString()));
  const tail = Buffer.from(cleanText(raw.end.subarray(rawTailStart).toString()));
  const headEnd = endOfLine(head, Math.min(head.length, limits.headBytes));
  const tailStart = startOfLine(tail, Math.max(0, tail.length - limits.tailBytes));
  const droppedBytes = raw.start.length - rawHeadEnd + rawTailStart + (head.length - headEnd) + tailStart;
  return {
    head: head.subarray(0, headEnd).toString(),
    tail: tail.subarray(tailStart).toString(),
    droppedBytes: raw.between + droppedBytes,
  };
}

/** The end of the last whole line before `limit`; without one, `limit` at a character's border. */
function endOfLine(text: Buffer, limit: number): number {
  const end = text.lastIndexOf(NEWLINE, Math.max(0, limit - 1)) + 1;
  return end > 0 ? end : characterStart(text, limit);
}

/** The first start of a line at or after `from`; without one, `from` at a character's border. */
function startOfLine(text: Buffer, from: number): number {
  if (from <= 0 || text[from - 1] === NEWLINE) return from;
  const newline = text.indexOf(NEWLINE, from);
  return newline < 0 || newline + 1 === text.length ? characterStart(text, from) : newline + 1;
}

/** UTF-8: a byte of the form 10xxxxxx continues a character. */
function characterStart(text: Buffer, from: number): number {
  let index = from;
  while (index < text.length && ((text[index] ?? 0) & 0xc0) === 0x80) index += 1;
  return index;
}

function openHead(size: number): {add(bytes: Uint8Array): number; bytes(): Buffer} {
  const chunks: Buffer[] = [];
  let freeBytes = size;
  return {
    /** returns the number of bytes taken */
    add(bytes) {
      const length = Math.min(freeBytes, bytes.length);
      if (length > 0) chunks.push(Buffer.from(bytes.subarray(0, length)));
      freeBytes -= length;
      return length;
    },
    bytes: () => Buffer.concat(chunks),
  };
}

function openRing(size: number): {add(bytes: Uint8Array): void; bytes(): Buffer} {
  let ring: Buffer | null = null;
  let total = 0;
  return {
    add(bytes) {
      if (bytes.length === 0 || size === 0) return;
      ring ??= Buffer.allocUnsafe(size);
      const newest = bytes.subarray(Math.max(0, bytes.length - size));
      const position = (total + bytes.length - newest.length) % size;
      const untilEdge = Math.min(newest.length, size - position);
      ring.set(newest.subarray(0, untilEdge), position);
      ring.set(newest.subarray(untilEdge), 0);
      total += bytes.length;
    },
    bytes() {
      if (ring === null) return Buffer.alloc(0);
      if (total <= size) return Buffer.from(ring.subarray(0, total));
      const position = total % size;
      return Buffer.concat([ring.subarray(position), ring.subarray(0, position)]);
    },
  };
}

export interface OutputFileOptions {
  readonly file: string;
  readonly maxBytes: number;
}

/** The finished file; `isWhole` if nothing is missing. */
export interface SavedOutput {
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** The file is created with the first byte. Writes are synchronous, so that nothing accumulates in memory. */
export function openOutputFile(to: OutputFileOptions): {add(bytes: Uint8Array): void; end(): SavedOutput} {
  let handle: number | null = null;
  let bytes = 0;
  let isWhole = true;
  const write = (some: Uint8Array): void => {
    handle ??= openSync(to.file, "wx", 0o600);
    for (let offset = 0; offset < some.length; ) offset += writeSync(handle, some, offset);
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
