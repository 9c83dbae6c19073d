/** A stage that leaves a daemon holding its pipe ends when it exits, and the daemon is gone. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a daemon is not waited for, and not left", async () => {
  const stages = [
    {name: "odd", kind: "build", command: "setsid sh -c 'while :; do sleep 1; done' & echo started", timeout: 60},
  ];
  await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  const stage = outcome.record?.attempts[0]?.verification?.stages[0];
  expect(stage?.outcome).toBe("passed");
  expect(stage?.durationMs).toBeLessThan(20_000);
  expect(outcome.processes).toEqual([]);
  expect(outcome.outputs.verdict).toBe("verified");
});
