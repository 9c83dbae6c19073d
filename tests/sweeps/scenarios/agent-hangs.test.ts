/** An agent that never ends its turn is stopped at its time limit, and its work is kept. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a turn without an end is cut", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {when: "multiply", do: [writeFileAt("src/half.js", "export const half = 1;\n"), bash("sleep 400")], say: "never"},
  ]);
  const outcome = await rig.comment("/assay multiply", {inputs: {"agent-timeout-minutes": "1"}});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.attempts[0]?.turn?.end).toEqual({kind: "timed-out", afterMs: 60_000});
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half");
});
