/** Somebody pushes to the branch while the run verifies: nothing is overwritten, the work is parked, and the report says why. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("a lost race", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const number = await rig.openPullRequest({title: "Docs", branch: "docs", files: {"NOTES.md": "notes\n"}, by: "will"});
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", PRODUCT_FILES.right),
        writeFileAt("tests/product.test.js", PRODUCT_FILES.test),
      ],
      say: "Products are there.",
    },
  ]);
  const run = await rig.begin("/assay multiply too", {by: "will", on: number});
  await run.saw(/The agent starts/);
  const theirs = await rig.origin.commit({branch: "docs", files: {"NOTES.md": "more notes\n"}});
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.failures).toMatchObject([{kind: "push-lost"}]);
  expect(outcome.refs["refs/heads/docs"]).toBe(theirs);
  expect(outcome.outputs.branch).toBe(`assay/parked/issue-${number}`);
});
