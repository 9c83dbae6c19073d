/** The tree of a person's folder is the one that git makes of it, whatever the person's settings are. */

import {execFileSync} from "node:child_process";
import {chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {afterEach, beforeEach, expect, test, vi} from "vitest";
import {captureFolder} from "../../../src/cli/capture-folder.ts";
import {NO_INDEX} from "../../../src/git/local-state.ts";
import {openRepository} from "../../../src/git/repository.ts";
import {snapshotFolder} from "../../../src/git/snapshot.ts";

let scratch = "";
let folder = "";
const home = () => join(scratch, "home");
const variables = () => ({
  ...{PATH: process.env["PATH"], HOME: home(), GIT_CONFIG_NOSYSTEM: "1"},
  XDG_CONFIG_HOME: process.env["XDG_CONFIG_HOME"],
});
/** git as the person runs it, with their settings. */
const git = (args: readonly string[], cwd = folder): string =>
  execFileSync("git", args, {
    ...{cwd, encoding: "utf8"},
    env: {
      ...variables(),
      ...{
        GIT_AUTHOR_NAME: "A",
        GIT_AUTHOR_EMAIL: "a@example.com",
        GIT_COMMITTER_NAME: "A",
        GIT_COMMITTER_EMAIL: "a@example.com",
      },
    },
  });
const write = (files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), text);
  }
};

beforeEach(() => {
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  scratch = mkdtempSync(join(tmpdir(), "assay-git-tree-"));
  folder = join(scratch, "work");
  for (const one of [folder, join(home(), ".config/git")]) mkdirSync(one, {recursive: true});
  git(["init", "-q", "-b", "main"]);
  write({
    "a.txt": "one\ntwo\n",
    "bin/run.sh": "#!/bin/sh\n",
    "Read.md": "x\n",
    ".gitignore": "gen/\n",
    "crlf.bin": "a\r\n\0",
  });
  git(["add", "-A"]);
  git(["commit", "-qm", "one"]);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, {recursive: true});
});

async function capture(base = "HEAD") {
  const opened = await openRepository({
    folder: join(scratch, "repository"),
    source: {kind: "local", folder},
    variables: variables(),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  const options = {repository: opened.value, folder, base: git(["rev-parse", base]).trim()};
  return {...options, captured: await captureFolder(options)};
}

/** The tree that `git add --all` gives, in a copy of the folder. */
function treeOfGit(): string {
  const copy = join(scratch, "copy");
  cpSync(folder, copy, {recursive: true, verbatimSymlinks: true, preserveTimestamps: true});
  git(["add", "--all"], copy);
  return git(["write-tree"], copy).trim();
}

const CASES: Readonly<Record<string, () => void>> = {
  "core.fileMode=false": () => {
    git(["config", "core.fileMode", "false"]);
    for (const path of ["a.txt", "bin/run.sh", "Read.md"]) chmodSync(join(folder, path), 0o777);
  },
  "core.autocrlf of the user": () => {
    git(["config", "--global", "core.autocrlf", "true"]);
    write({"a.txt": "one\r\ntwo\r\n", "new.txt": "x\r\n"});
  },
  "core.autocrlf=input, and attributes": () => {
    git(["config", "core.autocrlf", "input"]);
    write({
      ".gitattributes": "*.txt -text\n*.md text eol=crlf\n",
      "a.txt": "one\r\n",
      "Read.md": "x\r\n",
      "b.c": "x\r\n",
    });
  },
  "core.symlinks=false": () => {
    git(["update-index", "--add", "--cacheinfo", `120000,${git(["hash-object", "-w", "a.txt"]).trim()},link`]);
    git(["commit", "-qm", "two"]);
    git(["config", "core.symlinks", "false"]);
    write({link: "one\ntwo\n"});
  },
  "core.ignoreCase=true": () => {
    git(["config", "core.ignoreCase", "true"]);
    renameSync(join(folder, "Read.md"), join(folder, "read.md"));
  },
  "files that the person excludes": () => {
    write({".git/info/exclude": "*.note\n", "my.note": "x\n", "kept.txt": "x\n", ".idea/x": "x\n"});
    writeFileSync(join(home(), ".config/git/ignore"), ".idea/\n");
  },
  "files that the person excludes in $XDG_CONFIG_HOME": () => {
    const settings = join(scratch, "settings");
    vi.stubEnv("XDG_CONFIG_HOME", settings);
    mkdirSync(join(settings, "git"), {recursive: true});
    writeFileSync(join(settings, "git/ignore"), "my.note\n");
    writeFileSync(join(settings, "git/attributes"), "*.c text\n");
    write({"my.note": "x\n", ".idea/x": "x\n", "b.c": "x\r\n"});
  },
  "info/attributes, which take precedence": () => {
    write({
      ".git/info/attributes": "*.txt text eol=crlf\n",
      ".gitattributes": "*.txt -text\n",
      "a.txt": "one\r\ntwo\r\n",
    });
  },
  "core.attributesFile": () => {
    git(["config", "core.attributesFile", "~/own"]);
    writeFileSync(join(home(), "own"), "*.txt text\n*.md -text\n");
    write({"a.txt": "one\r\ntwo\r\n", "Read.md": "x\r\n"});
  },
  "a split index": () => {
    git(["config", "core.splitIndex", "true"]);
    git(["update-index", "--split-index"]);
    write({"a.txt": "two\n", "new.txt": "x\n"});
  },
  "an ignored file that was added": () => {
    write({"gen/a.js": "1\n", "gen/b.js": "2\n"});
    git(["add", "-f", "gen/a.js"]);
    git(["commit", "-qm", "two"]);
  },
  "a tracked file that is not tracked any more": () => {
    write({"gen/a.js": "1\n"});
    git(["add", "-f", "gen/a.js"]);
    git(["commit", "-qm", "two"]);
    git(["rm", "-q", "--cached", "gen/a.js"]);
  },
  "a file that is only intended to be added": () => {
    write({"later.txt": "x\n"});
    git(["add", "-N", "later.txt"]);
    git(["rm", "-q", "a.txt"]);
  },
  "a staged mode": () => {
    git(["config", "core.fileMode", "false"]);
    write({"bin/new.sh": "x\n"});
    git(["add", "--chmod=+x", "bin/new.sh"]);
  },
};

test.each(Object.entries(CASES))("%s", async (_, change) => {
  change();
  const commits = [
    ["rev-parse", "HEAD"],
    ["rev-list", "--max-parents=0", "HEAD"],
  ].map((args) => git(args).trim());
  for (const base of new Set(commits)) {
    const {captured} = await capture(base);
    expect(captured).toMatchObject({ok: true, value: {candidate: {tree: treeOfGit()}}});
    rmSync(join(scratch, "copy"), {recursive: true});
    rmSync(join(scratch, "repository"), {recursive: true});
  }
});

test("a file that changes within the second of the index, and keeps its size, is seen", async () => {
  while (Date.now() % 1000 > 200) await new Promise((resolve) => setTimeout(resolve, 5));
  write({"a.txt": "two\none\n"});
  git(["add", "a.txt"]);
  write({"a.txt": "ten\nsix\n"});
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const {captured} = await capture();
  expect(captured).toMatchObject({ok: true, value: {candidate: {tree: treeOfGit()}}});
});

test("a tree that differs from git's is refused with both ids", async () => {
  write({"gen/a.js": "1\n"});
  git(["add", "-f", "gen/a.js"]);
  const {repository, base} = await capture();
  const own = {
    ...NO_INDEX,
    tracked: [],
    settings: [],
    gitDir: repository.folder,
    indexFile: join(folder, ".git", "index"),
  };
  const snapshot = await snapshotFolder({repository, folder, commit: base, own});
  const message = new RegExp(
    `^git makes the tree ${treeOfGit()} of this folder, and Assay [0-9a-f]{40}; they differ in gen/a\\.js`,
  );
  expect(snapshot).toMatchObject({ok: false, failure: {message: expect.stringMatching(message)}});
});

test("a filter that info/attributes name does not run", async () => {
  write({".git/info/attributes": "*.txt filter=own\n", "a.txt": "two\n"});
  git(["config", "filter.own.clean", `touch ${join(scratch, "ran")}; cat`]);
  const {captured} = await capture();
  expect(captured.ok).toBe(true);
  expect(existsSync(join(scratch, "ran"))).toBe(false);
});

test("a note names the changes that git does not look for", async () => {
  write({"later.txt": "x\n"});
  git(["add", "later.txt"]);
  git(["update-index", "--assume-unchanged", "a.txt", "Read.md", "later.txt"]);
  write({"a.txt": "two\n"});
  const {captured} = await capture();
  const text = expect.stringMatching(/^`?a\.txt`?: .*git does not commit these changes by itself/);
  expect(captured).toMatchObject({ok: true, value: {notes: [{about: "git", text}]}});
  write({"a.txt": "one\ntwo\n"});
  rmSync(join(scratch, "repository"), {recursive: true});
  expect((await capture()).captured).toMatchObject({ok: true, value: {notes: []}});
});
