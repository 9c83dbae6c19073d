/** A sorted list of paths, kept as the one text that git gives and searched in place: a hundred thousand strings are never made. */

/** Stands before and after each path. No path holds it. */
const END = "\0";
/** Follows `/` in the order of characters: what lies in `folder/` stands before `folder0`. */
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

/** The list of these paths, sorted and each once. Relative paths with `/`, without NUL. */
export function listOf(paths: Iterable<string>): FileList {
  const sorted = [...new Set(paths)].sort();
  return over(sorted.map((path) => END + path).join("") + END);
}

/**
 * The list that `git ls-files -z --cached` prints: each path ended by NUL, in the order of its bytes, the sides of an unmerged
 * path one after the other.
 */
export function listOfGit(printed: Uint8Array): FileList {
  const text = new TextDecoder("utf-8", {ignoreBOM: true}).decode(printed);
  return isInOrder(printed, text) ? over(END + text) : listOf(pathsOf(text));
}

/**
 * The order of bytes is that of a string's characters, but for those that are written as two of them and those after these: their
 * bytes begin with these. What is no UTF-8 is read as one of them.
 */
const isInOrder = (printed: Uint8Array, text: string): boolean =>
  text.length === printed.length ||
  ([0xee, 0xef, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4].every((byte) => printed.indexOf(byte) < 0) && !text.includes("\ufffd"));

const pathsOf = (text: string): string[] => text.split(END).filter((path) => path !== "");

function over(text: string): FileList {
  const endOf = (start: number): number => text.indexOf(END, start);
  /** where the first path stands that is not before `path` */
  const placeOf = (path: string): number => {
    let [low, high] = [1, text.length];
    while (low < high) {
      const start = text.lastIndexOf(END, ((low + high) >>> 1) - 1) + 1;
      const end = endOf(start);
      if (text.slice(start, end) < path) low = end + 1;
      else high = start;
    }
    return low;
  };
  const without = (paths: readonly string[]): string[] => paths.filter((path, i) => path !== paths[i - 1]);

  return {
    isEmpty: text.length <= 1,
    has: (path) => {
      const start = placeOf(path);
      return start < text.length && text.slice(start, endOf(start)) === path;
    },
    below: (folder) =>
      without(pathsOf(folder === "." ? text : text.slice(placeOf(`${folder}/`), placeOf(folder + AFTER_SLASH)))),
    inFolder: (folder) => {
      const prefix = folder === "." ? "" : `${folder}/`;
      const found: string[] = [];
      for (let start = placeOf(prefix); start < text.length && text.startsWith(prefix, start); ) {
        const end = endOf(start);
        const slash = text.slice(start, end).indexOf("/", prefix.length);
        if (slash < 0) found.push(text.slice(start, end));
        start = slash < 0 ? end + 1 : placeOf(text.slice(start, start + slash) + AFTER_SLASH);
      }
      return without(found);
    },
    search: (patterns) => searched(text, patterns),
  };
}

function searched(text: string, patterns: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>(patterns.map((pattern) => [pattern, []]));
  if (patterns.length === 0) return found;
  const tests = patterns.map((pattern) => ({pattern, fits: new RegExp(`^${glob(pattern)}$`, "s")}));
  // A thousand packages have the same few names.
  const known = new Map<string, readonly string[]>();
  const fitting = (name: string): readonly string[] => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const fit = tests.filter(({fits}) => fits.test(name)).map(({pattern}) => pattern);
    known.set(name, fit);
    return fit;
  };
  const sieve = sieveOf(patterns);
  for (let hit = sieve.exec(text); hit !== null; hit = sieve.exec(text)) {
    const end = text.indexOf(END, hit.index + 1);
    const start = text.lastIndexOf(END, end - 1) + 1;
    sieve.lastIndex = end;
    const path = text.slice(start, end);
    for (const pattern of fitting(path.slice(path.lastIndexOf("/") + 1))) {
      const paths = found.get(pattern);
      if (paths?.at(-1) !== path) paths?.push(path);
    }
  }
  return found;
}

/** Lets every path with a fitting basename through, and few others, at the speed of one look at each character. */
function sieveOf(patterns: readonly string[]): RegExp {
  const whole = patterns.filter((pattern) => !isSuffix(pattern)).map(glob);
  const ends = patterns.filter(isSuffix).map((pattern) => glob(pattern.slice(1)));
  const begun = whole.length > 0 ? [`[${END}/](?:${whole.join("|")})`] : [];
  return new RegExp(`(?:${[...begun, ...ends].join("|")})(?=${END})`, "g");
}

const isSuffix = (pattern: string): boolean => /^\*[^*]+$/.test(pattern);

const glob = (pattern: string): string => pattern.replace(/[.+?^$()[\]{}|\\]/g, "\\$&").replaceAll("*", `[^${END}/]*`);
