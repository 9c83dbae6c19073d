/** A question is answered: no commit, no branch for work, no pull request. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("an answer is only an answer", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "what does", say: "It adds two numbers."}]);
  const outcome = await rig.comment("@assay what does sum do?", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.outputs).toMatchObject({verdict: "nothing-to-verify", commit: "", branch: "", "pull-request": ""});
  expect(outcome.comments.at(-1)?.body).toContain("It adds two numbers.");
  expect(Object.keys(outcome.refs).filter((ref) => !/^refs\/assay\/(?:session\/issue-1|baseline)$/.test(ref))).toEqual([
    "refs/heads/main",
  ]);
});
