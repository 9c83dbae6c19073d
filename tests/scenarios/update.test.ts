/** `/update` merges the default branch into Assay's branch: a new commit with two parents, verified whole. */
import {existsSync} from "node:fs";
import {mkdir, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {setTimeout as pause} from "node:timers/promises";
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

const BRANCH = "refs/heads/assay/issue-1";
const OTHER = "export const product = (one, other) => other * one;\n";

/** A pull request of Assay, and a newer commit on the default branch. */
async function outdated(how: object, files: Record<string, string>) {
  const rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  const run = await rig.comment("/assay multiply", {...how, by: "will"});
  const tip = await rig.origin.commit({files});
  return {rig, pull: run.pullRequests[0]?.number ?? 0, head: run.outputs.commit ?? "", tip};
}

test.each(someOf(MODES))("the agent solves conflicts, and no file keeps their markers, in $mode", async ({how}) => {
  const {rig, pull, head, tip} = await outdated(how, {"src/product.js": OTHER});
  await using _rig = rig;
  const seen = bash("cp src/product.js ../seen.js || true; grep -c '^[<=>]\\{7\\}' src/product.js");
  rig.model.script([
    {when: /src\/product\.js/, do: [seen], say: "It is solved."},
    {when: /src\/product\.js/, do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Solved."},
  ]);
  const lazy = await rig.comment("/update", {...how, by: "will", on: pull});
  await assertPromises(rig, lazy);
  expect(rig.model.prompts.at(-1)).toContain(`assay/issue-1 (${head.slice(0, 12)})`);
  expect(lazy.record).toMatchObject({
    verdict: {kind: "unverified", detail: "git's conflict markers are still in src/product.js"},
    publication: {kind: "parked"},
  });
  expect(await rig.origin.resolve(BRANCH)).toBe(head);
  expect(lazy.comments.at(-1)?.body).toContain("comment `/update`");

  if (isSweep) {
    const lost = await rig.comment("/continue keep the order", {...how, by: "will", on: pull, noModel: true});
    await assertPromises(rig, lost);
    expect(lost.record).toMatchObject({failures: [{kind: "update-refused"}], attempts: []});
    expect(lost.comments.at(-1)?.body).toContain("comment `/update <hint>` to merge again");
    expect(await rig.origin.resolve(BRANCH)).toBe(head);
  }

  const update = await rig.comment("/update keep the order", {...how, by: "will", on: pull});
  await assertPromises(rig, update);
  expect(rig.model.prompts.at(-1)).toContain("keep the order");
  expect(update.record).toMatchObject({
    request: {kind: "update", conflicts: ["src/product.js"], hint: "keep the order"},
    verdict: {kind: "verified"},
    publication: {kind: "published", parent: head, merges: tip},
  });
  expect(await rig.origin.read(BRANCH, "src/product.js")).toBe(PRODUCT_FILES.right);
  if (!isSweep) return;
  rig.model.script([{when: "as before", do: [writeFileAt("src/two.js", "export const two = 2;\n")], say: "Added."}]);
  const further = await rig.comment("/continue as before", {...how, by: "will", on: pull});
  await assertPromises(rig, further);
  expect(further.record).toMatchObject({publication: {kind: "published", parent: update.outputs.commit}});
});

if (isSweep) {
  test.each(MODES)("the default branch is merged without the agent, in $mode", async ({how}) => {
    // A workflow of the default branch is no change of the pull request.
    const files = {"tests/zero.test.js": ZERO, ".github/workflows/ci.yml": "on: push\njobs: {}\n"};
    const {rig, pull, head, tip} = await outdated(how, files);
    await using _rig = rig;
    const update = await rig.comment("/update", {...how, by: "will", on: pull, noModel: true});
    await assertPromises(rig, update);
    expect(update.record).toMatchObject({
      verdict: {kind: "verified"},
      publication: {kind: "published", ref: BRANCH, parent: head, merges: tip},
      attempts: [{turn: null, changes: [{path: "src/product.js"}, {path: "tests/product.test.js"}]}],
    });
    expect((await rig.origin.facts(BRANCH)).message).toMatch(/^Merge branch "main"\n/);
    expect(Object.keys(await rig.origin.tree(BRANCH))).toContain("tests/zero.test.js");
    expect(update.comments.at(-1)?.body).toContain("This merges `main`");

    const again = await rig.comment("/update", {...how, by: "will", on: pull, noModel: true});
    await assertPromises(rig, again);
    expect(again.exitCode).toBe(0);
    expect(again.record?.verdict).toMatchObject({kind: "nothing-to-verify", why: "up-to-date"});
  });

  test.each(MODES)("an update that loses a person's file is saved, and the branch stays, in $mode", async ({how}) => {
    const {rig, pull} = await outdated(how, {"src/product.js": OTHER});
    await using _rig = rig;
    const head = await rig.origin.commit({branch: BRANCH.slice(11), files: {"src/own.js": "export {};\n"}});
    const turn = [writeFileAt("src/product.js", PRODUCT_FILES.right), bash("rm src/own.js")];
    rig.model.script([{when: "src/product.js", do: turn, say: "Solved."}]);
    const update = await rig.comment("/update", {...how, by: "will", on: pull});
    await assertPromises(rig, update);
    expect(update.record).toMatchObject({
      verdict: {
        kind: "unverified",
        detail: expect.stringContaining("files without a conflict lost the branch's changes: src/own.js"),
      },
      publication: {kind: "parked"},
    });
    expect(await rig.origin.resolve(BRANCH)).toBe(head);
  });

  test("a conflict without markers is refused before the agent works, and so is the memory's branch", async () => {
    const rig = await createRig({files: plain({files: {"NOTES.md": "notes\n"}}), onFailed: onTestFailed});
    await using _rig = rig;
    const notes = writeFileAt("NOTES.md", "notes\nmore\n");
    const picture = bash("printf 'PNG\\0branch' > logo.png");
    rig.model.script([{when: "multiply", do: [...WRITES.right, notes, picture], say: "Products are there."}]);
    const {pullRequests} = await rig.comment("/assay multiply", {by: "will"});
    const head = await rig.origin.resolve(BRANCH);
    await rig.origin.commit({files: {"NOTES.md": null, "logo.png": "PNG\0main", "src/product.js": OTHER}});
    const update = await rig.comment("/update", {by: "will", on: pullRequests[0]?.number ?? 0, noModel: true});
    await assertPromises(rig, update);
    expect(update.record).toMatchObject({
      failures: [{kind: "update-refused", paths: ["NOTES.md", "logo.png"]}],
      attempts: [],
    });
    expect(await rig.origin.resolve(BRANCH)).toBe(head);
    const memory = await rig.openPullRequest({title: "Memory", branch: "assay/memory", files: {"a.json": "{}\n"}});
    const ofMemory = await rig.comment("/update", {by: "will", on: memory, noModel: true});
    await assertPromises(rig, ofMemory);
    expect(ofMemory.record).toMatchObject({failures: [{kind: "update-refused"}], attempts: []});
  });

  test("a merge that fails the checks is saved, and the branch stays", async () => {
    const {rig, pull, head} = await outdated({}, {"src/product.js": OTHER});
    await using _rig = rig;
    const wrong = [writeFileAt("src/product.js", PRODUCT_FILES.wrong)];
    rig.model.script([{when: "conflict", do: wrong, say: "Solved."}, ...[1, 2].map(() => ({when: "", say: "It is."}))]);
    const update = await rig.comment("/update", {by: "will", on: pull});
    await assertPromises(rig, update);
    expect(update.record?.publication.kind).toBe("parked");
    expect(await rig.origin.resolve(BRANCH)).toBe(head);
  });

  test.each(MODES)(
    "forks, closed pull requests and people without write access change nothing, in $mode",
    async ({how}) => {
      const {rig, pull, head} = await outdated(how, {"NOTES.md": "notes\n"});
      await using _rig = rig;
      const outside = await rig.comment("/update", {...how, by: "otto", on: pull, noModel: true});
      expect(outside.comments.at(-1)?.body).toContain("only people with write access");
      const fork = await rig.openForkPullRequest({
        title: "Fork",
        fork: "otto/demo",
        branch: "assay/issue-1",
        files: {"FORK.md": "fork\n"},
      });
      const ofFork = await rig.comment("/update", {...how, by: "will", on: fork, noModel: true});
      expect(ofFork.comments.at(-1)?.body).toContain("does not work on pull requests from forks");
      await rig.github.as("will", "PATCH", `/repos/${rig.origin.name}/pulls/${pull}`, {state: "closed"});
      const closed = await rig.comment("/update", {...how, by: "will", on: pull, noModel: true});
      expect(closed.comments.at(-1)?.body).toContain("This pull request is closed");
      for (const run of [outside, ofFork, closed]) {
        await assertPromises(rig, run, {nothingAsked: true});
        expect(run.record).toBeNull();
      }
      expect(await rig.origin.resolve(BRANCH)).toBe(head);
    },
  );

  test("a person's branch and an issue without a pull request are refused", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const pull = await rig.openPullRequest({title: "Notes", branch: "notes", files: {"NOTES.md": "notes\n"}});
    const own = await rig.comment("/update", {by: "will", on: pull, noModel: true});
    await assertPromises(rig, own);
    expect(own.record?.failures).toMatchObject([{kind: "update-refused", message: "notes is not a branch of Assay"}]);
    const issue = await rig.openIssue({title: "Add products"});
    const none = await rig.comment("/update", {by: "will", on: issue, noModel: true});
    await assertPromises(rig, none);
    expect(none.record?.failures).toMatchObject([{kind: "update-refused"}]);
  });
}

const ZERO = [
  'import assert from "node:assert/strict";',
  'import {test} from "node:test";',
  'import {sum} from "../src/sum.js";',
  "",
  'test("zero", () => assert.equal(sum(0, 0), 0));',
  "",
].join("\n");

if (isSweep)
  test("an update that dies after its push is reported as published", async () => {
    const {rig, pull, tip} = await outdated({}, {"NOTES.md": "notes\n"});
    await using _rig = rig;
    const pushed = join(rig.folder, "pushed");
    const hooks = join(rig.origin.folder, "hooks");
    await mkdir(hooks, {recursive: true});
    await writeFile(join(hooks, "post-receive"), `#!/bin/sh\ntouch '${pushed}'\nsleep 4\n`, {mode: 0o755});
    const update = await rig.begin("/update", {by: "will", on: pull, noModel: true});
    while (!existsSync(pushed)) await pause(50);
    update.kill("SIGKILL");
    const outcome = await update.ended;
    const {parents} = await rig.origin.facts(BRANCH);
    expect(parents).toContain(tip);
    expect(outcome.record).toMatchObject({publication: {kind: "published", ref: BRANCH}});
    await assertPromises(rig, outcome);
  });
