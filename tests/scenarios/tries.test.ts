/** Several tries of one request: each starts anew, one is chosen by evidence, and the work of the others is saved. */
import {expect, onTestFailed, test} from "vitest";
import {type Action, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

const turn = (actions: readonly Action[], say: string) => ({when: "multiply", do: actions, say, isAnew: true as const});
const NOTES = writeFileAt("NOTES.md", "left\n");
const LONG = writeFileAt("src/product.js", `// ${"long\n// ".repeat(30)}\n${PRODUCT_FILES.right}`);
const [, PRODUCT_TEST] = WRITES.right;
const LEVELS = {maxFixAttempts: 0, integrity: {sensitivity: "off"}, executedLines: false};

test.each(someOf(MODES))("tries end with the first verified one, in $mode", async ({how}) => {
  await using rig = await createRig({files: plain({verify: LEVELS}), onFailed: onTestFailed});
  rig.model.script([turn([...WRITES.wrong, NOTES], "Wrong."), turn(WRITES.right, "Right."), turn([], "Not asked.")]);
  const run = await rig.comment("/assay tries=3 multiply", {...how, by: "will"});
  await assertPromises(rig, run);
  expect(rig.model.history.slice(0, 2)).toEqual([0, 0]);
  expect(rig.model.used()).toBe(2);
  expect(run.record).toMatchObject({
    request: {kind: "work", text: "multiply", tries: 3},
    verdict: {kind: "verified"},
    attempts: [{turn: {answer: "Right."}}],
    publication: {kind: "published"},
    tries: {chosen: 2, ties: [], rows: [{verdict: {kind: "failed"}, ref: "refs/assay/parked/issue-1"}, {number: 2}]},
  });
  // What the first try left is not in the second one's work, and is kept.
  expect(Object.keys(await rig.origin.tree("refs/heads/assay/issue-1"))).not.toContain("NOTES.md");
  expect(Object.keys(await rig.origin.tree("refs/assay/parked/issue-1"))).toContain("NOTES.md");
  expect(run.comments.at(-1)?.body).toMatch(
    /\| 1 \| ❌ failed .*`refs\/assay\/parked\/issue-1` \|\n\| \*\*2\*\* \| ✅/,
  );
});

if (isSweep) {
  test.each(MODES)("the smaller of two verified tries is chosen, in $mode", async ({how}) => {
    const verify = {...LEVELS, tries: {count: 3, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    rig.model.script([
      turn([LONG, PRODUCT_TEST as Action], "Long."),
      turn(WRITES.right, "Short."),
      turn(WRITES.wrong, "Wrong."),
    ]);
    const run = await rig.comment("/assay multiply", {...how, by: "will"});
    await assertPromises(rig, run);
    expect(run.record).toMatchObject({
      attempts: [{turn: {answer: "Short."}}],
      publication: {kind: "published"},
      tries: {
        mode: "best",
        chosen: 2,
        rows: [{ref: "refs/assay/parked/issue-1"}, {}, {ref: "refs/assay/parked/issue-1-2"}],
      },
    });
  });

  test.each(MODES)("a try with a secret is not saved, and the report says so, in $mode", async ({how}) => {
    const verify = {...LEVELS, tries: {count: 3, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    const secret = writeFileAt("src/setup.js", `export const setup = "${rig.model.key}";\n`);
    rig.model.script([
      turn([...WRITES.wrong, secret], "Secret."),
      turn([...WRITES.wrong, NOTES], "Wrong."),
      turn(WRITES.wrong, "Smaller."),
    ]);
    const run = await rig.comment("/assay multiply", {...how, by: "will"});
    await assertPromises(rig, run);
    expect(run.record?.tries).toMatchObject({
      chosen: 3,
      rows: [{unsaved: "secret"}, {ref: "refs/assay/parked/issue-1"}, {}],
    });
    expect(run.comments.at(-1)?.body).toContain("not saved: it may contain a secret");
    expect(Object.keys(await rig.origin.tree("refs/assay/parked/issue-1"))).toContain("NOTES.md");
  });

  test.each([2, 3])("a run that is killed during push %i has saved the other tries in the end", async (last) => {
    await using rig = await createRig({files: plain({verify: LEVELS}), onFailed: onTestFailed});
    rig.model.script([turn([...WRITES.wrong, NOTES], "Wrong."), turn(WRITES.right, "Right.")]);
    const begun = rig.begin("/assay tries=2 multiply");
    const killAt = (push: number): void =>
      rig.git.beforeNextPush(async () => (push < last ? killAt(push + 1) : (await begun).kill("SIGKILL")));
    killAt(1);
    const run = await (await begun).ended;
    await assertPromises(rig, run);
    const trees = await Promise.all(Object.keys(run.refs).map((ref) => rig.origin.tree(ref)));
    const files = trees.map((tree) => Object.keys(tree));
    expect(files.filter((one) => one.includes("NOTES.md"))).not.toEqual([]);
    expect(files.filter((one) => one.includes("src/product.js") && !one.includes("NOTES.md"))).not.toEqual([]);
  });

  test("if no try is verified, the best is saved like other work, and equal tries are reported", async () => {
    const verify = {...LEVELS, tries: {count: 2, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    rig.model.script([turn(WRITES.wrong, "Wrong."), turn(WRITES.wrong, "Again.")]);
    const run = await rig.comment("/assay multiply", {by: "will"});
    await assertPromises(rig, run);
    expect(run.record).toMatchObject({publication: {kind: "parked"}, tries: {chosen: 1, ties: [2]}});
    expect(run.comments.at(-1)?.body).toContain("As good as the chosen one: 2.");
  });
}
