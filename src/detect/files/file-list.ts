/** A list of paths in byte order, stored and searched as bytes: it never creates a hundred thousand strings. */

const NUL = 0;
/** The byte after `/`: every path in `folder/` sorts before `folder0`. */
const AFTER_SLASH = "0";

export interface FileList {
  readonly isEmpty: boolean;
  has(path: string): boolean;
  /** the files of one folder (`.` for all) and of its sub-folders */
  below(folder: string): readonly string[];
  /** the files of one folder (`.` for the root), without those of its sub-folders */
  inFolder(folder: string): readonly string[];
  /** the files whose basename matches, for each pattern (`*` is a wildcard): one pass over all paths */
  search(patterns: readonly string[]): ReadonlyMap<string, readonly string[]>;
}

/**
 * Sorted paths in `bytes`: path `i` is from `starts[i]` to before `ends[i]`. A path may occur several times in a row.
 */
export interface PathTable {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The list of these relative paths with `/` and without NUL, each once. */
export function createFileList(paths: Iterable<string>): FileList {
  const sorted = [...new Set(paths)].sort();
  // JavaScript sorts by UTF-16 units: surrogate pairs come before some single units, while their UTF-8 bytes come after
  // them.
  if (sorted.some((path) => /[\ud800-\udfff]/.test(path)))
    sorted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return parseGitListing(Buffer.from(sorted.map((path) => `${path}\0`).join("")));
}

/**
 * The list that `git ls-files -z --cached` prints: each path ends with NUL, and an unmerged path is printed once per
 * side.
 */
export function parseGitListing(printed: Buffer): FileList {
  const ends: number[] = [];
  for (let at = printed.indexOf(NUL); at >= 0; at = printed.indexOf(NUL, at + 1)) ends.push(at);
  return viewPathTable({
    bytes: printed,
    starts: Uint32Array.from(ends, (_, i) => (ends[i - 1] ?? -1) + 1),
    ends: Uint32Array.from(ends),
  });
}

/** A list over paths that are stored anywhere in a buffer, such as in git's index. */
export function viewPathTable(table: PathTable): FileList {
  const {bytes, starts, ends} = table;
  const count = starts.length;
  const pathAt = (i: number): string => bytes.toString("utf8", starts[i], ends[i]);
  /** the number of the first path that is not before `path`, and whether it equals `path` */
  const locate = (path: string): {index: number; isEqual: boolean} => {
    const target = Buffer.from(path);
    let isEqual = false;
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(table, middle, target);
      if (order === 0) isEqual = true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return {index: low, isEqual};
  };
  /** distinct paths from `from` to before `to`; `next` may skip some of them */
  const collect = (from: number, to: number, next: (path: string, i: number) => number | null): string[] => {
    const paths: string[] = [];
    for (let i = from; i < to; ) {
      const path = pathAt(i);
      const skipTo = next(path, i);
      if (skipTo === null && path !== paths.at(-1)) paths.push(path);
      i = skipTo ?? i + 1;
    }
    return paths;
  };
  const rangeOf = (folder: string): [number, number] =>
    folder === "." ? [0, count] : [locate(`${folder}/`).index, locate(folder + AFTER_SLASH).index];

  return {
    isEmpty: count === 0,
    has: (path) => locate(path).isEqual,
    below: (folder) => collect(...rangeOf(folder), () => null),
    inFolder: (folder) =>
      collect(...rangeOf(folder), (path) => {
        const slash = path.indexOf("/", folder === "." ? 0 : folder.length + 1);
        return slash < 0 ? null : locate(path.slice(0, slash) + AFTER_SLASH).index;
      }),
    search: (patterns) => search(table, patterns),
  };
}

/** Negative for a path that sorts before these bytes, 0 for an equal one. */
function compare({bytes, starts, ends}: PathTable, i: number, target: Uint8Array): number {
  const start = starts[i] ?? 0;
  const length = (ends[i] ?? 0) - start;
  const common = Math.min(length, target.length);
  for (let at = 0; at < common; at++) {
    const order = (bytes[start + at] ?? 0) - (target[at] ?? 0);
    if (order !== 0) return order;
  }
  return length - target.length;
}

function search(table: PathTable, patterns: readonly string[]): Map<string, string[]> {
  const results = new Map<string, string[]>(patterns.map((pattern) => [pattern, []]));
  if (patterns.length === 0) return results;
  const {bytes, starts, ends} = table;
  const wildcards = patterns
    .filter((pattern) => pattern.includes("*"))
    .map((pattern) => ({pattern, regex: globPattern(pattern)}));
  // A thousand packages have the same few basenames.
  const matchesByName = new Map<string, readonly string[]>();
  const patternsFor = (name: string): readonly string[] => {
    const cached = matchesByName.get(name);
    if (cached !== undefined) return cached;
    const matches = wildcards.filter(({regex}) => regex.test(name)).map(({pattern}) => pattern);
    if (results.has(name) && !name.includes("*")) matches.push(name);
    matchesByName.set(name, matches);
    return matches;
  };
  const prefilter = createPrefilter(patterns);
  for (let i = nextMatch(table, prefilter, 0); i < ends.length; i = nextMatch(table, prefilter, i + 1)) {
    const path = bytes.toString("utf8", starts[i], ends[i]);
    for (const pattern of patternsFor(path.slice(path.lastIndexOf("/") + 1))) {
      const paths = results.get(pattern);
      if (paths?.at(-1) !== path) paths?.push(path);
    }
  }
  return results;
}

/**
 * The first path at or after `from` that the prefilter accepts. This loop visits every path, so it does nothing else.
 */
function nextMatch({bytes, ends}: PathTable, prefilter: Uint8Array, from: number): number {
  let i = from;
  while (i < ends.length && prefilter[hashTail(bytes, ends[i] ?? 0)] === 0) i++;
  return i;
}

/** One entry per value of `hashTail`: 1 accepts paths whose last four bytes are those of a pattern, and few others. */
function createPrefilter(patterns: readonly string[]): Uint8Array {
  const prefilter = new Uint8Array(1 << 16);
  for (const pattern of patterns) {
    const tail = Buffer.from(`\0${pattern.slice(pattern.lastIndexOf("*") + 1)}`).subarray(-4);
    if (tail.length < 4) prefilter.fill(1);
    // A pattern of three bytes may have any byte before it.
    else if (tail[0] === NUL)
      for (let first = 0; first < 256; first++) prefilter[hashTail(tail.fill(first, 0, 1), 4)] = 1;
    else prefilter[hashTail(tail, 4)] = 1;
  }
  return prefilter;
}

/** A 16-bit hash of the four bytes before `end`. */
function hashTail(bytes: Buffer, end: number): number {
  const upper = ((bytes[end - 4] ?? 0) << 24) | ((bytes[end - 3] ?? 0) << 16) | ((bytes[end - 2] ?? 0) << 8);
  return Math.imul(upper | (bytes[end - 1] ?? 0), 0x9e3779b1) >>> 16;
}

/** Matches texts in which each `*` stands for characters other than `/`. */
export function globPattern(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/[.+?^$()[\]{}|\\]/g, "\\$&").replaceAll("*", "[^/]*")}$`, "s");
}
