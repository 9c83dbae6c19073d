/** Opening an issue with a request in its first line starts a run too, and 👀 gives way to the end reaction. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("an opened issue", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.right,
      say: "Products are there.",
    },
  ]);
  const outcome = await rig.issueOpened({title: "Products", body: "/assay multiply, please", by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs.verdict).toBe("verified");
  expect(rig.github.reactions.map((reaction) => reaction.content)).toEqual(["rocket"]);
  expect(outcome.pullRequests[0]?.title).toBe("Products");
});
