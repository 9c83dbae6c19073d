/** An agent that is killed by a signal is a broken turn; what it left is parked. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a killed agent", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/half.js", "export const half = 1;\n"), bash("kill -9 $PPID; sleep 30")],
      say: "never",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.attempts[0]?.turn?.end).toEqual({kind: "killed", signal: "SIGKILL"});
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half");
});
