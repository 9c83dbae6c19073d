/** A repository in which nothing can be checked: unverified, parked, never called a pass. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../rig/model.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("no check, no claim", async () => {
  await using rig = await createRig({files: {"README.md": "# Nothing\n", "a.xyz": "1\n"}, onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("b.xyz", "2\n")], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "no-stages"});
  expect(outcome.outputs.branch).toBe("assay/parked/issue-1");
});
