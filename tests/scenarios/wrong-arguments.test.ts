/** On the command line a mistake is exit 3 with a sentence that names it, never the 1 of a stage that fails. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {git} from "../rig/git.ts";
import {PRODUCT} from "../rig/runner.ts";
import {everyNth} from "../sweep.ts";

const folder = mkdtempSync(join(tmpdir(), "wrong-arguments-"));
afterAll(() => rmSync(folder, {recursive: true}));
beforeAll(async () => {
  writeFileSync(join(folder, "Makefile"), "test:\n\ttest 1 = 1\n");
  await git(folder, ["init", "-q"]);
  await git(folder, ["add", "."]);
  await git(folder, ["-c", "user.name=ada", "-c", "user.email=ada@example.com", "commit", "-qm", "First"]);
});

function assay(argv: readonly string[]) {
  const cli = join(PRODUCT, "dist/cli.js");
  // for `run`, which reads the action's inputs before the payload
  const env = {...process.env, "INPUT_GITHUB-TOKEN": "a-token", GITHUB_REPOSITORY: "ada/demo"};
  const {status, stdout, stderr} = spawnSync(process.execPath, [cli, ...argv], {cwd: folder, env, encoding: "utf8"});
  return {status, stdout, stderr};
}

test.each(
  everyNth(
    [
      ["an option that is not there", ["verify", "--fix"], /unknown option '--fix'/],
      ["a command that is not there", ["verfy"], /unknown command 'verfy'/],
      ["an option without its value", ["verify", "--head"], /argument missing/],
      ["a needed option that is missing", ["run"], /required option '--event <file>'/],
      ["a base that is not there", ["verify", "--base", "gone"], /--base: gone is not a commit/],
      ["a head that is not there", ["verify", "--head", "gone"], /--head: gone is not a commit/],
      ["a stage that is not there", ["verify", "--stage", "tset"], /unknown stage tset. Checks here: test/],
      [
        "a mode that is not there",
        ["init", "--mode", "three"],
        /Allowed choices are separated, single\.\nRun `assay init --help`/,
      ],
      ["machines for one job", ["init", "--mode", "single", "--shards", "2"], /--shards needs --mode separated/],
      [
        "a trigger that is a command",
        ["init", "--trigger", "/fix /Helper"],
        /--trigger cannot contain \/Helper: words that begin/,
      ],
      [
        "an event that starts no run",
        ["run", "--event", "x", "--event-name", "push"],
        /choices are issue_comment, issues, pull_request_review_comment,/,
      ],
      ["a payload that is not there", ["run", "--event", "gone.json"], /payload could not be read/],
      ["a path that is not there", ["verify", "src"], /error: src is neither in this folder nor in the last commit/],
      ["a path outside", ["verify", "../x"], /error: \.\.\/x is outside of /],
      ["paths and stages", ["verify", "Makefile", "--stage", "test"], /either paths or --stage/],
      ["a reporter that is not there", ["verify", "--reporter", "xml"], /Allowed choices are tree, line, json/],
      ["two forms of a report", ["verify", "--reporter", "line", "--json"], /cannot be used with option '--json'/],
      ["a length that is no number", ["distill", "--max-chars", "many"], /--max-chars must be a whole number/],
    ],
    2,
  ),
)("%s", (_, argv, sentence) => {
  const {status, stdout, stderr} = assay(argv);
  expect({status, stdout}).toEqual({status: 3, stdout: ""});
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split("\n").length, "lines of an error").toBeLessThanOrEqual(3);
});

test("help and version are no mistake", () => {
  for (const argv of [["--help"], ["verify", "--help"], ["--version"]]) expect(assay(argv).status).toBe(0);
});

test("a right command is no mistake either", () => {
  expect(assay(["verify", "--head", "HEAD"]).status).toBe(0);
});
