/** The server refuses the branch: the verified work is parked, the refusal reported, the job red. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a refused push", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  await rig.origin.refusePushes("refs/heads/assay/issue-*", "this branch is protected");
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.right,
      say: "Products are there.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.failures).toMatchObject([{kind: "push-refused"}]);
  expect(outcome.outputs).toMatchObject({verdict: "verified", branch: "assay/parked/issue-1"});
  expect(outcome.comments.at(-1)?.body).toContain("this branch is protected");
});
