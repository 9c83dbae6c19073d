/** `assay plan` from a terminal: the plan of the repository, from any folder in it. */
import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {git} from "../rig/git.ts";
import {PRODUCT} from "../rig/runner.ts";

test("a folder below the repository's top shows the plan of the repository, as `verify` runs it", async () => {
  const top = mkdtempSync(join(tmpdir(), "assay-plan-"));
  onTestFinished(() => rmSync(top, {recursive: true}));
  await git(top, ["init", "-q"]);
  mkdirSync(join(top, "web"));
  mkdirSync(join(top, "api"));
  for (const folder of ["web", "api"])
    writeFileSync(join(top, folder, "package.json"), JSON.stringify({scripts: {test: `node --test ${folder}`}}));
  const plan = (cwd: string, ...more: string[]) => {
    const cli = join(PRODUCT, "dist/cli.js");
    const {status, stdout, stderr} = spawnSync(process.execPath, [cli, "plan", ...more], {cwd, encoding: "utf8"});
    return {status, stdout, stderr};
  };
  expect(plan(join(top, "web"))).toEqual(plan(top));
  expect(plan(join(top, "web"), "--json")).toEqual(plan(top, "--json"));
  const folders = (cwd: string, path: string) =>
    JSON.parse(plan(cwd, "--json", "--changed", path).stdout).stages.map(({cwd: folder}: {cwd: string}) => folder);
  expect(folders(top, "web/package.json")).toEqual(["web"]);
  expect(folders(join(top, "web"), "package.json")).toEqual(["web"]);
  expect(plan(join(top, "web"), "--changed", "typo.js").stderr).toContain("web/typo.js is neither in this repository");
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
