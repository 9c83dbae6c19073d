/** With `writeFirst`, a new module without a spec is a finding: with `drift: "required"` the agent has to write the spec. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const SPEC = "---\nmodule: sum\nfiles:\n  - src/sum.js\n---\n\n## Purpose\nAdds two numbers.\n";
const PRODUCT_SPEC = "---\nmodule: product\nfiles:\n  - src/product.js\n---\n\n## Purpose\nMultiplies two numbers.\n";

const filesWith = (specs: object) => plain({verify: {specs}, files: {"specs/sum/sum.spec.md": SPEC}});

test("a missing spec comes back to the agent, and the change is verified with it", async () => {
  const files = filesWith({writeFirst: true, drift: "required"});
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([
    {
      when: /Before you write a new module, write its spec[^\n]*`specs\/<module>\/<module>\.spec\.md`/,
      do: WRITES.right,
      say: "Done, without a spec.",
    },
    {
      when: /## Failed: fix these[\s\S]*### spec drift: 1 finding[\s\S]*`src\/product\.js` is a new module/,
      do: [writeFileAt("specs/product/product.spec.md", PRODUCT_SPEC)],
      say: "Wrote it.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2"});
  const [first] = outcome.record?.attempts ?? [];
  expect(first?.verdict).toEqual({kind: "failed", stages: ["spec drift"]});
});

test("as advice, it is an optional failure that the report shows", async () => {
  await using rig = await createRig({files: filesWith({writeFirst: true}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Done."}]);
  const outcome = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, outcome);
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "1"});
  expect(outcome.comments.at(-1)?.body).toMatch(/⚠️ \| spec drift[\s\S]*`src\/product\.js` is a new module/);
});
