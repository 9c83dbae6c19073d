/** `/undo` takes back Assay's newest run in a branch, keeps the commits of others, and believes no copied message. */
import {expect, onTestFailed, test} from "vitest";
import {editFile} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

const BRANCH = "refs/heads/assay/issue-1";

test.each(someOf(MODES))("a run is taken back under later commits, and no forged one, in $mode", async ({how}) => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  const run = await rig.comment("/assay multiply", {...how, by: "will"});
  await assertPromises(rig, run);
  const pull = run.pullRequests[0]?.number ?? 0;
  const {message} = await rig.origin.facts(run.outputs.commit ?? "");
  const later = await rig.origin.commit({branch: "assay/issue-1", files: {"NOTES.md": "notes\n"}, author: WILL});
  // The default branch moves too, and has a test that this branch lacks.
  await rig.origin.commit({files: {"tests/zero.test.js": ZERO}});

  const undo = await rig.comment("/undo because it adds a dependency", {...how, by: "will", on: pull, noModel: true});
  await assertPromises(rig, undo);
  const memory = undo.pullRequests.find(({head}) => head === "assay/memory");
  expect(memory?.body).toContain("| new | `rejected: it adds a dependency` |");
  expect(undo.record).toMatchObject({
    verdict: {kind: "verified"},
    undoes: {commit: run.outputs.commit},
    publication: {kind: "published", ref: BRANCH, parent: later},
  });
  expect(undo.record?.integrity ?? []).toEqual([]);
  const paths = Object.keys(await rig.origin.tree(BRANCH));
  expect(paths).toContain("NOTES.md");
  expect(paths.filter((path) => path.includes("product"))).toEqual([]);
  const facts = await rig.origin.facts(BRANCH);
  expect(facts.message).toMatch(new RegExp(`^Undo "Multiply"\n[\\s\\S]*\nAssay-Undoes: ${run.outputs.commit}\n`));
  expect(undo.comments.at(-1)?.body).toContain("This reverts");

  // `tests/unit/publish/last-run.test.ts` has it in each run.
  if (!isSweep) return;
  // The same message with the ids of this commit, by a person: nothing of Assay is left to undo.
  const {tree, commit} = facts;
  const forged = message.replace(/Tree: \w+/, `Tree: ${tree}`).replace(/Base: \w+/, `Base: ${commit}`);
  await rig.origin.commit({branch: "assay/issue-1", files: {}, message: forged, author: BOT});
  const none = await rig.comment("/undo", {...how, by: "will", on: pull, noModel: true});
  await assertPromises(rig, none);
  expect(none.exitCode).toBe(0);
  expect(none.record?.verdict).toMatchObject({kind: "nothing-to-verify", why: "nothing-saved"});
});

if (isSweep)
  test("later commits in the same lines are kept, and the refusal names the files and the next step", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
    await rig.comment("/assay multiply", {by: "will"});
    const edited = PRODUCT_FILES.right.replace("one * other", "other * one");
    await rig.origin.commit({branch: "assay/issue-1", files: {"src/product.js": edited}, author: WILL});
    const before = await rig.origin.resolve(BRANCH);
    const undo = await rig.comment("/undo", {by: "will", noModel: true});
    await assertPromises(rig, undo);
    expect(undo.record?.failures).toMatchObject([{kind: "undo-refused", paths: ["src/product.js"]}]);
    expect(undo.comments.at(-1)?.body).toMatch(/Nothing was undone[\s\S]*git revert[\s\S]*`?src\/product\.js/);
    expect(await rig.origin.resolve(BRANCH)).toBe(before);
  });

if (isSweep) {
  test("work that repaired the checks of others is not taken back in silence", async () => {
    await using rig = await createRig({files: plain({files: {"tests/zero.test.js": ZERO}}), onFailed: onTestFailed});
    const skipped = (await rig.origin.read("main", "tests/sum.test.js"))?.replace("test(", "test.skip(") ?? "";
    const files = {"tests/sum.test.js": skipped, "NOTES.md": "notes\n"};
    const pull = await rig.openPullRequest({title: "Notes", branch: "notes", files, by: "will"});
    const repair = editFile("tests/sum.test.js", "test.skip(", "test(");
    rig.model.script([{when: "enable the test", do: [repair], say: "It runs."}]);
    const run = await rig.comment("/assay enable the test", {by: "will", on: pull});
    await assertPromises(rig, run);
    expect(run.record?.publication.kind).toBe("published");
    const undo = await rig.comment("/undo", {by: "will", on: pull, noModel: true});
    await assertPromises(rig, undo);
    expect(undo.record).toMatchObject({verdict: {kind: "tampered"}, publication: {kind: "parked"}});
  });

  test("work on the default branch is taken back as well", async () => {
    await using rig = await createRig({files: plain({verify: {publish: "direct"}}), onFailed: onTestFailed});
    rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
    await rig.comment("/assay multiply", {by: "will"});
    const undo = await rig.comment("/undo", {by: "will", noModel: true});
    await assertPromises(rig, undo);
    expect(undo.outputs).toMatchObject({verdict: "verified", branch: "main"});
    const {tree} = await rig.origin.facts(rig.base);
    expect((await rig.origin.facts("refs/heads/main")).tree).toBe(tree);
  });
}

const WILL = "Will Writer <will@example.com>";
const BOT = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>";
const ZERO = [
  'import assert from "node:assert/strict";',
  'import {test} from "node:test";',
  'import {sum} from "../src/sum.js";',
  "",
  'test("zero", () => assert.equal(sum(0, 0), 0));',
  "",
].join("\n");
