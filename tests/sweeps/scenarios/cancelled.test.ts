/** The job is cancelled in the middle of the agent's turn, as the runner does it: work parked, comment finished. */
import {expect, onTestFailed, test} from "vitest";
import {bash, STUBBORN_CALL, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("cancelled while the agent works", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/half.js", "export const half = 1;\n"), bash(STUBBORN_CALL)],
      say: "never",
    },
  ]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/bash .*sleep/);
  run.cancel();
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).not.toBe(0);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "cancelled"});
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half");
});
