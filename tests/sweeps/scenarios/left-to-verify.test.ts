/** The agent's job does not run a long check that the verifying job runs anyway, and the report says so. */
import {expect, onTestFailed, test} from "vitest";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {SEPARATED} from "../../rig/separated.ts";

test("a check of 65 s is stopped in the agent's job, and its result comes from the verifying job", async () => {
  const test = {name: "test", command: "node --test && sleep 65", kind: "test", timeout: 200};
  await using rig = await createRig({files: plain({verify: {stages: [test]}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Done."}]);
  const outcome = await rig.comment("/assay multiply, please", {separated: {text: SEPARATED}});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "1"});
  expect(outcome.record?.attempts[0]?.verification?.stages).toMatchObject([{name: "test", outcome: "passed"}]);
  expect(outcome.comments.at(-1)?.body).toContain("Left to the verifying job, at least in part: test.");
});
