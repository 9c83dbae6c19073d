/** The server takes no branch and no hidden ref: the work stays on the machine, on a ref and in a bundle, and the report says where. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {createRig} from "../../rig/rig.ts";

test("nothing can be pushed", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  await rig.origin.refusePushes("refs/*assay/*", "no branches today");
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.right,
      say: "Products are there.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.publication.kind).toBe("parked-locally");
  expect(outcome.comments.at(-1)?.body).toContain("no branches today");
});
