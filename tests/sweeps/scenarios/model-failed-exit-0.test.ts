/** The model call fails, the agent exits 0 all the same: reported as a broken turn, never as done. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a failed model is not an answer", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {when: "multiply", do: [writeFileAt("src/half.js", "export const half = 1;\n")], say: {status: 400}},
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.attempts[0]?.turn?.end.kind).toBe("model-failed");
  expect(outcome.record?.failures).toMatchObject([{kind: "agent-broke"}]);
  // What it had written until then is kept, not proposed.
  expect(outcome.pullRequests).toEqual([]);
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half");
});
