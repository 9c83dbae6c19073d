/** A flood of files in front of the agent's work: the work is on its branch, no secret is claimed, and what was not searched stays here. */
import {existsSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {git} from "../../rig/git.ts";
import {bash} from "../../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const FILES = 60_000;
const FLOOD = `mkdir many && cd many && seq 1 ${FILES} | xargs touch && head -c 17000000 /dev/zero > big.bin`;

test(`${FILES} empty files and one that is too large to be searched`, async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [bash(FLOOD), ...WRITES.right], say: "Products are there."}]);
  const outcome = await rig.comment("/assay multiply", {by: "will"});
  console.log(`${FILES} files: ${Math.round(outcome.durationMs / 1_000)} s`);
  await assertPromises(rig, outcome);
  expect(outcome.outputs.verdict).toBe("verified");
  expect(outcome.record?.failures).toMatchObject([
    {kind: "change-too-large"},
    {kind: "could-not-search", paths: ["many/big.bin"], count: 1},
  ]);
  const tree = await rig.origin.tree("refs/heads/assay/parked/issue-1");
  expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
  expect(tree).toHaveProperty([`many/${FILES}`]);
  expect(tree).not.toHaveProperty(["many/big.bin"]);

  const note = outcome.record?.notes.find(({about}) => about === "files that could not be searched")?.text ?? "";
  const [, folder = ""] = / in (\/\S+) on this runner/.exec(note) ?? [];
  const bundle = join(folder, "assay-unsearched-issue-1.bundle");
  expect(existsSync(bundle)).toBe(true);
  await git(rig.origin.folder, ["fetch", "--quiet", bundle, "refs/assay/unsearched/issue-1:refs/bundled"]);
  expect(await rig.origin.tree("refs/bundled")).toHaveProperty(["many/big.bin"]);
  expect((await git(rig.origin.folder, ["rev-parse", "refs/bundled^{tree}"])).trim()).toBe(
    outcome.record?.attempts[0]?.candidate?.tree,
  );
}, 1_200_000);
