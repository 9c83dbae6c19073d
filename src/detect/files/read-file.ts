/** Reads the files of a project: regular files of at most 1 MB, and none that a link leads to outside the project. */
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
import type {FileContent} from "./decode-text.ts";

const MAX_BYTES = 1_000_000;

/** After this many queries for sub-folders of one folder, all its sub-folders are listed at once. */
const MAX_SINGLE_QUERIES = 3;

/**
 * Creates the function that reads files below `top`, by their paths from there. The bytes are valid until the next
 * call. Files without a link in their path take few system calls; all others are resolved first. With `mostBytes`, only
 * the beginning of a file is read, however large it is, and no link is followed.
 */
export function createFileReader(top: string): (path: string, mostBytes?: number) => FileContent {
  const linkFree = new Map<string, boolean>([["", true]]);
  const queries = new Map<string, number>();
  const isLinkFree = (folder: string): boolean => {
    const isKnownLinkFree = linkFree.get(folder);
    if (isKnownLinkFree !== undefined) return isKnownLinkFree;
    const parent = parentOf(folder);
    const count = (queries.get(parent) ?? 0) + 1;
    queries.set(parent, count);
    if (count === MAX_SINGLE_QUERIES && isLinkFree(parent))
      for (const name of subfolders(`${top}/${parent}`)) linkFree.set(parent === "" ? name : `${parent}/${name}`, true);
    const answer = linkFree.get(folder) ?? (isLinkFree(parent) && isFolder(`${top}/${folder}`));
    linkFree.set(folder, answer);
    return answer;
  };
  return (path, mostBytes) =>
    (isLinkFree(parentOf(path)) ? readDirectly(`${top}/${path}`, mostBytes) : null) ??
    (mostBytes === undefined ? readResolved(top, path) : UNREADABLE);
}

const UNREADABLE: FileContent = {kind: "none", why: "it is a link, or cannot be opened"};

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const isFolder = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;

const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
};

/** The names of the folders in a folder, without links. */
function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

/** Most manifests fit into this buffer, so that their size need not be queried. */
const buffer = Buffer.allocUnsafeSlow(32 * 1024);

/** Null for a link and for every file that cannot be opened. Opening a pipe does not block. */
function readDirectly(file: string, mostBytes?: number): FileContent | null {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const length = readSync(descriptor, buffer, 0, Math.min(mostBytes ?? buffer.length, buffer.length), null);
      // A pipe returns nothing, or it never ends.
      if (length > 0 && (length < buffer.length || length === mostBytes))
        return {kind: "bytes", bytes: buffer.subarray(0, length)};
      const stats = fstatSync(descriptor);
      const refusal = refuse(stats, mostBytes ?? stats.size);
      if (refusal !== null) return refusal;
      const bytes = Buffer.alloc(Math.min(stats.size, mostBytes ?? stats.size));
      return {kind: "bytes", bytes: bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0))};
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

function refuse(stats: Stats, bytes = stats.size): FileContent | null {
  if (!stats.isFile()) return {kind: "none", why: "it is not a regular file"};
  return bytes > MAX_BYTES ? {kind: "none", why: "it is larger than 1 MB"} : null;
}

const NOT_HERE =
  "git lists it, but it is not in this folder: it was deleted, or a sparse checkout leaves it out. The plan is made without it";

/** A link, of the file or of a folder above it, may lead to a device, a pipe, or a file outside the project. */
function readResolved(top: string, path: string): FileContent {
  try {
    const target = realpathSync.native(join(top, path));
    const fromTop = relative(top, target);
    if (fromTop === ".." || fromTop.startsWith(`..${sep}`))
      return {kind: "none", why: "it is a link that leads out of the project"};
    return refuse(statSync(target)) ?? {kind: "bytes", bytes: readFileSync(target)};
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) return {kind: "none", why: "it may not be read"};
    return {kind: "none", why: isLink(join(top, path)) ? "it is a link to a file that does not exist" : NOT_HERE};
  }
}
