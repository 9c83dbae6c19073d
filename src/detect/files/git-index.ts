/** Reads the sorted paths in git's index: for a large tree, starting git takes longer than planning. */
import {closeSync, constants, fstatSync, openSync, read} from "node:fs";
import type {PathTable} from "./file-list.ts";

const MAX_BYTES = 64_000_000;

/** https://git-scm.com/docs/index-format: a header; entries of 62 bytes and a name; extensions; a checksum. */
const HEADER = 12;
const BEFORE_NAME = 62;
const CHECKSUM = 20;
const MODE = 26;
const FLAGS = 60;
const IS_EXTENDED = 0x4000;
const LENGTH = 0xfff;

/**
 * The paths in the index at `file`, as a view of its bytes. Null if their list has at most `small` bytes, and for every
 * unusual index (not version 2 or 3, not SHA-1, or split), which only git can read. Never rejects. The read does not
 * block.
 */
export async function readIndex(file: string, small: number): Promise<PathTable | null> {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size <= small || stats.size > MAX_BYTES) return null;
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    return (await fill(descriptor, bytes)) ? parseIndex(bytes, small) : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

const fill = (descriptor: number, bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    read(descriptor, bytes, 0, bytes.length, 0, (error, length) => resolve(error === null && length === bytes.length));
  });

/** The paths in the bytes of an index, or null as in `readIndex`. Terminates for any bytes. */
export function parseIndex(bytes: Buffer, small: number): PathTable | null {
  if (bytes.length < HEADER + CHECKSUM) return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || (version !== 2 && version !== 3)) return null;
  const checksumAt = bytes.length - CHECKSUM;
  if (count > checksumAt / BEFORE_NAME) return null;
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let offset = HEADER;
  let listBytes = 0;
  for (let i = 0; i < count; i++) {
    if (offset + BEFORE_NAME > checksumAt) return null;
    // Single bytes: for a hundred thousand entries, the buffer's methods take twice as long.
    const mode = ((bytes[offset + MODE] ?? 0) << 8) | (bytes[offset + MODE + 1] ?? 0);
    const flags = ((bytes[offset + FLAGS] ?? 0) << 8) | (bytes[offset + FLAGS + 1] ?? 0);
    const start = offset + BEFORE_NAME + ((flags & IS_EXTENDED) === 0 ? 0 : 2);
    const length = flags & LENGTH;
    // The length of a longer name does not fit the field; the name ends at its NUL.
    const end = length < LENGTH ? start + length : bytes.indexOf(0, start + LENGTH);
    // With longer hashes (SHA-256) all fields move, and the bytes read here are not a valid mode.
    if (length === 0 || end < 0 || end >= checksumAt || bytes[end] !== 0 || !isMode(mode)) return null;
    starts[i] = start;
    ends[i] = end;
    listBytes += end - start + 1;
    // One to eight NULs follow the name and pad the entry to a multiple of eight bytes.
    offset += (end - offset + 8) & ~7;
  }
  return listBytes <= small || hasRequiredExtension(bytes, offset, checksumAt) ? null : {bytes, starts, ends};
}

/** A regular file, an executable, a symbolic link, or a submodule. */
const isMode = (mode: number): boolean =>
  mode === 0o100644 || mode === 0o100755 || mode === 0o120000 || mode === 0o160000;

/**
 * Only extensions whose name begins with a capital letter may be ignored; the others change the meaning of the index.
 */
function hasRequiredExtension(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 8 + bytes.readUInt32BE(at + 4)) {
    const first = bytes[at] ?? 0;
    if (at + 8 > to || first < 0x41 || first > 0x5a) return true;
  }
  return false;
}
