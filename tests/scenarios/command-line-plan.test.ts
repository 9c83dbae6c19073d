/** `assay plan` from a terminal: the plan of the folder it is called in, which says so where that is not the whole repository. */
import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {git} from "../rig/git.ts";
import {PRODUCT} from "../rig/runner.ts";

test("a folder below the repository's top is told from the top", async () => {
  const top = mkdtempSync(join(tmpdir(), "assay-plan-"));
  onTestFinished(() => rmSync(top, {recursive: true}));
  await git(top, ["init", "-q"]);
  mkdirSync(join(top, "web"));
  writeFileSync(join(top, "Makefile"), "test:\n\ttest 1 = 1\n");
  writeFileSync(join(top, "web/package.json"), JSON.stringify({scripts: {test: "node --test"}}));
  const plan = (cwd: string) => {
    const cli = join(PRODUCT, "dist/cli.js");
    const {status, stdout} = spawnSync(process.execPath, [cli, "plan"], {cwd, encoding: "utf8"});
    return {status, stdout};
  };
  expect(plan(top)).toEqual({status: 0, stdout: expect.not.stringContaining("this folder only")});
  const below = plan(join(top, "web"));
  expect(below.stdout).toContain("npm run test");
  expect(below.stdout).toMatch(
    /plan of this folder only. `assay verify` uses the plan of the repository in \/.*assay-plan-/,
  );
});
