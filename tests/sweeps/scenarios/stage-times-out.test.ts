/** A stage that does not end is stopped with all its processes, and is a failure of kind timeout. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a stage over its time", async () => {
  // with the change only: a base that runs out of time, too, cannot be compared
  const command = "test ! -e src/product.js && exit 0; (trap '' TERM; sleep 300) & sleep 300";
  const stages = [{name: "odd", kind: "build", command, timeout: 2}];
  await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  const stage = outcome.record?.attempts[0]?.verification?.stages[0];
  expect(stage).toMatchObject({outcome: "timed-out", failureKind: "timeout", exit: {kind: "timed-out", afterMs: 2000}});
  expect(outcome.outputs).toMatchObject({verdict: "failed", branch: "assay/parked/issue-1"});
  expect(outcome.processes).toEqual([]);
});
