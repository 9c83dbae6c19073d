/** A type error and a broken test go back into the same session, and the second attempt is verified and proposed. */
import {expect, onTestFailed, test} from "vitest";
import {editFile, writeFileAt} from "../rig/model.ts";
import {plain, PRODUCT_FILES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("a broken test is fixed on the second attempt", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [writeFileAt("src/product.js", PRODUCT_FILES.wrong), writeFileAt("tests/product.test.js", PRODUCT_FILES.test)],
      say: "Products are there.",
    },
    {when: "products multiply", do: [editFile("src/product.js", "one + other", "one * other")], say: "It multiplies now."},
  ]);
  const outcome = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, outcome);
  console.log(outcome.log); console.log(outcome.comments.at(-1)?.body); console.log(outcome.refs, outcome.outputs);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2"});
});
