/** A bounded, read-only view of a file tree, from which every ecosystem reads its evidence. */
import {posix} from "node:path";
import {parse as parseJsonc} from "jsonc-parser";
import {parse as parseToml} from "smol-toml";
import {plainPath} from "../../git/paths.ts";
import type {Note} from "../../record/plan.ts";
import {decodeText, type FileContent, utf8Of} from "./decode-text.ts";
import type {FileList} from "./file-list.ts";

const MAX_DEPTH = 500;

export interface Project {
  /** every file, relative to the root, with `/`, sorted; a long list is expensive, so prefer the methods below */
  readonly files: readonly string[];
  /** files that could not be read or parsed so far; grows while ecosystems read */
  readonly notes: readonly Note[];
  has(path: string): boolean;
  /** files with this basename (`*` is a wildcard), in the order of `files` */
  named(basename: string): readonly string[];
  /** finds several basenames in one pass, so that `named` need not search for each of them */
  indexBasenames(basenames: readonly string[]): void;
  /** files of one folder (`.` for all) and of its sub-folders */
  below(folder: string): readonly string[];
  /** files of one folder (`.` for the root), without those of its sub-folders: paths, not basenames */
  inFolder(folder: string): readonly string[];
  /** text of a file of at most 1 MB, decoded from UTF-8 or UTF-16 without its byte order mark; null if there is none */
  text(path: string): string | null;
  /**
   * the beginning of a text file as UTF-8, at most `mostBytes` of it; valid until the next call, and null without a
   * note
   */
  head(path: string, mostBytes: number): Uint8Array | null;
  /** parsed files; `undefined` when absent or invalid (with a note), never a throw */
  json(path: string): unknown;
  /** JSON with comments and trailing commas */
  jsonc(path: string): unknown;
  toml(path: string): unknown;
  yaml(path: string): unknown;
}

/** Creates the view. Each file is read and parsed at most once. Notes never quote file contents. */
export function viewFiles(options: {
  files: FileList;
  read: (path: string, mostBytes?: number) => FileContent;
  /** throws for invalid YAML; null only if no file of the list is named `*.yml` or `*.yaml` */
  parseYaml: ((source: string) => unknown) | null;
  notes?: readonly Note[];
}): Project {
  const {files} = options;
  const notes: Note[] = [...(options.notes ?? [])];
  const pathsByName = new Map<string, readonly string[]>();
  const parsedFiles = new Map<string, {readonly value: boolean}>();
  const indexBasenames = (basenames: readonly string[]): void => {
    for (const [name, paths] of files.search(basenames.filter((name) => !pathsByName.has(name)))) {
      pathsByName.set(name, paths);
      for (const path of paths) parsedFiles.set(path, {value: true});
    }
  };
  const has = cached((path) => files.has(path), parsedFiles);
  const below = cacheLast((folder) => files.below(folder));
  const text = cached((path): string | null => {
    const file = has(path) ? decodeText(options.read(path)) : null;
    if (file?.kind === "none") notes.push({about: path, text: `not read: ${file.why}`});
    return file?.kind === "text" ? file.text : null;
  });
  const parserOf = (format: string, parse: (text: string) => unknown): ((path: string) => unknown) =>
    cached((path) => {
      const source = text(path);
      if (source === null) return undefined;
      try {
        if (!isDeep(source)) return parse(source);
        notes.push({about: path, text: "not parsed: it is nested too deeply"});
      } catch {
        // The parser's message may quote the file, so the note does not repeat it.
        notes.push({about: path, text: `not parsed: this is not valid ${format}`});
      }
      return undefined;
    });

  return {
    get files() {
      return below(".");
    },
    notes,
    has,
    named: (basename) => {
      indexBasenames([basename]);
      return pathsByName.get(basename) ?? [];
    },
    indexBasenames,
    below,
    inFolder: cached((folder) => files.inFolder(folder)),
    text,
    head: (path, mostBytes) =>
      has(path) ? (utf8Of(options.read(path, mostBytes))?.subarray(0, mostBytes) ?? null) : null,
    json: parserOf("JSON", (source) => JSON.parse(source)),
    jsonc: parserOf("JSON with comments", parseStrictJsonc),
    toml: parserOf("TOML", (source) => parseToml(source)),
    yaml: parserOf("YAML of at most 250000 characters", (source) => options.parseYaml?.(source)),
  };
}

/** The folder of a path, `.` for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
}

/** A folder and all folders above it, up to the root. */
export const foldersUpFrom = (folder: string): string[] =>
  folder === "." ? ["."] : [folder, ...foldersUpFrom(folderOf(folder))];

/** A path inside a folder, where `.` is the root. */
export const inside = (folder: string, path: string): string => (folder === "." ? path : `${folder}/${path}`);

/** The path relative to a folder: the inverse of `inside`. */
export const within = (folder: string, path: string): string => (folder === "." ? path : path.slice(folder.length + 1));

/** Resolves a path that a file in `folder` names. */
export const resolveFrom = (folder: string, path: string): string => plainPath(posix.join(folder, path)) || ".";

/** All folders that can be reached from `start` by `next`, including `start`. */
export function closureOf(start: string, next: (folder: string) => readonly string[]): Set<string> {
  const reachedFolders = new Set([start]);
  for (const folder of reachedFolders) for (const other of next(folder)) reachedFolders.add(other);
  return reachedFolders;
}

/**
 * True for `folder` itself and everything below it; both are relative to the repository, without `./` or a final `/`.
 */
export const isBelow = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder}/`);

/** True for more nested brackets than any manifest has: parsers take quadratic time for them, or overflow. */
function isDeep(source: string): boolean {
  if ((source.match(/[[{]/g)?.length ?? 0) <= MAX_DEPTH) return false;
  let depth = 0;
  for (const [bracket] of source.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function parseStrictJsonc(source: string): unknown {
  const errors: {error: number; offset: number; length: number}[] = [];
  const value: unknown = parseJsonc(source, errors, {allowTrailingComma: true});
  if (errors.length > 0) throw new SyntaxError("JSON with comments");
  return value;
}

function cached<T>(compute: (key: string) => T, entries = new Map<string, {readonly value: T}>()): (key: string) => T {
  return (key) => {
    const cachedEntry = entries.get(key);
    if (cachedEntry !== undefined) return cachedEntry.value;
    const value = compute(key);
    entries.set(key, {value});
    return value;
  };
}

/** Caches only the last result, because the list of a whole tree may be large. */
function cacheLast<T>(compute: (key: string) => T): (key: string) => T {
  let last: {readonly key: string; readonly value: T} | null = null;
  return (key) => {
    if (last?.key !== key) last = {key, value: compute(key)};
    return last.value;
  };
}
