/** `assay verify` in a repository with submodules: the checks see their files, or nothing is claimed. */
import {chmodSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {deflateSync} from "node:zlib";
import {beforeEach, expect, onTestFinished, test} from "vitest";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {isSweep} from "../sweep.ts";

const CHECK =
  "grep -q one vendor/lib/one.txt && grep -q deep vendor/lib/inner/deep.txt && git -C vendor/lib log -1 --format=%s";
let folder = "";

/** `vendor/lib` is a submodule whose name is not its path, and has a submodule of its own. */
beforeEach(() => {
  const inner = repositoryOf({"deep.txt": "deep\n"});
  const library = repositoryOf({"one.txt": "one\n"});
  gitIn(library)("submodule", "add", "-q", inner, "inner");
  gitIn(library)("commit", "-q", "-m", "With inner");
  folder = repositoryOf({
    "verify.json": JSON.stringify({stages: [{name: "test", command: CHECK}], setup: false, skipPatterns: []}),
    "a.txt": "a\n",
  });
  const made = [folder, library, inner];
  onTestFinished(() => {
    for (const one of made) rmSync(one, {recursive: true, force: true});
  });
  const git = gitIn(folder);
  git("submodule", "add", "-q", "--name", "library", library, "vendor/lib");
  git("submodule", "update", "-q", "--init", "--recursive");
  git("commit", "-q", "-m", "With a library");
  put(folder, {"a.txt": "changed\n"});
});

function verify() {
  const {status, record, left} = assay(folder, ["verify", "--json"]);
  const verdict = record?.verdict;
  return {status, left, verdict: verdict?.kind, detail: verdict?.kind === "unverified" ? verdict.detail : ""};
}

test("their files are in the checkout, with their history's tip, nested ones too", () => {
  expect(verify()).toEqual({status: 0, left: [], verdict: "verified", detail: ""});
});

if (isSweep)
  test("the commit that the tree names counts, not what lies in the folder", () => {
    put(folder, {"vendor/lib/one.txt": "two\n"});
    gitIn(join(folder, "vendor/lib"))("commit", "-q", "-a", "-m", "Not named by the tree");
    put(folder, {"vendor/lib/one.txt": "three\n"});
    expect(verify()).toMatchObject({status: 0, verdict: "verified"});
  });

if (isSweep)
  test("a folder that was emptied is no obstacle: the repository below .git/modules has the files", () => {
    rmSync(join(folder, "vendor/lib"), {recursive: true});
    put(folder, {"vendor/lib/.keep": ""});
    rmSync(join(folder, "vendor/lib/.keep"));
    expect(verify()).toMatchObject({status: 0, verdict: "verified"});
  });

test("without them nothing is claimed, and the sentence says what to do", () => {
  gitIn(folder)("submodule", "deinit", "-q", "--force", "--all");
  rmSync(join(folder, ".git/modules"), {recursive: true});
  expect(verify()).toMatchObject({
    status: 2,
    verdict: "unverified",
    detail: expect.stringMatching(/files of submodules are not on this machine: vendor\/lib\. .*submodules: recursive/),
  });
});

if (isSweep)
  test("an object whose content is not what its id says is not taken", () => {
    const git = gitIn(join(folder, "vendor/lib"));
    const id = git("rev-parse", "HEAD:one.txt");
    const file = join(git("rev-parse", "--absolute-git-dir"), "objects", id.slice(0, 2), id.slice(2));
    chmodSync(file, 0o644);
    writeFileSync(file, deflateSync(Buffer.from("blob 13\0one, and evil")));
    expect(verify()).toMatchObject({status: 2, verdict: "unverified", detail: expect.not.stringContaining("base")});
  });
