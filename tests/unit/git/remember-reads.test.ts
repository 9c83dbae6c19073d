/** Which calls of git run once. */
import {expect, test} from "vitest";
import type {Git} from "../../../src/git/git.ts";
import {rememberReads} from "../../../src/git/remember-reads.ts";
import {ok, refused} from "../../../src/record/words.ts";

const FOLDER = "/repository";
const [ONE, OTHER] = ["1".repeat(40), "2".repeat(40)];

function countedGit(refusals = 0) {
  const calls: string[] = [];
  const git: Git = async (args) => {
    calls.push(args.join(" "));
    if (calls.length <= refusals) return refused({code: 128, message: "not there yet", stdout: ""});
    return ok(`answer ${calls.length}`);
  };
  return {git: rememberReads(git, FOLDER), calls};
}

test("a listing or difference of ids runs once, also for calls at the same time", async () => {
  const {git, calls} = countedGit();
  const listing = ["ls-tree", "-r", "-z", ONE];
  const difference = ["diff-tree", "-r", "--end-of-options", ONE, OTHER];
  const answers = await Promise.all([git(listing), git(listing), git(difference)]);
  expect(answers.map((answer) => answer.ok && answer.value)).toEqual(["answer 1", "answer 1", "answer 2"]);
  expect(await git(difference)).toEqual(ok("answer 2"));
  expect(calls).toHaveLength(2);
});

test.each([
  ["a name, which may mean another commit later", ["ls-tree", "-r", "HEAD"]],
  ["a name beside an id", ["diff-tree", "-r", ONE, "main"]],
  ["another command", ["cat-file", "-e", ONE]],
  ["no revision", ["ls-tree", "-r", "--", ONE]],
])("%s runs each time", async (_, args) => {
  const {git, calls} = countedGit();
  await git(args);
  await git(args);
  expect(calls).toHaveLength(2);
});

test("a call with options of its own runs each time, and a failed one is tried again", async () => {
  const {git, calls} = countedGit(1);
  const listing = ["ls-tree", "-r", ONE];
  expect(await git(listing)).toMatchObject({ok: false});
  expect(await git(listing)).toEqual(ok("answer 2"));
  await git(listing, {gitDir: FOLDER});
  expect(calls).toHaveLength(2);
  await git(listing, {gitDir: "/elsewhere"});
  await git(listing, {timeoutMs: 1});
  expect(calls).toHaveLength(4);
});
