/** Reads the files of a project within bounds: regular files of at most 1 MB, and nothing that a link leads out to. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import {join, relative, sep} from "node:path";
import type {FileText} from "./project.ts";

const MAX_BYTES = 1_000_000;

/** Of a folder that is asked for more subfolders than this, all are listed at once. */
const MAX_ONE_BY_ONE = 3;

/**
 * Gives what reads files below `top`, by their paths from there. The plain way asks the kernel little; whatever has a link in it goes the
 * careful way.
 */
export function createFileReader(top: string): (path: string) => FileText {
  const plain = new Map<string, boolean>([["", true]]);
  const asked = new Map<string, number>();
  const isPlain = (folder: string): boolean => {
    const known = plain.get(folder);
    if (known !== undefined) return known;
    const above = folderAbove(folder);
    const times = (asked.get(above) ?? 0) + 1;
    asked.set(above, times);
    if (times === MAX_ONE_BY_ONE && isPlain(above))
      for (const name of subfolders(`${top}/${above}`)) plain.set(above === "" ? name : `${above}/${name}`, true);
    const found = plain.get(folder) ?? (isPlain(above) && isFolder(`${top}/${folder}`));
    plain.set(folder, found);
    return found;
  };
  return (path) => (isPlain(folderAbove(path)) ? readOpened(`${top}/${path}`) : null) ?? readLinked(top, path);
}

const folderAbove = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const isFolder = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;

/** The names of the folders in a folder, without links. */
function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

/** Most manifests fit: they are read here with no question about their size. */
const room = Buffer.allocUnsafeSlow(32 * 1024);

/** Null for what is no plain file to be opened, such as a link. A pipe does not keep us waiting. */
function readOpened(file: string): FileText | null {
  try {
    const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const length = readSync(opened, room);
      // A pipe gives nothing, or no end.
      if (length > 0 && length < room.length) return decodeText(room, length);
      const found = fstatSync(opened);
      const no = refusal(found);
      if (no !== null) return no;
      const bytes = Buffer.alloc(found.size);
      return decodeText(bytes, readSync(opened, bytes, 0, found.size, 0));
    } finally {
      closeSync(opened);
    }
  } catch {
    return null;
  }
}

function refusal(found: Stats): FileText | null {
  if (!found.isFile()) return {kind: "none", why: "it is not a regular file"};
  return found.size > MAX_BYTES ? {kind: "none", why: "it is larger than 1 MB"} : null;
}

function readLinked(top: string, path: string): FileText {
  try {
    // A link, of the file or of a folder above it, may lead to a device, a pipe, or a file that is no part of the project.
    const real = realpathSync.native(join(top, path));
    const way = relative(top, real);
    if (way === ".." || way.startsWith(`..${sep}`))
      return {kind: "none", why: "it is a link that leads out of the project"};
    return refusal(statSync(real)) ?? decodeText(readFileSync(real));
  } catch {
    return {kind: "none", why: "it is not there, or may not be read"};
  }
}

/** UTF-8, or UTF-16 where a mark says so; without the mark. What holds a NUL is no text. Of `bytes` only the first `length` count. */
export function decodeText(bytes: Buffer, length: number = bytes.length): FileText {
  const [first, second, third] = [bytes[0], bytes[1], bytes[2]];
  const wide = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  const text =
    wide === null || length < 2
      ? bytes.toString("utf8", first === 0xef && second === 0xbb && third === 0xbf && length > 2 ? 3 : 0, length)
      : new TextDecoder(wide).decode(bytes.subarray(0, length));
  return text.includes("\0") ? {kind: "none", why: "it is binary"} : {kind: "text", text};
}
