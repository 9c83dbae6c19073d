/** A fix that changes nothing ends the loop: the next try would say the same. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("no progress, no further turn", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.wrong,
      say: "Products are there.",
    },
    {when: "products multiply", say: "It is fine as it is."},
  ]);
  const outcome = await rig.comment("/assay multiply, please");
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "failed", attempts: "2"});
  expect(rig.model.used()).toBe(2);
});
