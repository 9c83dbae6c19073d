/** `assay inspect` from a terminal: findings between two commits, without a checkout and without running anything. */
import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay, gitIn, put} from "../rig/command-line.ts";

const TEST_FILE = 'it("adds", () => {\n  expect(1 + 1).toBe(2);\n});\n';

function tamperedRepository(): {folder: string; git: (...args: string[]) => string} {
  const folder = mkdtempSync(join(tmpdir(), "assay-inspect-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const git = gitIn(folder);
  git("init", "-q");
  const commit = (message: string) => {
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", message);
  };
  put(folder, {"package.json": '{"scripts": {"test": "touch ran && vitest run"}}', "tests/a.test.ts": TEST_FILE});
  commit("base");
  put(folder, {
    "package.json": '{"scripts": {"test": "true"}}',
    "tests/a.test.ts": TEST_FILE.replace("it(", "it.skip("),
  });
  commit("change");
  return {folder, git};
}

test("blocking findings end with 1 and name file, line and what to do", () => {
  const {folder} = tamperedRepository();
  const ended = assay(folder, ["inspect", "--base", "HEAD~1"]);
  expect(ended.status).toBe(1);
  expect(ended.stdout).toContain("block tests/a.test.ts:1  Test `adds` is skipped");
  expect(ended.stdout).toContain("always passes (scripts)");
  expect([existsSync(join(folder, "ran")), ended.left]).toEqual([false, []]);
});

test("JSON and SARIF have the same findings, and a bare repository is enough", () => {
  const {folder, git} = tamperedRepository();
  git("clone", "-q", "--bare", ".", "bare.git");
  const bare = join(folder, "bare.git");
  const json = assay(bare, ["inspect", "--base", "HEAD~1", "--head", "HEAD", "--json"]);
  const document = JSON.parse(json.stdout);
  expect(document).toMatchObject({
    schema: "assay.inspect/1",
    base: git("rev-parse", "HEAD~1"),
    head: git("rev-parse", "HEAD"),
  });
  const sarif = JSON.parse(assay(bare, ["inspect", "--base", "HEAD~1", "--sarif"]).stdout);
  const ids = sarif.runs[0].results.map(({ruleId}: {ruleId: string}) => ruleId);
  expect(ids).toEqual(document.findings.map(({check}: {check: string}) => check));
});

test("a change in the other direction has no finding, and it is said if there is nothing to compare", () => {
  const {folder, git} = tamperedRepository();
  const ended = assay(folder, ["inspect", "--base", "HEAD", "--head", "HEAD~1"]);
  expect([ended.status, ended.stdout]).toEqual([0, "No findings.\n"]);
  expect(assay(folder, ["inspect", "--base", "HEAD"]).stdout).toContain("Base and head are the same commit.");
  git("clone", "-q", "--depth", "1", `file://${folder}`, "shallow");
  expect(assay(join(folder, "shallow"), ["inspect", "--base", "HEAD~1"]).stderr).toContain("git fetch --unshallow");
});

test("the base's verify.json decides, and wrong arguments end with 3", () => {
  const {folder, git} = tamperedRepository();
  const head = git("rev-parse", "HEAD");
  git("checkout", "-q", "HEAD~1");
  put(folder, {"verify.json": '{"integrity": {"level": {"disabled-tests": "note", "scripts": "off"}}}'});
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "rules");
  const ended = assay(folder, ["inspect", "--base", "HEAD", "--head", head]);
  expect([ended.status, ended.stdout]).toEqual([0, expect.stringMatching(/^note {2}tests\/a\.test\.ts:1/m)]);
  expect(ended.stdout).toContain("verify.json turns off `scripts`.");
  expect(assay(folder, ["inspect", "--base", "nothing"]).status).toBe(3);
  expect(assay(folder, ["inspect"]).status).toBe(3);
  expect(assay(tmpdir(), ["inspect", "--base", "HEAD"]).status).toBe(3);
});

test("a test file that cannot be read is named", () => {
  const {folder, git} = tamperedRepository();
  put(folder, {"tests/a.test.ts": `${TEST_FILE}// \0\n`});
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "binary");
  const ended = assay(folder, ["inspect", "--base", "HEAD~1"]);
  expect(ended.stdout).toMatch(/flag {2}tests\/a\.test\.ts {2}The file is binary/);
});
