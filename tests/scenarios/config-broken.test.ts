/** A broken verify.json: every mistake stands in the one comment, and the work is parked, not lost. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("all mistakes at once, work parked", async () => {
  const broken =
    '{"stages": [{"name": "a", "comand": "x", "timeout": "long"}], "maxFixAttempts": -1, "publsh": "branch"}';
  await using rig = await createRig({files: plain({files: {"verify.json": broken}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.outputs).toMatchObject({verdict: "unverified", branch: "assay/parked/issue-1"});
  const report = outcome.comments.at(-1)?.body ?? "";
  for (const mistake of ["comand", "timeout", "maxFixAttempts", "publsh"]) expect(report).toContain(mistake);
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
});
