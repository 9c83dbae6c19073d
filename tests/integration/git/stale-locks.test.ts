/** A lock that a killed git has left keeps no work from its ref. */
import {mkdir, mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, test} from "vitest";
import {removeLocks} from "../../../src/git/stale-locks.ts";
import {git} from "../../rig/git.ts";

test("a ref can be written again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "locks-test-"));
  await git(folder, ["init", "--quiet", "--bare"]);
  const tree = (await git(folder, ["mktree", "--missing"])).trim();
  const ref = "refs/assay/candidates/1";
  await mkdir(join(folder, "refs/assay/candidates"), {recursive: true});
  for (const name of [`${ref}.lock`, "config.lock"]) await writeFile(join(folder, name), "");
  await expect(git(folder, ["update-ref", ref, tree])).rejects.toThrow(/File exists/);
  await removeLocks(folder);
  await git(folder, ["update-ref", ref, tree]);
  await git(folder, ["config", "assay.test", "1"]);
  expect((await git(folder, ["rev-parse", ref])).trim()).toBe(tree);
  await rm(folder, {recursive: true});
});
