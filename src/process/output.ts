/** Keeps the head and the tail of what a program prints, in bounded memory however much it prints. */
import type {Captured} from "../record/evidence.ts";
import {cleanText} from "./lines.ts";

/** Nothing was printed. */
export const NO_OUTPUT: Captured = {head: "", tail: "", droppedBytes: 0};

export interface Capture {
  add(bytes: Uint8Array): void;
  /** what was kept, as clean text cut at line ends */
  captured(): Captured;
}

/**
 * More raw bytes are kept than asked for, because cleaning makes text shorter. Cleaning waits for the end: it costs
 * far more than copying, and most of a long output is thrown away.
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
      const first = head.bytes();
      const last = tail.bytes();
      const between = total - first.length - last.length;
      return between === 0 ? fitWhole(Buffer.concat([first, last]), limits) : fitParts({first, last, between}, limits);
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
  raw: {readonly first: Buffer; readonly last: Buffer; readonly between: number},
  limits: {readonly headBytes: number; readonly tailBytes: number},
): Captured {
  // Both cuts lie anywhere in a line, so the raw line at each is dropped before anything is cleaned.
  const firstEnd = endOfLine(raw.first, raw.first.length);
  const lastStart = startOfLine(raw.last, 1);
  const first = Buffer.from(cleanText(raw.first.subarray(0, firstEnd).toString()));
  const last = Buffer.from(cleanText(raw.last.subarray(lastStart).toString()));
  const headEnd = endOfLine(first, Math.min(first.length, limits.headBytes));
  const tailStart = startOfLine(last, Math.max(0, last.length - limits.tailBytes));
  const cut = raw.first.length - firstEnd + lastStart + (first.length - headEnd) + tailStart;
  return {
    head: first.subarray(0, headEnd).toString(),
    tail: last.subarray(tailStart).toString(),
    droppedBytes: raw.between + cut,
  };
}

/** The end of the last whole line before `limit`; `limit` itself, on a character's border, where there is none. */
function endOfLine(text: Buffer, limit: number): number {
  const end = text.lastIndexOf(NEWLINE, Math.max(0, limit - 1)) + 1;
  return end > 0 ? end : characterStart(text, limit);
}

/** The first start of a line at or after `from`; `from` itself, on a character's border, where there is none. */
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
  const kept: Buffer[] = [];
  let free = size;
  return {
    /** gives the number of bytes taken */
    add(bytes) {
      const taken = Math.min(free, bytes.length);
      if (taken > 0) kept.push(Buffer.from(bytes.subarray(0, taken)));
      free -= taken;
      return taken;
    },
    bytes: () => Buffer.concat(kept),
  };
}

function openRing(size: number): {add(bytes: Uint8Array): void; bytes(): Buffer} {
  let ring: Buffer | null = null;
  let total = 0;
  return {
    add(bytes) {
      if (bytes.length === 0 || size === 0) return;
      ring ??= Buffer.allocUnsafe(size);
      const last = bytes.subarray(Math.max(0, bytes.length - size));
      const at = (total + bytes.length - last.length) % size;
      const untilEdge = Math.min(last.length, size - at);
      ring.set(last.subarray(0, untilEdge), at);
      ring.set(last.subarray(untilEdge), 0);
      total += bytes.length;
    },
    bytes() {
      if (ring === null) return Buffer.alloc(0);
      if (total <= size) return Buffer.from(ring.subarray(0, total));
      const at = total % size;
      return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
    },
  };
}
