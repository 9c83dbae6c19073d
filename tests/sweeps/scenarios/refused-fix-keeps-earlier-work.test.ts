/** A fix leaves a nested repository, which cannot be taken: the work of the attempt before is parked, not lost. */
import {expect, onTestFailed, test} from "vitest";
import {bash} from "../../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("a refused fix does not take the earlier attempt with it", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const nested =
    "git init -q sub && cd sub && echo x > x && git add -A && git -c user.name=a -c user.email=a@b commit -qm x";
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.wrong,
      say: "Products are there.",
    },
    {when: "products multiply", do: [bash(nested)], say: "In a repository of its own."},
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.failures).toMatchObject([{kind: "candidate-refused"}]);
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toBe(PRODUCT_FILES.wrong);
});
