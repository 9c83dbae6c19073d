/** Names from a repository or a log that look like commands of GitHub's runner, or that would move a terminal's cursor. */
import {spawnSync} from "node:child_process";
import {rmSync} from "node:fs";
import {expect, onTestFinished, test} from "vitest";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {someOf} from "../sweep.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const ORDER = "::error::forged";
const PACKAGE = JSON.stringify({name: "x", scripts: {test: "node --test", build: "echo no"}});

/** actions/runner reads a command after white space at the start of a line, and `##[…]` anywhere. */
const orders = (text: string) => text.split(/\r\n|\r|\n/).filter((line) => /^\s*::|##\[/.test(line));

function project(files: Record<string, string>): string {
  const folder = repositoryOf(files);
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

test("`plan`, `inspect`, `doctor` and `verify` print no command of the runner, and no control character", () => {
  const folder = project({"package.json": PACKAGE, [`${ORDER}/package.json`]: PACKAGE});
  put(folder, {
    [`${ORDER}/b\n${ORDER}.test.js`]:
      'require("node:test").test("\u001b[2Jx\\n::error::y", () => { throw new Error("##[error]z"); });',
    ".github/workflows/ci.yml": `on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{run: "${ORDER}"}]\n`,
  });
  const git = gitIn(folder);
  git("add", "-A");
  git("commit", "-qm", "Second commit");
  for (const args of [
    ["plan"],
    ["plan", "--changed", `${ORDER}/package.json`, `x\n${ORDER}`],
    ["inspect", "--base", "HEAD~1"],
    ["doctor"],
    ["verify", "--base", "HEAD~1", "--reporter", "line"],
  ]) {
    const {stdout, stderr} = assay(folder, args, {GITHUB_ACTIONS: "true"});
    expect({args, orders: orders(stdout + stderr)}).toEqual({args, orders: []});
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
  }
});

test("mistakes of verify.json are printed without the control characters of its keys", () => {
  const folder = project({"verify.json": `{"x\\n${ORDER}\\u001b[2J": 1, "stages": [{"name": "\\r${ORDER}"}]}`});
  for (const command of someOf(["verify", "plan", "doctor"])) {
    const {stdout, stderr, status} = assay(folder, [command]);
    expect(status).toBe(3);
    expect(orders(stdout + stderr)).toEqual([]);
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
  }
});

test("`distill` passes no command of a log on to the runner, and leaves the text alone elsewhere", () => {
  const input = `✖ fails\n${ORDER}\n  ##[error]Process completed with exit code 1.\nError: expected 1, got 2\n`;
  const distill = (env: Record<string, string>) =>
    spawnSync(process.execPath, [CLI, "distill"], {input, encoding: "utf8", env: {...process.env, ...env}}).stdout;
  expect(orders(distill({GITHUB_ACTIONS: "true"}))).toEqual([]);
  expect(orders(distill({GITHUB_ACTIONS: ""}))).not.toEqual([]);
});
