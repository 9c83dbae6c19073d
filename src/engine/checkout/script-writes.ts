/** Finds what the repository's own install scripts leave in installed packages, which the checks use and trust. */
import {createHash} from "node:crypto";
import {type Dirent, existsSync, lstatSync} from "node:fs";
import {readdir, readFile, readlink} from "node:fs/promises";
import {basename, dirname, join, relative} from "node:path";
import {isBelow} from "../../process/mounts.ts";
import {type OverlaidInstall, scriptLayer} from "../isolation/sandbox-view.ts";

/** What the scripts left at each path of an installed package, in a form that two checkouts share. */
export type ScriptWrites = ReadonlyMap<string, string>;

/** A path that the scripts of a change leave in another state than those of the base. */
export interface ChangedInstall {
  readonly path: string;
  /** true if checks may have used another file without the change */
  readonly replaces: boolean;
}

/**
 * `names` are those of folders with installed packages, such as `node_modules`; `sinceMs` is the time when the scripts
 * started. Nobody can set the time of a change (`ctime`), and the layer of an overlay has exactly what was written.
 */
export async function scriptWrites(options: {
  root: string;
  home: string;
  overlaid: readonly OverlaidInstall[];
  names: ReadonlySet<string>;
  sinceMs: number;
}): Promise<ScriptWrites> {
  const {root, home, overlaid, names, sinceMs} = options;
  const writes = new Map<string, string>();
  for (const [index, {at}] of overlaid.entries()) {
    const layer = scriptLayer(home, index);
    for (const {file, entry} of await entriesBelow(layer)) {
      const path = join(relative(root, at), relative(layer, file));
      // The folders of a layer are only the way to what was written.
      if (!entry.isDirectory() && isInPackage(path, names, entry)) writes.set(path, await stateOf(file, entry, root));
    }
  }
  for (const {file, entry} of await entriesBelow(root)) {
    const path = relative(root, file);
    const isSearched = isInPackage(path, names, entry) && !overlaid.some(({at}) => isBelow(file, at));
    if (isSearched && lstatSync(file).ctimeMs > sinceMs) writes.set(path, await stateOf(file, entry, root));
  }
  return writes;
}

async function entriesBelow(folder: string): Promise<{file: string; entry: Dirent}[]> {
  const entries = await readdir(folder, {withFileTypes: true, recursive: true}).catch(() => []);
  return entries.map((entry) => ({file: join(entry.parentPath, entry.name), entry}));
}

/** Tools keep what they generate in folders such as `node_modules/.prisma` and `node_modules/.cache`. */
function isInPackage(path: string, names: ReadonlySet<string>, entry: Dirent): boolean {
  const parts = path.split("/");
  const start = parts.findLastIndex((name) => names.has(name)) + 1;
  const first = parts[start];
  // A link takes the place of the whole folder.
  if (first === undefined) return !entry.isDirectory();
  return start > 0 && (first === ".bin" || !first.startsWith("."));
}

async function stateOf(file: string, entry: Dirent, root: string): Promise<string> {
  try {
    if (entry.isSymbolicLink()) return `link to ${(await readlink(file)).replaceAll(root, "")}`;
    if (entry.isDirectory()) return `folder with ${(await readdir(file)).sort().join("/")}`;
    if (!entry.isFile()) return "removed";
    const text = (await readFile(file, "latin1")).replaceAll(root, "");
    return createHash("sha256").update(text).digest("hex");
  } catch {
    return `unknown in ${root}`;
  }
}

/** `baseRoot` is the root of the base's install, which an overlaid checkout does not contain. */
export function changedInstalls(
  writes: ScriptWrites,
  {onBase, baseRoot}: {onBase: ScriptWrites; baseRoot: string},
): ChangedInstall[] {
  const paths = [...writes.keys()].filter((path) => writes.get(path) !== onBase.get(path));
  // A new program can hide any other of the same name.
  const isProgram = (path: string): boolean => basename(dirname(path)) === ".bin";
  return paths.sort().map((path) => ({path, replaces: isProgram(path) || existsSync(join(baseRoot, path))}));
}
