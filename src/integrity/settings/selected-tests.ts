/** Which files of tests the patterns of a runner's configuration select, before and after a change. */

import {posix} from "node:path";
import {minimatch} from "minimatch";
import {plainPath} from "../../git/paths.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";

/** True for changed patterns that still select all test files, for example after a move. */
export function losesNoTest(
  {path}: Pick<InspectedFile, "path">,
  values: {before: readonly string[] | undefined; after: readonly string[] | undefined},
  change: InspectedChange,
): boolean {
  const {testPaths = [], files} = change;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const tests = testPaths
    .filter((one) => one.startsWith(folder))
    .map((one) => ({head: one, base: basePathOf(one, files)}));
  const isSelected = (patterns: readonly string[] | undefined, one: string) =>
    patterns === undefined || selects(patterns, one.slice(folder.length));
  const selected = tests.filter(({base}) => base?.startsWith(folder) && isSelected(values.before, base));
  return selected.length > 0 && selected.every(({head}) => isSelected(values.after, head));
}

/** The command with its earlier paths, if the new ones select the same tests after a move. */
export function withEarlierPaths(body: string, head: string, change: InspectedChange): string {
  if (!change.files.some(({path, status}) => status === "renamed" && isTestPath(path))) return head;
  const [before, after] = [body, head].map((text) => text.split(/\s+/).filter(isPathOrGlob));
  const lost = before?.filter((word) => !after?.includes(word)) ?? [];
  const fresh = after?.filter((word) => !before?.includes(word)) ?? [];
  const [old, now] = [lost[0], fresh[0]];
  if (old === undefined || now === undefined || lost.length > 1 || fresh.length > 1) return head;
  const patterns = (word: string) => [word.replace(/^["']|["']$/g, "")];
  const moved = losesNoTest({path: "package.json"}, {before: patterns(old), after: patterns(now)}, change);
  if (!moved) return head;
  // `**` looks into all folders, too.
  const isDeep = now.includes("**") && /\s--recursive\b/.test(body) && !/\s--recursive\b/.test(head);
  return head.replace(now, () => `${isDeep ? "--recursive " : ""}${old}`);
}

const isPathOrGlob = (word: string): boolean => word !== "." && /^["']?[\w.][\w.*/{},-]*["']?$/.test(word);

/** Null for a file that is new. */
function basePathOf(path: string, files: InspectedChange["files"]): string | null {
  const file = files.find((one) => one.path === path);
  return file === undefined ? path : file.status === "added" ? null : file.basePath;
}

/** True if narrower patterns replaced wider ones, such as `lib/one.js` instead of `lib/**`. */
export function isSubset(before: readonly string[], after: readonly string[]): boolean {
  const fresh = after.filter((item) => !before.includes(item) && !item.startsWith("!"));
  const lost = before.filter((item) => !after.includes(item));
  const isWithin = (item: string, wide: string) => selects([wide], posix.normalize(item)) && !selects([item], wide);
  return fresh.length > 0 && fresh.every((item) => lost.some((wide) => isWithin(item, wide)));
}

export function selects(patterns: readonly string[], path: string): boolean {
  return patterns.some((given) => {
    const pattern = plainPath(given.replace(/^((?:\.\/)?(?:[\w./-]*\/)?)\.\.\.$/, "$1**").replace(/^<rootDir>\/?/, ""));
    if (/[*?[{]/.test(pattern)) return minimatch(path, pattern, {dot: true});
    return pattern === "" || pattern === "." || path === pattern || path.startsWith(`${pattern}/`);
  });
}
