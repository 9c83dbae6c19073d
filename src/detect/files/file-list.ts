/** A list of paths in the order of their bytes, kept as bytes and searched in place: a hundred thousand strings are never made. */

const NUL = 0;
/** Follows `/` in the order of bytes: what lies in `folder/` stands before `folder0`. */
const AFTER_SLASH = "0";

export interface FileList {
  readonly isEmpty: boolean;
  has(path: string): boolean;
  /** the files of one folder (`.` for all), those of its sub-folders too */
  below(folder: string): readonly string[];
  /** the files of one folder (`.` for the root), without those of its sub-folders */
  inFolder(folder: string): readonly string[];
  /** the files whose basename fits, for each pattern (`*` is a wildcard): one pass over all paths */
  search(patterns: readonly string[]): ReadonlyMap<string, readonly string[]>;
}

/**
 * Paths in `bytes`, in the order of their bytes: the first is from `starts[0]` to before `ends[0]`. A path may stand there
 * several times in a row.
 */
export interface PathTable {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The list of these paths, each once. Relative paths with `/`, without NUL. */
export function createFileList(paths: Iterable<string>): FileList {
  const sorted = [...new Set(paths)].sort();
  // Characters that are written as two stand before some that are not, and their bytes stand behind.
  if (sorted.some((path) => /[\ud800-\udfff]/.test(path)))
    sorted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return parseGitListing(Buffer.from(sorted.map((path) => `${path}\0`).join("")));
}

/** The list that `git ls-files -z --cached` prints: each path ended by NUL, the sides of an unmerged path one after the other. */
export function parseGitListing(printed: Buffer): FileList {
  const ends: number[] = [];
  for (let at = printed.indexOf(NUL); at >= 0; at = printed.indexOf(NUL, at + 1)) ends.push(at);
  return viewPathTable({
    bytes: printed,
    starts: Uint32Array.from(ends, (_, i) => (ends[i - 1] ?? -1) + 1),
    ends: Uint32Array.from(ends),
  });
}

/** The list of names that stand somewhere in bytes, such as in git's index. */
export function viewPathTable(names: PathTable): FileList {
  const {bytes, starts, ends} = names;
  const count = starts.length;
  const nameAt = (i: number): string => bytes.toString("utf8", starts[i], ends[i]);
  /** the number of the first path that is not before `path`, and whether it is that path */
  const placeOf = (path: string): {place: number; isThere: boolean} => {
    const wanted = Buffer.from(path);
    let isThere = false;
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(names, middle, wanted);
      if (order === 0) isThere = true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return {place: low, isThere};
  };
  const between = (from: number, to: number): string[] => {
    const found: string[] = [];
    for (let i = from; i < to; i++) {
      const path = nameAt(i);
      if (path !== found.at(-1)) found.push(path);
    }
    return found;
  };

  return {
    isEmpty: count === 0,
    has: (path) => placeOf(path).isThere,
    below: (folder) =>
      folder === "." ? between(0, count) : between(placeOf(`${folder}/`).place, placeOf(folder + AFTER_SLASH).place),
    inFolder: (folder) => {
      const prefix = folder === "." ? "" : `${folder}/`;
      const to = folder === "." ? count : placeOf(folder + AFTER_SLASH).place;
      const found: string[] = [];
      for (let i = placeOf(prefix).place; i < to; ) {
        const path = nameAt(i);
        const slash = path.indexOf("/", prefix.length);
        if (slash < 0 && path !== found.at(-1)) found.push(path);
        i = slash < 0 ? i + 1 : placeOf(path.slice(0, slash) + AFTER_SLASH).place;
      }
      return found;
    },
    search: (patterns) => searched(names, patterns),
  };
}

/** Negative for a name that stands before these bytes, 0 for these. */
function compare({bytes, starts, ends}: PathTable, i: number, wanted: Uint8Array): number {
  const start = starts[i] ?? 0;
  const length = (ends[i] ?? 0) - start;
  const common = Math.min(length, wanted.length);
  for (let at = 0; at < common; at++) {
    const order = (bytes[start + at] ?? 0) - (wanted[at] ?? 0);
    if (order !== 0) return order;
  }
  return length - wanted.length;
}

function searched(names: PathTable, patterns: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>(patterns.map((pattern) => [pattern, []]));
  if (patterns.length === 0) return found;
  const {bytes, starts, ends} = names;
  const tests = patterns
    .filter((pattern) => pattern.includes("*"))
    .map((pattern) => ({pattern, fits: new RegExp(`^${glob(pattern)}$`, "s")}));
  // A thousand packages have the same few names.
  const known = new Map<string, readonly string[]>();
  const fitting = (name: string): readonly string[] => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const fit = tests.filter(({fits}) => fits.test(name)).map(({pattern}) => pattern);
    if (found.has(name) && !name.includes("*")) fit.push(name);
    known.set(name, fit);
    return fit;
  };
  const sieve = sieveOf(patterns);
  for (let i = next(names, sieve, 0); i < ends.length; i = next(names, sieve, i + 1)) {
    const path = bytes.toString("utf8", starts[i], ends[i]);
    for (const pattern of fitting(path.slice(path.lastIndexOf("/") + 1))) {
      const paths = found.get(pattern);
      if (paths?.at(-1) !== path) paths?.push(path);
    }
  }
  return found;
}

/** The first name from `i` on that the sieve lets through. It looks at every name, so it does nothing else. */
function next({bytes, ends}: PathTable, sieve: Uint8Array, i: number): number {
  let at = i;
  while (at < ends.length && sieve[mesh(bytes, ends[at] ?? 0)] === 0) at++;
  return at;
}

/** One entry for each value of `mesh`: 1 lets names through whose last four bytes are like those of a pattern, and few others. */
function sieveOf(patterns: readonly string[]): Uint8Array {
  const sieve = new Uint8Array(1 << 16);
  for (const pattern of patterns) {
    const tail = Buffer.from(`\0${pattern.slice(pattern.lastIndexOf("*") + 1)}`).subarray(-4);
    if (tail.length < 4) sieve.fill(1);
    // What stands before three bytes may be anything.
    else if (tail[0] === NUL) for (let first = 0; first < 256; first++) sieve[mesh(tail.fill(first, 0, 1), 4)] = 1;
    else sieve[mesh(tail, 4)] = 1;
  }
  return sieve;
}

/** Sixteen bits of the four bytes before `end`. */
function mesh(bytes: Buffer, end: number): number {
  const last = ((bytes[end - 4] ?? 0) << 24) | ((bytes[end - 3] ?? 0) << 16) | ((bytes[end - 2] ?? 0) << 8);
  return Math.imul(last | (bytes[end - 1] ?? 0), 0x9e3779b1) >>> 16;
}

const glob = (pattern: string): string => pattern.replace(/[.+?^$()[\]{}|\\]/g, "\\$&").replaceAll("*", "[^/]*");
