/** A bounded, read-only view of a tree of files: what every ecosystem reads its evidence from. */
import {parse as parseJsonc} from "jsonc-parser";
import {parse as parseToml} from "smol-toml";
import type {Note} from "../../record/plan.ts";
import type {FileList} from "./file-list.ts";

const MAX_DEPTH = 500;

/** What a read of one file gives: its text, or why there is none. */
export type FileText = {readonly kind: "text"; readonly text: string} | {readonly kind: "none"; readonly why: string};

export interface Project {
  /** every file, relative to the root, with `/`, sorted; a long list is made when it is asked for, so ask for less where you can */
  readonly files: readonly string[];
  /** what could not be read or understood so far; grows while ecosystems look around */
  readonly notes: readonly Note[];
  has(path: string): boolean;
  /** files with this basename, or one that fits it (`*` is a wildcard), in the order of `files` */
  named(basename: string): readonly string[];
  /** looks for all these at once, where one by one would take a look through the whole list each */
  seek(basenames: readonly string[]): void;
  /** files of one folder (`.` for all) and of its sub-folders */
  below(folder: string): readonly string[];
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
  files: FileList;
  read: (path: string) => FileText;
  /** throws for what is no valid YAML; null only where no file of the list is named `*.yml` or `*.yaml` */
  parseYaml: ((source: string) => unknown) | null;
  notes?: readonly Note[];
}): Project {
  const {files} = options;
  const notes: Note[] = [...(options.notes ?? [])];
  const byName = new Map<string, readonly string[]>();
  const there = new Map<string, boolean>();
  const seek = (basenames: readonly string[]): void => {
    const unknown = basenames.filter((name) => !byName.has(name));
    for (const [name, paths] of files.search(unknown)) {
      byName.set(name, paths);
      for (const path of paths) there.set(path, true);
    }
  };
  const inFolder = kept((folder) => files.inFolder(folder));
  const below = keptLast((folder) => files.below(folder));
  const has = kept((path) => files.has(path), there);
  const texts = new Map<string, string | null>();

  const text = (path: string): string | null => {
    const seen = texts.get(path);
    if (seen !== undefined) return seen;
    const found = has(path) ? options.read(path) : null;
    if (found?.kind === "none") notes.push({about: path, text: `not read: ${found.why}`});
    const value = found?.kind === "text" ? found.text : null;
    texts.set(path, value);
    return value;
  };
  const reader = (format: string, parse: (text: string) => unknown): ((path: string) => unknown) =>
    keptBoxed((path) => {
      const source = text(path);
      if (source === null) return undefined;
      try {
        if (!isDeep(source)) return parse(source);
        notes.push({about: path, text: "not understood: it is nested too deeply"});
      } catch {
        // The parser's message may quote the file, so only the fact is told.
        notes.push({about: path, text: `not understood: this is no valid ${format}`});
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
      seek([basename]);
      return byName.get(basename) ?? [];
    },
    seek,
    below,
    inFolder,
    text,
    json: reader("JSON", (source) => JSON.parse(source)),
    jsonc: reader("JSON with comments", strictJsonc),
    toml: reader("TOML", (source) => parseToml(source)),
    yaml: reader("YAML of at most 250000 characters", (source) => options.parseYaml?.(source)),
  };
}

/** The folder of a path, `.` for the root. */
export function folderOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut < 0 ? "." : path.slice(0, cut);
}

/** A path inside a folder, where `.` is the root. */
export const inside = (folder: string, path: string): string => (folder === "." ? path : `${folder}/${path}`);

/** True for `folder` itself and everything below it; both are relative to the repository, without `./` or a final `/`. */
export const isBelow = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder}/`);

/** True for more open brackets than any manifest has: parsers take quadratic time over them, or overflow. */
function isDeep(source: string): boolean {
  if ((source.match(/[[{]/g)?.length ?? 0) <= MAX_DEPTH) return false;
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

/** `give` with its answers kept in `known`. */
function kept<T>(give: (key: string) => T, known: Map<string, T> = new Map()): (key: string) => T {
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const answer = give(key);
    known.set(key, answer);
    return answer;
  };
}

/** The same for answers that may be undefined. */
function keptBoxed(give: (key: string) => unknown): (key: string) => unknown {
  const boxed = kept((key) => ({answer: give(key)}));
  return (key) => boxed(key).answer;
}

/** `give` with its last answer kept: that of a whole tree may be large. */
function keptLast<T>(give: (key: string) => T): (key: string) => T {
  let last: {readonly key: string; readonly answer: T} | null = null;
  return (key) => {
    if (last?.key !== key) last = {key, answer: give(key)};
    return last.answer;
  };
}
