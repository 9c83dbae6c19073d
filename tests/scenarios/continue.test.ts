/** `/continue` goes on with parked work on today's base, in the same session; a branch that was parked 31 days ago goes. */
import {expect, onTestFailed, test} from "vitest";
import {editFile} from "../rig/model.ts";
import {oldParkedCommit} from "../rig/old-parked.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test("the parked files are in the agent's folder, on what main has become", async () => {
  await using rig = await createRig({files: plain({verify: {maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: WRITES.wrong,
      say: "Products are there.",
    },
    {
      when: /already holds the uncommitted work[\s\S]*<request[\s\S]*a product is no sum/,
      do: [editFile("src/product.js", "one + other", "one * other")],
      say: "Mended.",
    },
  ]);
  const parked = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, parked);
  expect(parked.outputs).toMatchObject({verdict: "failed", branch: "assay/parked/issue-1"});
  expect(parked.comments.at(-1)?.body).toContain("/continue");

  const moved = await rig.origin.commit({files: {"NOTES.md": "somebody else was here\n"}});
  await rig.origin.setRef("refs/heads/assay/parked/issue-99", await oldParkedCommit(rig));
  const gone = await rig.comment("/continue a product is no sum", {by: "mary"});
  await assertPromises(rig, gone);
  expect(gone.exitCode).toBe(0);
  expect(gone.record).toMatchObject({resumes: parked.outputs.commit, session: {resumed: true}});
  expect(gone.record?.publication).toMatchObject({kind: "published", parent: moved});
  const tree = await rig.origin.tree("refs/heads/assay/issue-1");
  expect(Object.keys(tree)).toEqual(expect.arrayContaining(["NOTES.md", "src/product.js", "tests/product.test.js"]));
  expect(await rig.origin.read("refs/heads/assay/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
  // published work is not gone on with again, and old work goes
  expect(gone.comments.at(-1)?.body).toMatch(
    / parked=none spent=[\d.]+\/[\d.]+ size=[\d/]+ verdict=verified facts=\{"attempts":1,.*"pull":\d+\} -->/,
  );
  expect(parked.comments.at(-1)?.body).not.toContain("so far");
  expect(gone.comments.at(-1)?.body).toContain("| Issue so far | 2 runs, ");
  expect(gone.refs).not.toHaveProperty(["refs/heads/assay/parked/issue-99"]);
  expect(gone.refs).toHaveProperty(["refs/heads/assay/parked/issue-1"]);
  expect(gone.comments.at(-1)?.body).toContain("assay/parked/issue-99");
});
