/** The names read from git's index are those that git itself lists, and an index of another form is left to git. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, describe, expect, it} from "vitest";
import {parseGitListing, viewPathTable} from "../../../../src/detect/files/file-list.ts";
import {parseIndex} from "../../../../src/detect/files/git-index.ts";
import {listFiles} from "../../../../src/detect/files/list-files.ts";
import {openProject} from "../../../../src/detect/files/open-project.ts";
import {openPrograms} from "../../../../src/process/own-programs.ts";
import {refused} from "../../../../src/record/words.ts";

const folders: string[] = [];
const withoutGit = {...openPrograms({}), find: () => refused("git is not installed on this machine")};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, {recursive: true, force: true});
});

const git = (folder: string, args: string[], input = "") =>
  execFileSync("git", ["-C", folder, ...args], {input, stdio: ["pipe", "pipe", "pipe"]});

/** A repository whose index has these paths, with modes where they are no plain files; nothing stands in the folder itself. */
function indexOf(paths: readonly string[], ...init: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-index-"));
  folders.push(folder);
  git(folder, ["init", "-q", ...init]);
  const blob = git(folder, ["hash-object", "-w", "--stdin"]).toString().trim();
  const line = (path: string) => (path.includes("\t") ? path.replace("ID", blob) : `100644 ${blob}\t${path}`);
  git(folder, ["update-index", "-z", "--index-info"], paths.map((path) => `${line(path)}\0`).join(""));
  return folder;
}

const indexFile = (folder: string) => join(folder, ".git/index");
const read = (folder: string) => parseIndex(readFileSync(indexFile(folder)), 0);
const mine = (folder: string) => {
  const names = read(folder);
  return names === null ? null : viewPathTable(names).below(".");
};
const gits = (folder: string) => parseGitListing(git(folder, ["ls-files", "-z", "--cached"])).below(".");

// A length of each kind for the padding, one that does not fit its field, and names that are no plain ASCII.
const PATHS = [
  ...Array.from({length: 20}, (_, i) => `a/${"n".repeat(i + 1)}`),
  `long/${"x".repeat(5000)}`,
  `full/${"y".repeat(4090)}`,
  "é/ü",
  "💡/\ue000",
  "new\nline",
  "z",
  "120000 ID\tlink",
  "100755 ID\trun.sh",
  `160000 ${"1".repeat(40)}\tsubmodule`,
  "100644 ID 1\tunmerged",
  "100644 ID 2\tunmerged",
  "100644 ID 3\tunmerged",
];

describe("git's index", () => {
  it("gives the names that git lists", () => {
    const folder = indexOf(PATHS);
    expect(mine(folder)).toEqual(gits(folder));
    expect(mine(folder)).toHaveLength(30);
    // Of a small one nobody wants them; git prints an unmerged name three times.
    const printed = git(folder, ["ls-files", "-z", "--cached"]).length;
    const index = readFileSync(indexFile(folder));
    expect([parseIndex(index, printed), parseIndex(index, printed - 1)?.ends.length]).toEqual([null, 32]);
  });
  it("gives them with entries of the longer form among the others", () => {
    const folder = indexOf(PATHS);
    git(folder, ["update-index", "--skip-worktree", "z", "a/n", "a/nnn"]);
    expect(readFileSync(indexFile(folder)).readUInt32BE(4)).toBe(3);
    expect(mine(folder)).toEqual(gits(folder));
  });
  it.each<[string, (folder: string) => void, string[]]>([
    ["with shortened names", (folder) => git(folder, ["update-index", "--index-version", "4"]), []],
    [
      "in two files",
      (folder) => {
        git(folder, ["update-index", "--split-index"]);
        git(folder, ["update-index", "--add", "--cacheinfo", "160000", "1".repeat(40), "later"]);
      },
      [],
    ],
    ["with longer hashes", () => {}, ["--object-format=sha256"]],
  ])("leaves one %s to git", (_, change, init) => {
    const folder = indexOf(PATHS.slice(0, 26), ...init);
    change(folder);
    expect(mine(folder)).toBeNull();
    expect(gits(folder).length).toBeGreaterThan(20);
  });
  it("leaves one that is cut short, or damaged, to git, or reads it to its end", () => {
    const whole = readFileSync(indexFile(indexOf(PATHS.slice(0, 20))));
    for (let length = 0; length < whole.length - 20; length++)
      expect(parseIndex(whole.subarray(0, length), 0)).toBeNull();
    // Another version, and the mode of a folder.
    for (const [at, value] of [
      [7, 4],
      [12 + 26, 0x40],
    ] as const)
      expect(
        parseIndex(Buffer.concat([whole.subarray(0, at), Buffer.of(value), whole.subarray(at + 1)]), 0),
      ).toBeNull();
    for (let at = 0; at < whole.length; at++) {
      const names = parseIndex(Buffer.concat([whole.subarray(0, at), Buffer.of(0xff), whole.subarray(at + 1)]), 0);
      expect((names?.ends ?? []).every((end) => end < whole.length)).toBe(true);
    }
  });
  it("is enough for a large tree, where git is not there at all", async () => {
    const paths = Array.from({length: 25_000}, (_, i) => `packages/package-${i % 50}/source/file-${i}.ts`);
    const folder = indexOf(paths);
    const project = await openProject(folder, {}, listFiles(folder, {}, withoutGit));
    expect(project.files).toEqual(paths.sort());
    expect(project.notes.map(({text}) => text)).toEqual(["this tree is large, so untracked files were not considered"]);
    // Through git the same.
    git(folder, ["update-index", "--index-version", "4"]);
    expect((await openProject(folder)).files).toEqual(paths);
    writeFileSync(indexFile(folder), "DIRC");
    expect((await openProject(folder)).notes[0]?.text).toContain("git could not list");
  });
});
