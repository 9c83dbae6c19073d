/** `assay plan` from a terminal: the plan of the repository, from any folder in it. */
import {spawnSync} from "node:child_process";
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {git} from "../rig/git.ts";
import {PRODUCT} from "../rig/runner.ts";
import {isSweep} from "../sweep.ts";

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
    const env = {...process.env, NO_COLOR: "1"};
    const {status, stdout, stderr} = spawnSync(process.execPath, [cli, "plan", ...more], {cwd, encoding: "utf8", env});
    return {status, stdout, stderr};
  };
  expect(plan(join(top, "web"))).toEqual(plan(top));
  expect(plan(join(top, "web"), "--json")).toEqual(plan(top, "--json"));
  const folders = (cwd: string, path: string) =>
    JSON.parse(plan(cwd, "--json", "--changed", path).stdout).stages.map(({cwd: folder}: {cwd: string}) => folder);
  expect(folders(top, "web/package.json")).toEqual(["web"]);
  expect(folders(join(top, "web"), "package.json")).toEqual(["web"]);
  expect(plan(join(top, "web"), "--changed", "typo.js").stderr).toContain("web/typo.js is neither in this repository");
  writeFileSync(join(top, "README.md"), "# Shop\n");
  await git(top, ["add", "."]);
  await git(top, ["-c", "user.name=ada", "-c", "user.email=ada@example.com", "commit", "-qm", "First"]);
  expect(plan(top, "--changed", "README.md").stdout).toMatch(
    /Checks\n {2}none for the changed paths\n[\s\S]*nothing to verify: [^\n]*README\.md/,
  );
  expect(folders(top, "README.md")).toEqual([]);
  writeFileSync(join(top, "policy.json"), '{"budget": {"usd": 5}, "agents": ["pi"]}');
  expect(plan(top, "--policy", "policy.json").stdout).toContain(
    "policy.json: makes `budget.usd` stricter, and decides on GitHub about agents",
  );
  expect(plan(top, "--policy", "none.json")).toMatchObject({status: 3, stderr: expect.stringContaining("none.json")});
  writeFileSync(join(top, "verify.json"), '{"enabled": false}');
  expect(plan(top).stdout).toContain("enabled: verify.json says false, so nothing is verified");
  mkdirSync(join(top, "ignored"));
  writeFileSync(join(top, ".gitignore"), "ignored\n");
  writeFileSync(join(top, "ignored", "package.json"), "{}");
  expect(plan(join(top, "ignored")).stdout).toContain("ignored: git lists no file of this folder");
});

test("`plan`, `verify` and `doctor` name a tool that is installed in another version than in CI", async () => {
  const top = mkdtempSync(join(tmpdir(), "assay-plan-"));
  const programs = mkdtempSync(join(tmpdir(), "assay-programs-"));
  onTestFinished(() => {
    for (const folder of [top, programs]) rmSync(folder, {recursive: true});
  });
  await git(top, ["init", "-q"]);
  mkdirSync(join(top, ".github/workflows"), {recursive: true});
  const step = (uses: string, input: string) => `{uses: ${uses}, with: {${input}}}`;
  const steps = [step("actions/setup-go@v5", 'go-version: "1.99"'), step("ruby/setup-ruby@v1", 'ruby-version: "9.9"')];
  writeFileSync(
    join(top, ".github/workflows/ci.yml"),
    `on: [pull_request]\njobs: {a: {runs-on: ubuntu-latest, steps: [${steps.join(", ")}, {run: "sh test.sh"}]}}\n`,
  );
  writeFileSync(join(top, "verify.json"), '{"stages": [{"name": "test", "kind": "check", "command": "sh test.sh"}]}');
  writeFileSync(join(top, "test.sh"), "exit 0\n");
  writeFileSync(join(programs, "go"), "#!/bin/sh\necho go version go1.20.7 linux/amd64\n", {mode: 0o755});
  // a program of the repository is not started
  writeFileSync(join(top, "ruby"), `#!/bin/sh\ntouch ${top}/started; echo ruby 1.0.0\n`, {mode: 0o755});
  await git(top, ["add", "."]);
  await git(top, ["-c", "user.name=ada", "-c", "user.email=ada@example.com", "commit", "-qm", "First"]);
  const env = {...process.env, NO_COLOR: "1", PATH: `${top}:${programs}:${process.env["PATH"]}`};
  const outputOf = (...args: string[]) =>
    spawnSync(process.execPath, [join(PRODUCT, "dist/cli.js"), ...args], {cwd: top, encoding: "utf8", env}).stdout;
  const named = "go version: 1.20.7 runs here, but CI uses 1.99";
  for (const command of ["plan", "verify", "doctor"]) expect(outputOf(command)).toContain(named);
  expect(existsSync(join(top, "started"))).toBe(false);
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
  expect(specs).toMatchObject({scorer: "tf-idf", of: 2, given: [{name: "parser"}], noneBecause: null});
});

if (isSweep)
  test("a task without a spec gets the reason, and an empty task is refused", async () => {
    const top = mkdtempSync(join(tmpdir(), "assay-plan-"));
    onTestFinished(() => rmSync(top, {recursive: true}));
    await git(top, ["init", "-q"]);
    const plan = (task: string) => {
      const args = [join(PRODUCT, "dist/cli.js"), "plan", "--task", task];
      return spawnSync(process.execPath, args, {cwd: top, encoding: "utf8", env: {...process.env, NO_COLOR: "1"}});
    };
    const withConfig = (specs: unknown) => {
      writeFileSync(join(top, "verify.json"), JSON.stringify({specs}));
      return plan("paint the shed").stdout;
    };
    expect(plan("paint the shed").stdout).toMatch(
      /Specs for this task\n {2}none: no specs found in the known places; name/,
    );
    expect(withConfig(false)).toContain('  none: specs are off (`"specs": false` in verify.json)\n');
    expect(withConfig(["rfcs/*.md"])).toContain(
      "  none: no text file matches the globs of `specs` in verify.json; `assay doctor`",
    );
    mkdirSync(join(top, "rfcs"));
    writeFileSync(join(top, "rfcs/parser.md"), "Turns text into tokens.\n");
    expect(withConfig(["rfcs/*.md"])).toMatch(/\(tf-idf, best of 1\)\n {2}none: no spec shares words with the task\n/);
    for (const task of ["", " \n"]) expect(plan(task)).toMatchObject({status: 3, stdout: ""});
    expect(plan("").stderr).toBe("error: --task is empty. Write what the agent would be asked to do.\n");
  });
