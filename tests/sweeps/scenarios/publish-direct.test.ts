/** publish: direct pushes the verified commit to the default branch, publish: branch to a branch without a pull request. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {someOf} from "../../sweep.ts";

const TARGETS = [
  {publish: "direct", branch: "main"},
  {publish: "branch", branch: "assay/issue-1"},
];

test.each(someOf(TARGETS))("publish: $publish", async ({publish, branch}) => {
  await using rig = await createRig({files: plain({verify: {publish}}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.right,
      say: "Products are there.",
    },
  ]);
  const inputs = {"bot-name": "Sum Bot", "bot-email": "sums@example.com"};
  const outcome = await rig.comment("/assay multiply", {inputs});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", branch});
  expect(outcome.pullRequests).toEqual([]);
  expect((await rig.origin.facts(`refs/heads/${branch}`)).author).toContain("Sum Bot <sums@example.com>");
  expect(outcome.refs[`refs/heads/${branch}`]).toBe(outcome.outputs.commit);
});
