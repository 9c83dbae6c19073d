/** What the stop hook compares the work with, and when two works are equal. */
import {rmSync} from "node:fs";
import {expect, onTestFinished, test} from "vitest";
import {readWork} from "../../../src/cli/hook/work.ts";
import {type Git, hardenedGit} from "../../../src/git/git.ts";
import {gitIn, put, repositoryOf} from "../../rig/command-line.ts";

/** A branch `topic` with one commit on top of `main`. */
function project() {
  const folder = repositoryOf({"a.txt": "a\n", "old.txt": "old\n"});
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const git = gitIn(folder);
  const first = git("rev-parse", "HEAD");
  git("switch", "-qc", "topic");
  const commit = (text: string) => {
    put(folder, {"a.txt": text});
    git("commit", "-qam", text);
    return git("rev-parse", "HEAD");
  };
  return {folder, git, first, commit};
}
const read = async (folder: string, options: {base?: string; session?: string} = {}) => {
  const work = await readWork({folder, ...options});
  if (work === null) throw new Error("the work cannot be read");
  return work;
};

test("the base is where HEAD left its upstream branch, else the default branch of origin", async () => {
  const {folder, git, first, commit} = project();
  git("update-ref", "refs/remotes/origin/main", first);
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  const pushed = commit("pushed");
  expect(await read(folder)).toMatchObject({base: first, isUnchanged: false});
  git("update-ref", "refs/remotes/origin/topic", pushed);
  git("remote", "add", "origin", "https://example.invalid/");
  git("branch", "-q", "--set-upstream-to=origin/topic");
  expect(await read(folder)).toMatchObject({base: pushed, isUnchanged: true});
  const last = commit("broken");
  expect(await read(folder)).toMatchObject({base: pushed, isUnchanged: false});
  expect(await read(folder, {base: "HEAD"})).toMatchObject({base: last, isUnchanged: true});
  expect(await read(folder, {base: "-q"})).toMatchObject({base: "-q", isUnchanged: false, key: null});
});

test("after a rebase, the base is where HEAD left the default branch, without what others merged", async () => {
  const {folder, git, first, commit} = project();
  git("remote", "add", "origin", "https://example.invalid/");
  git("update-ref", "refs/remotes/origin/topic", commit("pushed"));
  git("branch", "-q", "--set-upstream-to=origin/topic");
  git("reset", "-q", "--hard", first);
  const merged = commit("merged by others");
  git("update-ref", "refs/remotes/origin/main", merged);
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  commit("rebased");
  expect(await read(folder)).toMatchObject({base: merged, isUnchanged: false});
});

test("without a remote, the base is HEAD at the first stop of the session", async () => {
  const {folder, git, first, commit} = project();
  expect(await read(folder, {session: "one"})).toMatchObject({base: first, isUnchanged: true});
  const second = commit("broken");
  expect(await read(folder, {session: "one"})).toMatchObject({base: first, isUnchanged: false});
  expect(await read(folder, {session: "two"})).toMatchObject({base: second, isUnchanged: true});
  expect(await read(folder)).toMatchObject({base: second, isUnchanged: true});
  // The commit of session two's first stop is gone from the history, and what replaced it is still compared.
  git("commit", "-q", "--amend", "-m", "other");
  expect(await read(folder, {session: "two"})).toMatchObject({base: first, isUnchanged: false});
});

test("work has the same key before and after its commit, and another one with other content or another base", async () => {
  const {folder, git, first} = project();
  const keyNow = async (base = first) => (await read(folder, {base})).key;
  put(folder, {"a.txt": "b\n", "new.txt": "new\n"});
  rmSync(`${folder}/old.txt`);
  const key = await keyNow();
  expect(key).toMatch(/^\w{64}$/);
  git("add", "--all");
  git("commit", "-qm", "All");
  expect(await keyNow()).toBe(key);
  put(folder, {"a.txt": "c\n"});
  const edited = await keyNow();
  // A sparse checkout leaves this file out, so only the index has its content.
  rmSync(`${folder}/new.txt`);
  git("commit", "-q", "--allow-empty", "-m", "Nothing");
  const keys = [key, edited, await keyNow("HEAD"), await keyNow("HEAD^")];
  for (const path of ["a.txt", ".gitignore"]) {
    put(folder, {".gitignore": "other\n"});
    git("update-index", "--cacheinfo", `100644,${git("hash-object", "-w", path)},new.txt`);
    git("update-index", "--skip-worktree", "new.txt");
    keys.push(await keyNow());
  }
  expect(new Set(keys).size).toBe(6);
});

test("the work is read with five calls of git, four of them at the same time", async () => {
  const {folder} = project();
  const git = hardenedGit({folder, variables: process.env});
  const running: number[] = [];
  let open = 0;
  const countingGit: Git = async (...call) => {
    open += 1;
    running.push(open);
    const answer = await git(...call);
    open -= 1;
    return answer;
  };
  expect(await readWork({folder}, countingGit)).toMatchObject({isUnchanged: true});
  expect(running).toEqual([1, 2, 3, 4, 1]);
});
