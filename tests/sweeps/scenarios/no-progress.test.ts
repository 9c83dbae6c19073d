/** A fix that leaves the same failures is followed by one last attempt, in a fresh session that is told what was tried. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("the last attempt starts a fresh session", async () => {
  await using rig = await createRig({files: plain({verify: {maxFixAttempts: 4}}), onFailed: onTestFailed});
  const wrong = (remark: string) => writeFileAt("src/product.js", `// ${remark}\n${PRODUCT_FILES.wrong}`);
  rig.model.script([
    {when: "multiply", do: [wrong("one"), writeFileAt("tests/product.test.js", PRODUCT_FILES.test)], say: "Done."},
    {when: "products multiply", do: [wrong("two")], say: "It was the remark."},
    {when: "Another session has worked on this", do: [wrong("three")], say: "It was that remark."},
  ]);
  const outcome = await rig.comment("/assay multiply, please");
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "failed", attempts: "3", branch: "assay/parked/issue-1"});
  expect(rig.model.history).toEqual([0, 1, 0]);
  const last = rig.model.prompts.at(-1) ?? "";
  expect(last).toContain("multiply, please");
  expect(last).toContain("attempt 2, left failing: test. It said: It was the remark.");
  expect(last).toContain("products multiply");
});
