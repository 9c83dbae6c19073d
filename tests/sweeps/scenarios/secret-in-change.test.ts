/** A secret in the agent's work leaves the machine neither published nor parked; the rest of the work is kept. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("the model's key, encoded, in a file and nowhere else", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const encoded = Buffer.from(`key=${rig.model.key}`).toString("base64");
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", PRODUCT_FILES.right),
        writeFileAt("tests/product.test.js", PRODUCT_FILES.test),
        writeFileAt("src/setup.js", `export const setup = "${encoded}";\n`),
      ],
      say: "Products are there.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.failures).toEqual([
    {kind: "secret-in-change", places: [{path: "src/setup.js", line: 1, what: "a known secret"}]},
  ]);
  expect(outcome.pullRequests).toEqual([]);
  const tree = await rig.origin.tree("refs/heads/assay/parked/issue-1");
  expect(tree).toHaveProperty(["src/product.js"]);
  expect(tree).not.toHaveProperty(["src/setup.js"]);
  for (const form of [rig.model.key, encoded]) {
    expect(JSON.stringify([outcome.record, outcome.comments, outcome.log, outcome.summary])).not.toContain(form);
    for (const ref of Object.keys(outcome.refs)) {
      for (const path of Object.keys(await rig.origin.tree(ref))) {
        expect(await rig.origin.read(ref, path), `${ref} ${path}`).not.toContain(form);
      }
    }
  }
});
