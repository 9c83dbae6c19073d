/** Finds the files of the tested commit that a tool's output names. */
import {readFile} from "node:fs/promises";
import {join, posix} from "node:path";
import type {Diagnostic} from "../../record/evidence.ts";

/** The paths of a commit. */
export type TreePaths = ReadonlySet<string>;

/** Adds to each diagnostic the path that it names, unless no file of the commit, or more than one, can be meant. */
export function withPaths(items: readonly Diagnostic[], place: {paths: TreePaths; cwd: string}): Diagnostic[] {
  const known = new Map<string, string | null>();
  const ambiguous = items.some(({tool}) => tool === "go test") ? ambiguousGoNames(place.paths) : null;
  return items.map((item) => {
    if (item.file === undefined || (item.tool === "go test" && ambiguous?.has(item.file))) return item;
    const path = known.get(item.file) ?? pathIn({...place, file: item.file});
    known.set(item.file, path);
    return path === null ? item : {...item, path};
  });
}

/**
 * Tools name files from their own folder, and Assay shortens absolute paths to those of the repository. A tool that runs
 * in a folder below names a part of the path, which is enough if only one file has it.
 */
function pathIn({paths, cwd, file}: {paths: TreePaths; cwd: string; file: string}): string | null {
  const name = posix.normalize(file.replace(/^file:\/\//, ""));
  if (name.startsWith("/")) return null;
  const fromFolder = posix.join(cwd, name);
  const direct = (name.startsWith(`${cwd}/`) ? [name, fromFolder] : [fromFolder, name]).find((path) => paths.has(path));
  if (direct !== undefined) return direct;
  const below = [...paths].filter((path) => path.endsWith(`/${name}`));
  return below.length === 1 ? (below[0] ?? null) : null;
}

/** The base names of several files: a helper without `t.Helper()` may be in another package than the test. */
function ambiguousGoNames(paths: TreePaths): ReadonlySet<string> {
  const names = [...paths].map((path) => posix.basename(path)).filter((name) => /(?<!_test)\.go$/.test(name));
  const once = new Set<string>();
  return new Set(names.filter((name) => once.has(name) || !once.add(name)));
}

/**
 * Returns the file of a Go package, from the folder `cwd`: Go prints base names. The path of a package is the path of
 * its module, which go.mod names, and its folder in the module. Null unless exactly one file of the commit fits.
 */
export async function goFiles(options: {
  checkout: string;
  paths: TreePaths;
  cwd: string;
}): Promise<(packageName: string, file: string) => string | null> {
  const ambiguous = ambiguousGoNames(options.paths);
  const pathOf = await goPaths(options);
  return (packageName, file) => {
    const path = ambiguous.has(file) ? null : pathOf(`${packageName}/${file}`);
    return path === null ? null : posix.relative(options.cwd, path);
  };
}

/** Returns the path of a file that is named with the path of its package. Null unless exactly one file fits. */
export async function goPaths({
  checkout,
  paths,
}: {
  checkout: string;
  paths: TreePaths;
}): Promise<(name: string) => string | null> {
  const manifests = [...paths].filter((path) => posix.basename(path) === "go.mod");
  const modules = await Promise.all(
    manifests.map(async (path) => {
      const text = await readFile(join(checkout, path), "utf8").catch(() => "");
      const [, name = ""] = /^\s*module\s+\(?\s*["`]?([^\s"`()]+)/m.exec(text.replace(/\/\/.*$/gm, "")) ?? [];
      return {name, folder: posix.dirname(path)};
    }),
  );
  return (file) => {
    const found = new Set(
      modules
        .filter(({name}) => name !== "" && file.startsWith(`${name}/`))
        .map(({name, folder}) => posix.join(folder, file.slice(name.length)))
        .filter((path) => paths.has(path)),
    );
    const [path] = found;
    return path === undefined || found.size > 1 ? null : path;
  };
}
