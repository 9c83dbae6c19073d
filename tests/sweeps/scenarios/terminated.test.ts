/** SIGTERM in the middle of a stage: work parked, comment finished. */
import {expect, onTestFailed, test} from "vitest";
import {PRODUCT_FILES, plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("SIGTERM while a stage runs", async () => {
  const stages = [{name: "slow", kind: "test", command: "echo slow stage; sleep 400", timeout: 500}];
  await using rig = await createRig({files: plain({verify: {stages}}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.right,
      say: "Products are there.",
    },
  ]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/Turn 1: answered/);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  run.kill("SIGTERM");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "cancelled"});
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
});
