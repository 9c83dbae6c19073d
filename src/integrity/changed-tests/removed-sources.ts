/** Tells whether a file of tests goes together with all the code that it imports. */
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isProductCode, isTestPath} from "../source/kinds.ts";

/** Modules of the repository in JavaScript, Python and Rust; the first group that matches is the path. */
const IMPORTS =
  /(?:\bfrom|\bimport|\brequire\()\s*["'](\.[^"']*)["']|^\s*from\s+([\w.]+)\s+import\s+\(?([\w, ]*)|^\s*import\s+([\w.]+)/gm;

/**
 * True if at least one import is a removed source, and none is a module of the repository that is still there. A test
 * without imports, such as in Go, is not known to test removed code.
 */
export function importsOnlyRemoved({basePath, before}: InspectedFile, {files, roots}: InspectedChange): boolean {
  const removed = files
    .filter((file) => file.status === "deleted" && isProductCode(file.basePath))
    .map((file) => withoutEnding(file.basePath));
  const folder = basePath.slice(0, basePath.lastIndexOf("/") + 1);
  const isRemoved = (name: string) => removed.some((path) => path === name || path.endsWith(`/${name}`));
  const names = [...(before ?? "").matchAll(IMPORTS)].flatMap(([, relative, from, parts = "", module]) => {
    if (relative !== undefined) return [resolve(folder, relative)];
    const name = (from ?? module ?? "").replaceAll(".", "/");
    // What a package exports may be a module of its own.
    const modules = parts.split(",").map((part) => `${name}/${part.trim().replace(/ as .*/, "")}`);
    return from !== undefined && modules.every(isRemoved) ? modules : [name];
  });
  // Packages from elsewhere have no folder here.
  const isOwn = (name: string) =>
    isRemoved(name) || roots?.has(name.replace(/^(?:src|lib)\//, "").split("/", 1)[0] ?? "") !== false;
  const own = names.filter((name) => isOwn(name) && !isTestPath(`${name}.ts`));
  return own.length > 0 && own.every(isRemoved);
}

function resolve(folder: string, relative: string): string {
  const parts: string[] = [];
  for (const part of `${folder}${relative}`.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  return withoutEnding(parts.join("/"));
}

const withoutEnding = (path: string): string =>
  path.replace(/\.(?:[cm]?[jt]sx?|py|rs)$/, "").replace(/\/(?:index|__init__|mod)$/, "");
