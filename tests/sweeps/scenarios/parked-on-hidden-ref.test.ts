/** A ruleset refuses parked branches: the work goes to a hidden ref, from where the printed command, `/verify` and `/continue` get it. */
import {execFile} from "node:child_process";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {promisify} from "node:util";
import {expect, onTestFailed, test} from "vitest";
import {git} from "../../rig/git.ts";
import {editFile} from "../../rig/model.ts";
import {oldParkedCommit} from "../../rig/old-parked.ts";
import {PRODUCT_FILES, plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const HIDDEN = "refs/assay/parked/issue-1";

test("work that a ruleset keeps off the branch", async () => {
  await using rig = await createRig({files: plain({verify: {maxFixAttempts: 0}}), onFailed: onTestFailed});
  const {origin} = rig;
  await origin.refusePushes("refs/heads/assay/parked/*", "GH013: Repository rule violations found");
  rig.model.script([
    {when: "multiply", do: WRITES.wrong, say: "Products are there."},
    {
      when: /already holds the uncommitted work[\s\S]*a product is no sum/,
      do: [editFile("src/product.js", "one + other", "one * other")],
      say: "Fixed.",
    },
  ]);
  // what a former version left on branches, of another issue
  await origin.commit({branch: "assay/session/issue-42", files: {"session.jsonl": "x\n"}});
  await origin.commit({branch: "assay/baseline", files: {"baseline.json": "[]"}});

  const parked = await rig.comment("/assay multiply, please", {by: "will"});
  await assertPromises(rig, parked);
  expect(parked.record?.publication).toMatchObject({kind: "parked", ref: HIDDEN});
  expect(parked.record?.failures).toEqual([]);
  expect(parked.outputs).toMatchObject({verdict: "failed", branch: HIDDEN});
  expect(Object.keys(parked.refs)).not.toContain("refs/assay/session/issue-42");
  const branches = Object.keys(parked.refs).filter((ref) => ref.startsWith("refs/heads/"));
  expect(branches).toEqual(["refs/heads/main"]);

  const command = /^git fetch .*$/m.exec(parked.comments.at(-1)?.body ?? "")?.[0] ?? "";
  const clone = await mkdtemp(join(tmpdir(), "rig-clone-"));
  await git(clone, ["clone", "-q", origin.folder, "."]);
  await promisify(execFile)("sh", ["-c", command], {cwd: clone});
  expect(await git(clone, ["rev-parse", "HEAD"])).toBe(parked.outputs.commit);
  await rm(clone, {recursive: true});

  const looked = await rig.comment("/verify", {by: "will", noModel: true});
  await assertPromises(rig, looked);
  expect(looked.record).toMatchObject({resumes: parked.outputs.commit, verdict: {kind: "failed"}});

  await origin.setRef("refs/assay/parked/issue-99", await oldParkedCommit(rig));
  const gone = await rig.comment("/continue a product is no sum", {by: "mary"});
  await assertPromises(rig, gone);
  expect(gone.record).toMatchObject({resumes: parked.outputs.commit, session: {resumed: true}});
  expect(await origin.read("refs/heads/assay/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
  expect(gone.refs).not.toHaveProperty(["refs/assay/parked/issue-99"]);
});
