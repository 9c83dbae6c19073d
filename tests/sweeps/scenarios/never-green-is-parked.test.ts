/** A change that never gets green is parked, not proposed, and the comment says how to go on. */
// In each run: `continue.test.ts` parks failed work, and `live-progress.test.ts` fixes in the same session.
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("three attempts, no pull request, a parked branch", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.wrong,
      say: "Products are there.",
    },
    {when: "products multiply", do: [writeFileAt("src/product.js", `${PRODUCT_FILES.wrong}// second\n`)], say: "Now?"},
    {
      when: "products multiply",
      do: [writeFileAt("src/product.js", `${PRODUCT_FILES.wrong}// third\n`)],
      say: "Or now?",
    },
  ]);
  const outcome = await rig.comment("/assay multiply, please");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.outputs).toMatchObject({
    verdict: "failed",
    verified: "false",
    attempts: "3",
    branch: "assay/parked/issue-1",
  });
  expect(outcome.pullRequests).toEqual([]);
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toContain("// third");
  expect(outcome.comments.at(-1)?.body).toContain("assay/parked/issue-1");
});
