/** The list of files answers as a plain list of strings would, over random trees with odd names. */
import {describe, expect, it} from "vitest";
import {createFileList, type FileList, parseGitListing} from "../../../../src/detect/files/file-list.ts";

const NAMES = [
  "a",
  "b",
  "a.ts",
  "a-b",
  "a0",
  ".a",
  "é",
  "💡",
  "\ufffd",
  "\ue000",
  "a b",
  "a\nb",
  "*",
  "a\\b",
  "x.csproj",
  "package.json",
  "(",
  "$",
];
const PATTERNS = ["package.json", "*.csproj", "a", "a*", "*a", "*", "a*b", "(", "a\\b", "é", "*💡", "none"];

/** Numbers that are the same in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function treeOf(seed: number): string[] {
  const next = random(seed);
  const names = seed % 2 === 0 ? NAMES : NAMES.filter((name) => /^[ -~\n]+$/.test(name));
  const pick = () => names[next(names.length)] ?? "";
  return Array.from({length: next(60)}, () => Array.from({length: 1 + next(4)}, pick).join("/"));
}

/** The same questions, asked of an array. */
function naive(paths: readonly string[]): FileList {
  const sorted = [...new Set(paths)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const start = (folder: string) => (folder === "." ? "" : `${folder}/`);
  const fits = (pattern: string, name: string) => {
    const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
  };
  return {
    isEmpty: sorted.length === 0,
    has: (path) => sorted.includes(path),
    below: (folder) => sorted.filter((path) => path.startsWith(start(folder))),
    inFolder: (folder) =>
      sorted.filter((path) => path.startsWith(start(folder)) && !path.includes("/", start(folder).length)),
    search: (patterns) =>
      new Map(patterns.map((one) => [one, sorted.filter((path) => fits(one, path.split("/").at(-1) ?? ""))])),
  };
}

/** As git prints: by bytes, each path ended by NUL, the sides of an unmerged one after the other. */
function printed(paths: readonly string[]): Buffer {
  const inOrder = [...new Set(paths)].map((path) => Buffer.from(path)).sort(Buffer.compare);
  return Buffer.concat(
    inOrder.flatMap((path, i) => Array.from({length: i % 3 === 0 ? 2 : 1}, () => [path, Buffer.of(0)])).flat(),
  );
}

function differences(list: FileList, paths: readonly string[]): string[] {
  const plain = naive(paths);
  const folders = [".", "a", "é/a", "none", ...paths.flatMap((path) => [path, path.slice(0, path.lastIndexOf("/"))])];
  const asked = ["", "\0", "a\0b", "zz", ...paths, ...folders, ...paths.map((path) => `${path}x`)];
  const same = (question: string, mine: unknown, other: unknown) =>
    JSON.stringify(mine) === JSON.stringify(other) ? [] : [question];
  return [
    ...asked.flatMap((path) => same(`has ${path}`, list.has(path), plain.has(path))),
    ...folders
      .filter((folder) => folder !== "" && folder.isWellFormed())
      .flatMap((folder) => [
        ...same(`below ${folder}`, list.below(folder), plain.below(folder)),
        ...same(`in ${folder}`, list.inFolder(folder), plain.inFolder(folder)),
      ]),
    ...same("search", [...list.search(PATTERNS)], [...plain.search(PATTERNS)]),
    ...PATTERNS.flatMap((one) => same(`search ${one}`, [...list.search([one])], [...plain.search([one])])),
    ...same("no search", [...list.search([])], []),
  ];
}

describe("a list of files", () => {
  it.each(Array.from({length: 60}, (_, seed) => seed))("answers as an array does, tree %i", (seed) => {
    const paths = treeOf(seed);
    expect(differences(createFileList(paths), paths)).toEqual([]);
    expect(differences(parseGitListing(printed(paths)), paths)).toEqual([]);
  });
  it("tells that it is empty", () => {
    expect(
      [createFileList([]), parseGitListing(Buffer.alloc(0)), createFileList(["a"])].map((list) => list.isEmpty),
    ).toEqual([true, true, false]);
  });
  it("differs where a list is wrong", () => {
    expect(differences(createFileList(["a", "b"]), ["a"])).not.toEqual([]);
    // Git's order of bytes taken for an order of characters finds nothing behind the first name that is out of order.
    expect(differences(createFileList(["\u{1f4a1}/a"]), ["\ufffd/a"])).not.toEqual([]);
  });
});
