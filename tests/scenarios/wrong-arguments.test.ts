/** On the command line a mistake is exit 3 with a sentence that names it, never the 1 of a stage that fails. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, expect, onTestFinished, test} from "vitest";
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
      ["a commit, and the folder itself", ["verify", "--head", "HEAD", "--in-place"], /cannot be used with option/],
      [
        "any program without its name",
        ["try", "x", "--agent", "command"],
        /needs the program: --agent-args "my-agent"/,
      ],
      [
        "everything wrong in a try",
        ["try", " ", "--provider", "anthropc", "--agent-config", "/nope", "--report", "/nope/x"],
        /--agent-config: \/nope is not a folder.*\n.*--report: the folder of \/nope\/x does not.*\n.*say what to do.*\n.*did you mean `anthropic`/,
      ],
      ["an agent without keys of the provider", ["try", "x", "--agent", "codex", "--provider", "xai"], /not of xai/],
      [
        "options without the one they belong to",
        ["plan", "--allow-network", "test", "--no-sandbox-ok"],
        /--allow-network needs --prove\nerror: --no-sandbox-ok needs --prove/,
      ],
      ["a proof of some paths", ["plan", "--prove", "test", "--changed", "x"], /cannot be used with option '--changed/],
      ["an event log in no folder", ["verify", "--event-log", "/nope/x"], /the folder of \/nope\/x does not exist/],
      ["a report that is a folder", ["demo", "--report", "."], /--report: \. is a folder/],
      ["files that are not there", ["check", "x", "--statement", "/nope", "--trusted-root", "."], /nt: .*\n.*ot: \./],
      ["a repository without its owner", ["stats", "--repository", "shop"], /shop is not OWNER\/NAME/],
      ["an empty value", ["verify", "--base", "", "--stage", ""], /--base is empty.*\n.*--stage is empty/],
      ["an empty argument", ["replay", ""], /an argument is empty/],
      ["pull request 0", ["replay", "0"], /0 is neither a file nor a commit/],
      [
        "a stop hook with a workflow",
        ["init", "--agent", "claude", "--attest"],
        /cannot be used with option '--attest'/,
      ],
      ["a stage that is not there", ["verify", "--stage", "tset"], /unknown check tset. Checks here: test/],
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
        ["run", "--event", "x", "--event-name", "fork"],
        /choices are issue_comment, issues, pull_request_review_comment,/,
      ],
      ["a payload that is not there", ["run", "--event", "gone.json"], /gone\.json cannot be read; give the path/],
      ["a payload that is no JSON", ["run", "--event", "Makefile"], /Makefile is not JSON; give the payload/],
      ["a payload that is a folder", ["run", "--event", "."], /\. cannot be read; give the path/],
      ["an empty request", ["try", " "], /say what to do: assay try "/],
      ["no request", ["try"], /missing required argument 'request'/],
      [
        "an agent that is not there",
        ["try", "x", "--agent", "clippy", "--no-sandbox-ok"],
        /`--agent` must be one of pi, claude/,
      ],
      ["a mistyped mode", ["init", "--mode", "singel"], /\(Did you mean single\?\)/],
      ["a mistyped reporter", ["verify", "--reporter", "junitt"], /\(Did you mean junit\?\)/],
      ["a mistyped option", ["verify", "--haed", "x"], /\(Did you mean --head\?\)/],
      ["a shell that is not there", ["completion", "powershell"], /Allowed choices are bash, zsh, fish/],
      ["a base without a value", ["inspect", "--base"], /argument missing/],
      ["no base to inspect", ["inspect"], /required option '--base <rev>'/],
      ["two documents", ["inspect", "--base", "HEAD", "--json", "--sarif"], /cannot be used with option/],
      ["a hook without its agent", ["hook"], /required option '--agent <name>'/],
      [
        "a time that is no number",
        ["hook", "--agent", "claude", "--timeout", "soon"],
        /--timeout needs a number of seconds/,
      ],
      ["a trigger that is not there", ["init", "--on", "pushes"], /pushes/],
      ["a number of machines", ["init", "--shards", "99"], /Allowed choices are 1, 2/],
      ["a check to prove that is not there", ["plan", "--prove", "tset"], /tset/],
      ["too many words", ["plan", "now"], /too many arguments/],
      ["a path that is not there", ["verify", "src"], /error: src is neither in this folder nor in the last commit/],
      ["a path outside", ["verify", "../x"], /error: \.\.\/x is outside of /],
      ["paths and stages", ["verify", "Makefile", "--stage", "test"], /either paths or --stage/],
      ["a reporter that is not there", ["verify", "--reporter", "xml"], /Allowed choices are tree, line, json/],
      ["two forms of a report", ["verify", "--reporter", "line", "--json"], /cannot be used with option '--json'/],
      ["a tool that is not there", ["distill", "--tool", "jset"], /jset/],
      ["a length that is no number", ["distill", "--max-chars", "many"], /--max-chars must be a whole number/],
    ],
    2,
  ),
)("%s", (_, argv, sentence) => {
  const {status, stdout, stderr} = assay(argv);
  expect({status, stdout}).toEqual({status: 3, stdout: ""});
  expect(stderr).toMatch(sentence);
  const mistakes = [...stderr.matchAll(/^error: /gm)].length;
  expect(stderr.trim().split("\n").length, "lines of an error").toBeLessThanOrEqual(Math.max(3, mistakes + 1));
});

test.each([
  ["a missing comma", '{"stages": [\n  {"name": "a", "command": "true"\n]}\n', /line 3, column 1: [\s\S]*> 3 \| \]\}/],
  [
    "a mistyped key",
    '{"stages": [\n  {"nme": "a", "command": "true"}\n]}\n',
    /did you mean `name`\?[\s\S]*> 2 \| .*\n.*\^/,
  ],
  ["a wrong type", '{\n  "maxFixAttempts": "two"\n}\n', /maxFixAttempts: must be a number[\s\S]*> 2 \| [\s\S]*\^/],
  ["a word that is not there", '{\n  "onFailure": "parc"\n}\n', /did you mean `park`\?[\s\S]*> 2 \| [\s\S]*\^/],
])("verify.json with %s shows the place", (_, text, sentence) => {
  writeFileSync(join(folder, "verify.json"), text);
  onTestFinished(() => rmSync(join(folder, "verify.json")));
  const {status, stdout, stderr} = assay(["plan"]);
  expect({status, stdout}).toEqual({status: 3, stdout: ""});
  expect(stderr).toMatch(sentence);
});

test("an address of GitHub that is none is named", () => {
  const env = {...process.env, GITHUB_API_URL: "github", GITHUB_TOKEN: "a-token"};
  const argv = [join(PRODUCT, "dist/cli.js"), "stats", "--repository", "ada/demo"];
  const {status, stderr} = spawnSync(process.execPath, argv, {cwd: folder, env, encoding: "utf8"});
  expect({status, stderr}).toMatchObject({status: 3, stderr: expect.stringContaining("GITHUB_API_URL: github is not")});
});

test("help and version are no mistake", () => {
  for (const argv of [["--help"], ["verify", "--help"], ["--version"]]) expect(assay(argv).status).toBe(0);
});

test("a right command is no mistake either", () => {
  expect(assay(["verify", "--head", "HEAD"]).status).toBe(0);
});

test("in a terminal, a missing token is a variable to set, and a wrong input a line for `env`", () => {
  writeFileSync(join(folder, "event.json"), "{}");
  onTestFinished(() => rmSync(join(folder, "event.json")));
  const {GITHUB_TOKEN: _, GH_TOKEN: __, ...rest} = process.env;
  const env = {...rest, "INPUT_AGENT-TIMEOUT-MINUTES": "soon"};
  const argv = [join(PRODUCT, "dist/cli.js"), "run", "--event", "event.json"];
  const {status, stderr} = spawnSync(process.execPath, argv, {cwd: folder, env, encoding: "utf8"});
  expect(status).toBe(3);
  expect(stderr).toContain("github-token: is missing. Set the variable `GITHUB_TOKEN`.");
  expect(stderr).toContain('Correct it with `env "INPUT_AGENT-TIMEOUT-MINUTES=…"`.');
  expect(stderr).not.toContain("with:");
});

test("the help of each command has an example, and each example only options of that command", () => {
  const commands = [...assay(["--help"]).stdout.matchAll(/^ {2}(\w+) .*/gm)].map(([, name = ""]) => name);
  const names = commands.filter((name) => name !== "help");
  expect(names.length).toBeGreaterThan(9);
  for (const name of names) {
    const [options = "", examples = ""] = assay([name, "--help"]).stdout.split("\nExamples:\n");
    expect(examples).toContain(`assay ${name}`);
    for (const [flag] of examples.matchAll(/--[\w-]+/g)) expect(options).toContain(flag);
  }
});
