/** The gate itself breaks in the middle of a run: no claim is made, the fault is reported, and the work is parked. */
// In each run: `unit/settle.test.ts` and `integration/verify/toolchain.test.ts`.
import {renameSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {ownFolder} from "../../rig/own-folder.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a fault of the gate's own is never a pass", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/product.js", PRODUCT_FILES.right), bash("until [ -e go ]; do sleep 0.1; done; rm go")],
      say: "Done.",
    },
  ]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/until/);
  const {own, workspace} = ownFolder(rig);
  // The place for checkouts is a file now. It is moved in one step: a checkout is being filled while the agent works.
  renameSync(join(own, "checkouts"), join(own, "checkouts-before"));
  writeFileSync(join(own, "checkouts"), "in the way");
  writeFileSync(join(workspace, "go"), "");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.verdict.kind).not.toBe("verified");
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
});
