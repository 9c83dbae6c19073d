/** Handles Git LFS without its filter: which files it stores, and their pointers (git-lfs `docs/spec.md`). */
import {createHash} from "node:crypto";
import {createReadStream} from "node:fs";
import {lstat, readFile} from "node:fs/promises";
import {basename, join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {type Git, gitRefused} from "./git.ts";
import {entriesOf, type IndexEntry} from "./private-index.ts";

/** The size and hash of the content that a pointer names. */
export interface Pointer {
  readonly oid: string;
  readonly size: number;
}

/** An LFS file in an index; `pointer` is null if the index has the content itself. */
export interface LfsFile {
  readonly entry: IndexEntry;
  readonly pointer: Pointer | null;
}

/** The specification's limit: larger files are content. */
const POINTER_BYTES = 1024;
const POINTER =
  /^version (?:https:\/\/git-lfs\.github\.com\/spec\/v1|https:\/\/hawser\.github\.com\/spec\/v1|http:\/\/git-media\.io\/v\/2)\n(?:ext-\d-[^\n]+\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n?$/;

/** Reads a pointer; null for any other text. */
function parsePointer(text: string): Pointer | null {
  const [, oid, size] = POINTER.exec(text) ?? [];
  return oid === undefined ? null : {oid, size: Number(size)};
}

const pointerText = ({oid, size}: Pointer): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;

/**
 * The `filter` attributes of these paths. With `cached` the attributes come from the index alone, else from the folder
 * first.
 */
export async function filtersOf(options: {
  git: Git;
  paths: readonly string[];
  cached: boolean;
}): Promise<Result<Map<string, string>, Failure>> {
  const filters = new Map<string, string>();
  const input = options.paths.map((path) => `${path}\0`).join("");
  const scope = options.cached ? ["--cached"] : [];
  const attributes =
    input === "" ? ok("") : await options.git(["check-attr", ...scope, "-z", "--stdin", "filter"], {input});
  if (!attributes.ok) return gitRefused(attributes.failure);
  const fields = attributes.value.split("\0");
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = "", value = ""] = [fields[index], fields[index + 2]];
    if (!["unspecified", "unset", "set", ""].includes(value)) filters.set(path, value);
  }
  return ok(filters);
}

/**
 * The LFS entries of an index, with their pointers. `filters` are the attributes to use, by default those of the index;
 * `paths` limits the search. `entries` are those of the index, if the caller has them already.
 */
export async function lfsFilesIn(options: {
  git: Git;
  filters?: ReadonlyMap<string, string>;
  paths?: readonly string[];
  entries?: readonly IndexEntry[];
}): Promise<Result<LfsFile[], Failure>> {
  const {git} = options;
  const allEntries = options.entries === undefined ? await entriesOf(git) : ok(options.entries);
  if (!allEntries.ok) return allEntries;
  const hasAttributes = allEntries.value.some(({path}) => basename(path) === ".gitattributes");
  if (!hasAttributes && options.filters === undefined) return ok([]);
  const wantedPaths = options.paths && new Set(options.paths);
  const entries = allEntries.value.filter(({mode, path}) => mode.startsWith("100") && wantedPaths?.has(path) !== false);
  const paths = entries.map(({path}) => path);
  const filters = options.filters ? ok(options.filters) : await filtersOf({git, paths, cached: true});
  if (!filters.ok) return filters;
  const files = entries.filter(({path}) => filters.value.get(path) === "lfs");
  const pointers = await pointersOf(
    git,
    files.map(({id}) => id),
  );
  if (!pointers.ok) return pointers;
  return ok(files.map((entry) => ({entry, pointer: pointers.value.get(entry.id) ?? null})));
}

/** The blobs that are pointers. */
async function pointersOf(git: Git, ids: readonly string[]): Promise<Result<Map<string, Pointer>, Failure>> {
  const pointers = new Map<string, Pointer>();
  const lines = (some: readonly string[]) => [...new Set(some)].map((id) => `${id}\n`).join("");
  if (ids.length === 0) return ok(pointers);
  const sizes = await git(["cat-file", "--batch-check=%(objectname) %(objectsize)"], {input: lines(ids)});
  if (!sizes.ok) return gitRefused(sizes.failure);
  const small = sizes.value.split("\n").flatMap((row) => {
    const [id = "", size = ""] = row.split(" ");
    return /^\d+$/.test(size) && Number(size) < POINTER_BYTES ? [id] : [];
  });
  const contents = await git(["cat-file", "--batch=%(objectname) %(objectsize)"], {input: lines(small), isBytes: true});
  if (!contents.ok) return gitRefused(contents.failure);
  for (let offset = 0; offset < contents.value.length; ) {
    const end = contents.value.indexOf("\n", offset);
    const [id = "", size = ""] = contents.value.slice(offset, end).split(" ");
    const pointer = parsePointer(contents.value.slice(end + 1, end + 1 + Number(size)));
    if (pointer !== null) pointers.set(id, pointer);
    offset = end + 1 + Number(size) + 1;
  }
  return ok(pointers);
}

/** The pointer for this file's content, and git's own id of that content; null if it is not a regular file. */
export async function hashFile(file: string): Promise<(Pointer & {readonly blob: string}) | null> {
  const stat = await lstat(file).catch(() => null);
  if (stat === null || !stat.isFile()) return null;
  const sha256 = createHash("sha256");
  const sha1 = createHash("sha1").update(`blob ${stat.size}\0`);
  let size = 0;
  for await (const chunk of createReadStream(file)) {
    size += chunk.length;
    sha256.update(chunk);
    sha1.update(chunk);
  }
  return {oid: sha256.digest("hex"), size, blob: sha1.digest("hex")};
}

/**
 * The entry that `git add` would make with the LFS filter for a file of the folder. Null if it would add the file
 * unchanged: a pointer, an empty file, or content that the index already has in that form.
 */
export async function lfsEntryFor(options: {
  git: Git;
  folder: string;
  path: string;
  known: LfsFile | undefined;
}): Promise<Result<IndexEntry | null, Failure>> {
  const {git, path, known} = options;
  const file = join(options.folder, path);
  const stat = await lstat(file).catch(() => null);
  if (stat === null || !stat.isFile() || stat.size === 0) return ok(null);
  if (stat.size < POINTER_BYTES && parsePointer(await readFile(file, "latin1")) !== null) return ok(null);
  const hashed = await hashFile(file);
  if (hashed === null || known?.entry.id === hashed.blob) return ok(null);
  const mode = (stat.mode & 0o100) === 0 ? "100644" : "100755";
  const oldPointer = known?.pointer ?? null;
  if (known !== undefined && oldPointer !== null && oldPointer.oid === hashed.oid) return ok({...known.entry, mode});
  const id = await git(["hash-object", "-w", "--stdin", "--no-filters"], {input: pointerText(hashed)});
  return id.ok ? ok({mode, id: id.value.trim(), path}) : gitRefused(id.failure);
}
