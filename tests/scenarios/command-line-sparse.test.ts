/** A sparse checkout that leaves the workflows out: the plan includes them, and nothing is replaced unseen. */
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay} from "../rig/command-line.ts";
import {git} from "../rig/git.ts";

test("a workflow that is not in the folder is not written again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-sparse-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  await git(folder, ["init", "-q"]);
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/index.js"), "export {};\n");
  assay(folder, ["init", "--mode", "single"]);
  writeFileSync(join(folder, ".github/workflows/ci.yml"), "on: push\njobs: {a: {steps: [{run: node --test}]}}\n");
  await git(folder, ["add", "."]);
  await git(folder, ["-c", "user.name=ada", "-c", "user.email=ada@example.com", "commit", "-qm", "First"]);
  await git(folder, ["sparse-checkout", "set", "src"]);
  const workflow = join(folder, ".github/workflows/assay.yml");
  expect(existsSync(workflow)).toBe(false);

  const plan = assay(folder, ["plan"]).stdout;
  expect(plan).toContain(".github/workflows/ci.yml a: CI runs it");
  expect(plan).toMatch(
    /\d files, such as \S+, are read from git, because a sparse checkout leaves them out of this folder/,
  );
  const init = assay(folder, ["init"]);
  expect(init.status).toBe(3);
  expect(init.stderr).toContain("Run `git sparse-checkout add .github`, then run this again.");
  expect(existsSync(workflow)).toBe(false);
  const doctor = assay(folder, ["doctor"]).stdout;
  expect(doctor).toContain("✅ .github/workflows/assay.yml: runs on comments");

  await git(folder, ["sparse-checkout", "disable"]);
  expect(assay(folder, ["init"]).status).toBe(0);
  // An owner who deletes the file wants a new one.
  rmSync(workflow);
  expect(assay(folder, ["init"]).stdout).toContain("wrote .github/workflows/assay.yml");
});
