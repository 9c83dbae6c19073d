/** A second comment goes on in the same session, on the branch of the first, and keeps its pull request. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("the conversation and the branch go on", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.right,
      say: "Products are there.",
    },
    {
      when: "divide",
      do: [writeFileAt("src/quotient.js", "export const quotient = (one, other) => one / other;\n")],
      say: "Quotients too.",
    },
  ]);
  const first = await rig.comment("/assay multiply", {by: "will"});
  await assertPromises(rig, first);
  const second = await rig.comment("/assay divide as well", {by: "mary"});
  await assertPromises(rig, second);
  expect(rig.model.history).toEqual([0, 1]);
  expect(second.record?.session?.resumed).toBe(true);
  expect(second.record?.publication).toMatchObject({kind: "published", parent: first.outputs.commit});
  expect(second.pullRequests).toHaveLength(1);
  expect(second.pullRequests[0]?.headCommit).toBe(second.outputs.commit);
});
