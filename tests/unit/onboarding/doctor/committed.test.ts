/** What the doctor says of Assay's files that no commit has; with a real repository. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {folderGit} from "../../../../src/cli/folder-git.ts";
import {committedFindings} from "../../../../src/onboarding/doctor/committed.ts";

test("new, changed and ignored files are named until a commit has them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-committed-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args]);
  const text = async (...paths: string[]) =>
    (await committedFindings(await folderGit(folder), {folder, paths})).map((one) => one.text);
  git("init", "-q");
  for (const name of ["verify.json", "a.yml"]) writeFileSync(join(folder, name), "{}\n");
  expect(await text("verify.json", "a.yml")).toEqual(["not committed yet: a.yml, verify.json"]);
  git("add", "verify.json");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "First");
  expect(await text("verify.json")).toEqual(["verify.json: committed"]);
  writeFileSync(join(folder, "verify.json"), "{ }\n");
  expect(await text("verify.json")).toEqual(["changes that are not committed yet: verify.json"]);
  writeFileSync(join(folder, ".gitignore"), "a.yml\n");
  expect(await text("a.yml")).toEqual(["not committed yet: a.yml"]);
  expect(await text()).toEqual([]);
});
