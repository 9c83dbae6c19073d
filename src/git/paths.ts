/** Paths of a repository as text: relative to its root, with slashes. */
import {posix} from "node:path";

/** The path without `./` before it and without a slash after it. */
export function plainPath(path: string): string {
  let [start, end] = [0, path.length];
  while (path.startsWith("./", start)) start += 2;
  while (end > start && path[end - 1] === "/") end -= 1;
  return path.slice(start, end);
}

/** The name of the file without its folder and its ending. */
export const stemOf = (path: string): string => posix.parse(path).name;

/** True for files with one of these names, in any folder. */
export const isNamed = (path: string, ...names: readonly string[]): boolean => names.includes(posix.basename(path));

/** Files by their names: endings such as `.py`, or a pattern. */
export type FileKind = readonly string[] | RegExp;

export const YAML_FILE = [".yml", ".yaml"];

export const isOfKind = (path: string, kind: FileKind): boolean =>
  kind instanceof RegExp ? kind.test(path) : kind.some((ending) => path.endsWith(ending));
