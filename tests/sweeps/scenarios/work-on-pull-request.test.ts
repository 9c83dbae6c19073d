/** A request on a pull request goes to its own branch, and opens no other. */
// In each run: `branch-moved.test.ts` and `reviews.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("work on a pull request's thread", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const number = await rig.openPullRequest({title: "Docs", branch: "docs", files: {"NOTES.md": "notes\n"}, by: "will"});
  const before = await rig.origin.resolve("refs/heads/docs");
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.right,
      say: "Products are there.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply too", {by: "will", on: number});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", branch: "docs"});
  expect(outcome.pullRequests).toHaveLength(1);
  expect(outcome.record?.publication).toMatchObject({kind: "published", parent: before});
});
