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

test("a task is answered with the ranking of the specs", async () => {
  const top = mkdtempSync(join(tmpdir(), "assay-plan-"));
  onTestFinished(() => rmSync(top, {recursive: true}));
  await git(top, ["init", "-q"]);
  for (const [name, purpose] of [
    ["parser", "Turns text into tokens."],
    ["provider", "Talks to a model over HTTP."],
  ] as const) {
    mkdirSync(join(top, "specs", name), {recursive: true});
    writeFileSync(join(top, "specs", name, `${name}.spec.md`), `## Purpose\n${purpose}\n`);
  }
  const plan = (...more: string[]) => {
    const args = [join(PRODUCT, "dist/cli.js"), "plan", "--task", "add error handling to the parser", ...more];
    return spawnSync(process.execPath, args, {cwd: top, encoding: "utf8", env: {...process.env, NO_COLOR: "1"}}).stdout;
  };
  expect(plan()).toMatch(
    /Specs for this task \(tf-idf, best of 2\)\n {2}0\.\d+ {2}\d+ characters +specs\/parser\/parser\.spec\.md {2}parser\n/,
  );
  const {specs} = JSON.parse(plan("--json"));
  expect(specs).toMatchObject({scorer: "tf-idf", of: 2, given: [{name: "parser"}]});
});
