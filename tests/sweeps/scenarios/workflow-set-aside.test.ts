/** Workflow files that an agent changed are left out of the commit, which is verified without them, and kept as a patch. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {isSweep} from "../../sweep.ts";

const WORKFLOW = "on: {push: {}}\njobs: {}\n";

test("the rest is verified without them and published; with nothing else there is nothing to verify", async () => {
  // a stage that passes only where the workflow is not there
  const stages = [
    {name: "alone", command: "test ! -e .github/workflows/ci.yml", kind: "check"},
    {name: "test", command: "node --test", kind: "test"},
  ];
  await using rig = await createRig({files: plain({verify: {stages}}), onFailed: onTestFailed});
  const workflow = writeFileAt(".github/workflows/ci.yml", WORKFLOW);
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", PRODUCT_FILES.right),
        writeFileAt("tests/product.test.js", PRODUCT_FILES.test),
        workflow,
      ],
      say: "Products are there, and run in CI.",
    },
    {when: "only the workflow", do: [workflow], say: "The workflow is there."},
  ]);
  const mixed = await rig.comment("/assay multiply, and run it in CI", {by: "will"});
  await assertPromises(rig, mixed);
  expect(mixed.outputs).toMatchObject({verdict: "verified", branch: "assay/issue-1"});
  expect(await rig.origin.read("refs/heads/assay/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
  expect(await rig.origin.read("refs/heads/assay/issue-1", ".github/workflows/ci.yml")).toBeNull();
  for (const body of [mixed.comments.at(-1)?.body, mixed.pullRequests[0]?.body]) {
    expect(body).toContain("Files of workflows or of the memory are not included.");
    expect(body).toContain("+on: {push: {}}");
  }

  if (!isSweep) return;
  const alone = await rig.comment("/assay add only the workflow", {by: "will", on: await rig.openIssue({title: "CI"})});
  await assertPromises(rig, alone);
  expect(alone.exitCode).toBe(0);
  expect(alone.record?.verdict).toMatchObject({kind: "nothing-to-verify", why: "only-set-aside"});
  expect(alone.comments.at(-1)?.body).toContain("+on: {push: {}}");
  expect(alone.outputs.commit).toBe("");
});
