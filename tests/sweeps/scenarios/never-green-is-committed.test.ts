/** With onFailure: commit, a change that stays red is published with the warning on top. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("onFailure: commit publishes with the warning, and the job is red all the same", async () => {
  const verify = {onFailure: "commit", maxFixAttempts: 0};
  await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.wrong,
      say: "Products are there.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply, please");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.outputs).toMatchObject({verdict: "failed", attempts: "1", branch: "assay/issue-1"});
  const facts = await rig.origin.facts("refs/heads/assay/issue-1");
  expect(JSON.stringify(facts)).toContain("Assay-Unverified-Tree");
  expect(outcome.pullRequests[0]).toMatchObject({isDraft: true, body: expect.stringContaining("❌")});
  expect(rig.github.reactions.map(({content}) => content)).toEqual(["confused"]);
});
