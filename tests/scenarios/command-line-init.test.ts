/** `assay init` from a terminal: the workflow of the mode that was asked for, beside a `verify.json`. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {git} from "../rig/git.ts";
import {PRODUCT} from "../rig/runner.ts";

test.each([
  {argv: [], documented: "assay.yml"},
  {argv: ["--mode", "separated"], documented: "assay.yml"},
  {argv: ["--mode", "single"], documented: "single.yml"},
])("init $argv writes docs/workflows/$documented", async ({argv, documented}) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-init-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  await git(folder, ["init", "-q"]);
  const cli = join(PRODUCT, "dist/cli.js");
  const {status, stderr} = spawnSync(process.execPath, [cli, "init", ...argv], {cwd: folder, encoding: "utf8"});
  expect({status, stderr}).toEqual({status: 0, stderr: ""});
  const read = (file: string) => readFileSync(file, "utf8");
  expect(read(join(folder, ".github/workflows/assay.yml"))).toBe(read(join(PRODUCT, "docs/workflows", documented)));
});
