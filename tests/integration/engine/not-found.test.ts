/** A command that a runner of targets could not find: the stage is unavailable, as where the shell says so itself. */
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {findLackingCommand} from "../../../src/engine/stage/outcome.ts";
import {runStage} from "../../../src/engine/stage/stage.ts";
import type {SetupStep, Stage} from "../../../src/record/plan.ts";
import {openWorkshop, stageOf} from "../verify/workshop.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-make-"));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

async function made(
  makefile: string,
  command = "make",
  kind: Stage["kind"] = "lint",
): Promise<[string, string | null]> {
  writeFileSync(join(folder, "Makefile"), makefile);
  const result = await runStage(
    {
      ...{name: kind, kind, command, cwd: ".", timeout: 60, optional: true},
      ...{env: {}, path: [], tools: []},
    },
    {
      ...{folder, isolation: "degraded", signal: new AbortController().signal},
      sandbox: () => null,
      variables: () => ({PATH: process.env["PATH"] ?? "", LC_ALL: "C"}),
    },
  );
  reason = result.reason;
  return [result.outcome, result.failureKind];
}

/** of the last stage that was made */
let reason = "";

const ABSENT = "no-such-linter-here run";

test.each([
  ["a target", `lint:\n\t${ABSENT}\n`],
  ["a target that a shell runs", `lint:\n\t${ABSENT} && echo done\n`],
  ["a make that another one starts", `all:\n\t$(MAKE) lint\nlint:\n\t${ABSENT}\n`],
])("%s: unavailable", async (_, makefile) => expect(await made(makefile)).toEqual(["unavailable", "environment"]));

test.each([
  ["a target that fails", "lint:\n\tfalse\n", "make"],
  ["a target that fails with make's own code", "lint:\n\texit 2\n", "make"],
  ["one that fails beside one that is not found", `all: a b\na:\n\t${ABSENT}\nb:\n\texit 2\n`, "make -k"],
  ["the words of make in the output of a check", 'lint:\n\t@echo "make: *** [x] Error 127"; exit 1\n', "make"],
])("%s: failed", async (_, makefile, command) => expect((await made(makefile, command))[0]).toBe("failed"));

test("a check that skips itself, as automake's convention says: unavailable", async () => {
  expect(await made("", "exit 77")).toEqual(["unavailable", "environment"]);
  expect(reason).toBe("exit code 77: it skipped itself");
  const failures = 'printf "  0 passing (9ms)\\n  77 failing\\n"; exit 77';
  expect((await made("", failures, "test"))[0]).toBe("failed");
});

const PYTEST = `=================================== FAILURES ===================================
____________________________________ test_a ____________________________________

    def test_a():
>       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:2: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_a - assert 1 == 2
============================== 1 failed in 0.02s ===============================
`;

test.each([
  ["py313: failed with could not find python interpreter matching any of the specs py313", "py313"],
  ["py3.13: skipped because could not find python interpreter with spec(s): cpython3.13", "cpython3.13"],
  ["nox > Session tests-3.13 failed: Python interpreter 3.13 not found (took a second).", "3.13"],
  ["Environment `py313` is incompatible: cannot locate Python: 3.19", "3.19"],
  ["error: no such command: `nextest`", "nextest"],
  [
    "error: the 'miri' component which provides the command 'cargo-miri' is not available for the 'stable' toolchain",
    "cargo-miri",
  ],
  ["error: 'cargo-fmt' is not installed for the toolchain '1.66.0-x86_64-unknown-linux-gnu'.", "cargo-fmt"],
  ["error: No interpreter found for Python 3.19 in managed installations or search path", "3.19"],
])("%s: unavailable", async (line, name) => {
  writeFileSync(join(folder, "line"), line);
  expect(await made("", "cat line; exit 1", "test")).toEqual(["unavailable", "environment"]);
  expect(reason).toBe(`exit code 1: \`${name}\` is not installed`);
  writeFileSync(join(folder, "failures"), PYTEST);
  const failed = "cat failures line; exit 1";
  expect((await made("", failed, "test"))[0]).toBe("failed");
});

test("an environment that cannot be made stops only its own check, and nobody is blamed", async () => {
  const missing = "echo 'py313: failed with could not find python interpreter matching any of the specs py313'; exit 1";
  await using workshop = await openWorkshop({"bin/tox": `#!/bin/sh\ncase "$*" in *py313*) ${missing};; esac\n`});
  const stageFor = (name: string) => stageOf({name, kind: "check", command: `tox -e ${name}`});
  const step = (name: string): SetupStep => ({
    ...{command: `PATH=$PWD/bin:$PATH tox --notest -e ${name}`, cwd: ".", timeout: 60, inputs: ["/**"]},
    ...{provides: [".tox"], tools: [], origin: {file: "ci.yml", key: "tests", why: "CI runs it"}},
  });
  const look = (setup: SetupStep[]) =>
    workshop.look({setup, stages: [stageFor("py313"), stageFor("typing")], files: {"a.py": "a = 1\n"}});
  const {verdict, setup, stages} = await look([step("py313"), step("typing")]);
  const detail = "py313: exit code 1: `py313` is not installed";
  expect(verdict).toEqual({kind: "unverified", why: "unavailable", detail});
  expect(setup.map(({outcome, optional}) => [outcome, optional])).toEqual([
    ["unavailable", true],
    ["passed", false],
  ]);
  expect(stages.map(({outcome}) => outcome)).toEqual(["unavailable", "passed"]);
  const browsers = {
    command: "echo 'getaddrinfo ENOTFOUND cdn.playwright.dev'; exit 1",
    provides: [".cache/ms-playwright"],
  };
  expect((await look([{...step("typing"), ...browsers}, step("typing")])).setup).toMatchObject([
    {outcome: "failed", failureKind: "environment", optional: true},
    {outcome: "passed"},
  ]);
  // An install, whose packages all checks need, still stops them.
  const stopped = await look([{...step("py313"), provides: [".venv"]}, step("typing")]);
  expect(stopped.verdict).toMatchObject({kind: "unverified", why: "setup-failed"});
});

test("the reason names the command, as make or as the shell itself reports it", async () => {
  await made(`lint:\n\t${ABSENT}\n`);
  expect(reason).toContain("the command `no-such-linter-here` was not found");
  await made("", ABSENT);
  expect(reason).toBe("exit code 127: the command `no-such-linter-here` was not found");
  writeFileSync(join(folder, "tool"), "#!/bin/sh\n", {mode: 0o644});
  await made("", "./tool");
  expect(reason).toBe("exit code 126: the command `./tool` could not be executed");
});

test.each([
  ["bash: line 1: eslint: command not found", "eslint"],
  ["/bin/bash: line 3: ./x/run.sh: No such file or directory", "./x/run.sh"],
  ["sh: 1: ruff: not found", "ruff"],
  ["/bin/sh: golangci-lint: not found", "golangci-lint"],
  ["zsh:1: command not found: deno", "deno"],
  ["env: 'python': No such file or directory", "python"],
  ["make[1]: cargo-nextest: No such file or directory", "cargo-nextest"],
  ["sh: 1: first: not found\nsh: 1: second: not found", "second"],
  ["the file was not found\nuser: not found", null],
  ["assert: `a: command not found` in text", null],
])("%j names %j", (log, name) => expect(findLackingCommand(log)).toBe(name));
