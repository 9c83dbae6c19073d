/** The same comment delivered twice runs once. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a second delivery does nothing", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.right,
      say: "Products are there.",
    },
  ]);
  const first = await rig.comment("/assay multiply");
  await assertPromises(rig, first);
  const requests = rig.model.requests();
  const second = await rig.again();
  expect(second.exitCode).toBe(0);
  expect(second.record).toBeNull();
  expect(rig.model.requests()).toBe(requests);
  expect(second.comments).toEqual(first.comments);
  expect(second.refs).toEqual(first.refs);
});
