/** A bounded, read-only view of a tree of files: what every ecosystem reads its evidence from. */
import {parse as parseJsonc} from "jsonc-parser";
import {parse as parseToml} from "smol-toml";
import {parse as parseYaml} from "yaml";
import type {Note} from "../record/plan.ts";

/** Reading YAML takes far longer than reading JSON; what people write by hand is a tenth of this. */
const MAX_YAML = 250_000;

const MAX_DEPTH = 500;

/** What a read of one file gives: its bytes, or why there are none. */
export type Bytes =
  | {readonly kind: "bytes"; readonly bytes: Uint8Array}
  | {readonly kind: "none"; readonly why: string};

export interface Project {
  /** every file, relative to the root, with `/`, sorted */
  readonly files: readonly string[];
  /** what could not be read or understood so far; grows while ecosystems look around */
  readonly notes: readonly Note[];
  has(path: string): boolean;
  /** files with this basename, in the order of `files` */
  named(basename: string): readonly string[];
  /** every basename once */
  names(): readonly string[];
  /** files of one folder (`.` for the root), without those of its sub-folders: paths, not basenames */
  inFolder(folder: string): readonly string[];
  /** text of a file of at most 1 MB, decoded (UTF-8, or UTF-16 by its mark), without a byte order mark; null when there is none */
  text(path: string): string | null;
  /** parsed files; `undefined` when absent or not understood (then a note says so), never a throw */
  json(path: string): unknown;
  /** JSON with comments and trailing commas */
  jsonc(path: string): unknown;
  toml(path: string): unknown;
  yaml(path: string): unknown;
}

/**
 * Makes the view over a list of files and a way to read one of them. Each file is read and parsed at most once.
 * Notes never quote what a file contains.
 */
export function viewFiles(options: {
  files: readonly string[];
  read: (path: string) => Bytes;
  notes?: readonly Note[];
}): Project {
  const files = inOrder(options.files);
  const notes: Note[] = [...(options.notes ?? [])];
  const byName = lazy(() => groupBy(files, (path) => path.slice(path.lastIndexOf("/") + 1)));
  const top = lazy(() => files.filter((path) => !path.includes("/")));
  const has = (path: string): boolean => files[placeOf(files, path)] === path;
  const texts = new Map<string, string | null>();
  const parsed = new Map<string, unknown>();

  const text = (path: string): string | null => {
    const seen = texts.get(path);
    if (seen !== undefined) return seen;
    const found = has(path) ? decode(options.read(path)) : null;
    if (found?.kind === "none") notes.push({about: path, text: `not read: ${found.why}`});
    const value = found?.kind === "text" ? found.text : null;
    texts.set(path, value);
    return value;
  };
  const reader =
    (format: string, parse: (text: string) => unknown) =>
    (path: string): unknown => {
      const key = `${format} ${path}`;
      if (parsed.has(key)) return parsed.get(key);
      const source = text(path);
      let value: unknown;
      try {
        if (source !== null && isDeep(source))
          notes.push({about: path, text: "not understood: it is nested too deeply"});
        else value = source === null ? undefined : parse(source);
      } catch {
        // The parser's message may quote the file, so only the fact is told.
        notes.push({about: path, text: `not understood: this is no valid ${format}`});
      }
      parsed.set(key, value);
      return value;
    };

  return {
    files,
    notes,
    has,
    named: (basename) => byName().get(basename) ?? [],
    names: lazy(() => [...byName().keys()]),
    inFolder: (folder) => (folder === "." ? top() : filesOf(files, folder)),
    text,
    json: reader("JSON", (source) => JSON.parse(source)),
    jsonc: reader("JSON with comments", strictJsonc),
    toml: reader("TOML", (source) => parseToml(source)),
    yaml: reader(`YAML of at most ${MAX_YAML} characters`, boundedYaml),
  };
}

/** The folder of a path, `.` for the root. */
export function folderOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut < 0 ? "." : path.slice(0, cut);
}

/** A path inside a folder, where `.` is the root. */
export const inside = (folder: string, path: string): string => (folder === "." ? path : `${folder}/${path}`);

function boundedYaml(source: string): unknown {
  if (source.length > MAX_YAML) throw new SyntaxError("YAML");
  // At level `silent` it would hand on half a file as if it were whole. Its own search for repeated keys takes time by the square of their number.
  return parseYaml(source, {maxAliasCount: 100, merge: true, uniqueKeys: false, logLevel: "error"});
}

/** True for more open brackets than any manifest has: parsers take quadratic time over them, or overflow. */
function isDeep(source: string): boolean {
  let depth = 0;
  for (const [bracket] of source.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function strictJsonc(source: string): unknown {
  const errors: {error: number; offset: number; length: number}[] = [];
  const value: unknown = parseJsonc(source, errors, {allowTrailingComma: true});
  if (errors.length > 0) throw new SyntaxError("JSON with comments");
  return value;
}

function decode(found: Bytes): {kind: "text"; text: string} | {kind: "none"; why: string} {
  if (found.kind === "none") return found;
  const [first, second] = found.bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  const text = new TextDecoder(encoding).decode(found.bytes);
  return text.includes("\0") ? {kind: "none", why: "it is binary"} : {kind: "text", text};
}

/** Git gives its list in order; sorting a hundred thousand paths again would cost more than all the rest. */
function inOrder(files: readonly string[]): readonly string[] {
  return files.every((path, i) => i === 0 || (files[i - 1] ?? "") < path) ? files : [...files].sort();
}

/** The place of a path in a sorted list, or where it would stand. */
function placeOf(files: readonly string[], path: string): number {
  let [low, high] = [0, files.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((files[middle] ?? "") < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The files of one folder: they and those of its sub-folders stand together in a sorted list. */
function filesOf(files: readonly string[], folder: string): string[] {
  const start = `${folder}/`;
  const found: string[] = [];
  for (let i = placeOf(files, start); files[i]?.startsWith(start); i++) {
    const path = files[i] ?? "";
    if (!path.includes("/", start.length)) found.push(path);
  }
  return found;
}

function groupBy(paths: readonly string[], key: (path: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const name = key(path);
    const group = groups.get(name);
    if (group) group.push(path);
    else groups.set(name, [path]);
  }
  return groups;
}

function lazy<T>(make: () => T): () => T {
  let made: {value: T} | null = null;
  return () => {
    made ??= {value: make()};
    return made.value;
  };
}
