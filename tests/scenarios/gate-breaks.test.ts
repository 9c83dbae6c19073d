/** The gate itself breaks in the middle of a run: no claim is made, the fault is reported, and the work is parked. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("a fault of the gate's own is never a pass", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", PRODUCT_FILES.right),
        // The agent's user can reach the runner's temporary folder: the place for checkouts is a file now.
        bash(
          "for d in ../runner-temp-*/assay/*/; do rm -rf $d/checkouts; echo in the way > $d/checkouts; done; ls -la ../runner-temp-*/assay/*/",
        ),
      ],
      say: "Done.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.verdict.kind).not.toBe("verified");
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
});
