/** Reads the names in git's index, which stands in the order of their bytes: to start git for a large one takes longer than to plan. */
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
 * The names in the index at `file`, with their entries' bytes kept around them; null where a list of them is no longer than `small` bytes,
 * and for any index that is not as most are (version 2 or 3, SHA-1, whole and by itself): git knows how to read those. Never rejects.
 * It is read beside whatever else goes on.
 */
export async function readIndex(file: string, small: number): Promise<PathTable | null> {
  let opened: number | null = null;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(opened);
    if (!found.isFile() || found.size <= small || found.size > MAX_BYTES) return null;
    const bytes = Buffer.allocUnsafeSlow(found.size);
    return (await filled(opened, bytes)) ? parseIndex(bytes, small) : null;
  } catch {
    return null;
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

const filled = (opened: number, bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    read(opened, bytes, 0, bytes.length, 0, (error, length) => resolve(error === null && length === bytes.length));
  });

/** The names in the bytes of an index, as above. Whatever the bytes are, it ends. */
export function parseIndex(bytes: Buffer, small: number): PathTable | null {
  if (bytes.length < HEADER + CHECKSUM) return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || (version !== 2 && version !== 3)) return null;
  const last = bytes.length - CHECKSUM;
  if (count > last / BEFORE_NAME) return null;
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let at = HEADER;
  let printed = 0;
  for (let i = 0; i < count; i++) {
    if (at + BEFORE_NAME > last) return null;
    // Byte by byte, since a method of the buffer takes twice as long over a hundred thousand of them.
    const mode = ((bytes[at + MODE] ?? 0) << 8) | (bytes[at + MODE + 1] ?? 0);
    const flags = ((bytes[at + FLAGS] ?? 0) << 8) | (bytes[at + FLAGS + 1] ?? 0);
    const start = at + BEFORE_NAME + ((flags & IS_EXTENDED) === 0 ? 0 : 2);
    const length = flags & LENGTH;
    // Longer names do not fit the field, and end where their NUL is.
    const end = length < LENGTH ? start + length : bytes.indexOf(0, start + LENGTH);
    // Of a repository with longer hashes all of this is elsewhere, and no file has that mode.
    if (length === 0 || end < 0 || end >= last || bytes[end] !== 0 || !isMode(mode)) return null;
    starts[i] = start;
    ends[i] = end;
    printed += end - start + 1;
    // One to eight NULs follow the name, so that the next entry stands at a multiple of eight from this one.
    at += (end - at + 8) & ~7;
  }
  return printed <= small || hasUnknown(bytes, at, last) ? null : {bytes, starts, ends};
}

/** A file, one that runs, a link, or a repository of its own. */
const isMode = (mode: number): boolean =>
  mode === 0o100644 || mode === 0o100755 || mode === 0o120000 || mode === 0o160000;

/** Extensions in small letters change what the index means; the others may be passed over. */
function hasUnknown(bytes: Buffer, from: number, last: number): boolean {
  for (let at = from; at < last; at += 8 + bytes.readUInt32BE(at + 4)) {
    const first = bytes[at] ?? 0;
    if (at + 8 > last || first < 0x41 || first > 0x5a) return true;
  }
  return false;
}
