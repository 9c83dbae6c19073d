/** kill -9 of the bot in the middle: `post` finds the record, parks the work and finishes the comment. */
import {expect, onTestFailed, test} from "vitest";
import {bash, STUBBORN_CALL, writeFileAt} from "../rig/model.ts";
import {filesWith} from "../rig/plain-text.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("SIGKILL while the agent works", async () => {
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
  run.kill("SIGKILL");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
  expect(outcome.outputs).toMatchObject({verdict: "unverified", verified: "false"});
  // `post` removes the agent's conversation from the machine
  expect(await filesWith(`${rig.folder}/run-1`, ["sleep 405"])).toEqual([]);
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half");
});
