/** Commands narrowed to the tests that failed: the line itself, where there is none, and what two real runners then run. */
import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {countTests} from "../../../src/diagnostics/count-tests.ts";
import {type FailedTests, failedTests} from "../../../src/diagnostics/failed-tests.ts";
import {readLines} from "../../../src/diagnostics/lines.ts";
import {rerunOf} from "../../../src/diagnostics/rerun.ts";

const SCRIPTS = {
  test: "vitest run",
  unit: "tsc && jest --ci",
  node: "node --test 'test/*.js'",
  hooked: "node --test",
  prehooked: "echo",
  shell: "./test.sh",
  piped: "vitest run | tee log",
};
const one = (tool: FailedTests["tool"], file: string | null, name: string | null): FailedTests => ({
  tool,
  tests: [{file, name}],
  isComplete: true,
});
const line = (command: string, failed: FailedTests, cwd = "."): string | null =>
  rerunOf({command, cwd, failed, scripts: SCRIPTS})?.command ?? null;

const inVitest = one("vitest", "a.test.ts", "basket > costs $5");
const asked = "--coverage.enabled=false -t '^ ?(?:basket (?:> )?costs \\$5)$' a.test.ts";
const inPytest = one("pytest", "tests/test_a.py", "Test::test_b[two words]");
const inGo: FailedTests = {
  tool: "go test",
  tests: [
    {file: "example.com/app", name: "TestTable"},
    {file: "example.com/app", name: "TestTable/two_words"},
  ],
  isComplete: true,
};

describe("a command is narrowed", () => {
  it.each([
    ["vitest run", inVitest, `vitest run ${asked}`],
    ["CI=1 npx vitest run --reporter dot", inVitest, `CI=1 npx vitest run --reporter dot ${asked}`],
    ["npm run build && vitest run", inVitest, `npm run build && vitest run ${asked}`],
    ["npm test", inVitest, `npm test -- ${asked}`],
    ["npm test -- --silent", inVitest, `npm test -- --silent ${asked}`],
    ["yarn test", inVitest, `yarn test ${asked}`],
    ["pnpm run test", inVitest, `pnpm run test ${asked}`],
    ["pytest", inPytest, "pytest 'tests/test_a.py::Test::test_b[two words]'"],
    ["uv run pytest -q tests -m fast", inPytest, "uv run pytest -q -m fast 'tests/test_a.py::Test::test_b[two words]'"],
    [
      "python -m pytest --foo tests",
      inPytest,
      "python -m pytest --foo tests 'tests/test_a.py::Test::test_b[two words]'",
    ],
    [
      "go test -race -tags it ./... -timeout 60s",
      inGo,
      "go test -v -count=1 -run '^(?:TestTable)$' -race -tags it -timeout 60s example.com/app",
    ],
    ["cargo test --all", one("cargo test", "it", "a::b"), "cargo test --all -- --exact a::b"],
    ["cargo test -- --nocapture", one("cargo test", "it", "a::b"), "cargo test -- --nocapture --exact a::b"],
    ["npm run node", one("node:test", "test/a.js", "adds"), "node --test test/a.js"],
    ["npm run hooked", one("node:test", "test/a.js", "adds"), "npm run hooked -- test/a.js"],
    ["deno test -A --allow-run src", one("deno", "./a_test.ts", "adds"), "deno test -A --allow-run ./a_test.ts"],
    ["bundle exec rspec spec", one("rspec", "./spec/a_spec.rb", "[1:2]"), "bundle exec rspec './spec/a_spec.rb[1:2]'"],
    ["mocha", one("mocha", null, "it's (full)"), "mocha --grep '^(?:it'\\''s \\(full\\))$'"],
    ["bin/rails test", one("minitest", null, "A#test_b"), "bin/rails test -n '/^(?:A#test_b)$/'"],
  ])("%s", (command, failed, expected) => {
    expect(line(command, failed)).toBe(expected);
  });

  it("with paths as its own folder has them", () => {
    expect(line("node --test", one("node:test", "packages/a/a.test.js", "adds"), "packages/a")).toBe(
      "node --test a.test.js",
    );
  });

  it("and tells how many tests must pass in it: a subtest counts with its test", () => {
    expect(rerunOf({command: "go test ./...", cwd: ".", failed: inGo, scripts: {}})?.tests).toBe(1);
  });
});

describe("nothing is narrowed", () => {
  it.each([
    ["an opaque script", "./test.sh", inVitest],
    ["a script of package.json that is opaque", "npm run shell", inVitest],
    ["a script that hands its words to another program", "npm run piped", inVitest],
    ["a script that does not exist", "npm run nothing", inVitest],
    ["bun's own runner, which is no script", "bun test", inVitest],
    ["another tool than the one that spoke", "jest", inVitest],
    ["a command after it", "vitest run; echo done", inVitest],
    ["a failure that is excused", "pytest || true", inPytest],
    ["a pipe", "pytest | tee log", inPytest],
    ["a subshell", "(cd a && pytest)", inPytest],
    ["words that only the shell knows", "pytest $ARGS", inPytest],
    ["a run that stops at the first failure", "pytest -x", inPytest],
    ["a run that selects by name already", "vitest run -t some", inVitest],
    ["a documentation test", "cargo test", one("cargo test", "Doc-tests", "src/lib.rs - add (line 2)")],
    ["a test of an unknown file", "vitest run", one("vitest", null, "a")],
    ["a name that would be an option", "pytest", one("pytest", "--pdb", null)],
    ["a name that cannot be typed", "mocha", one("mocha", null, "a\nb")],
    ["an incomplete run", "pytest", {...inPytest, isComplete: false}],
  ])("for %s", (_, command, failed) => {
    expect(line(command, failed)).toBeNull();
  });
});

describe("a narrowed command run by its real tool", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "assay-rerun-"));
    symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "seen"));
    for (const [runner, file] of [
      ["node:test", "chance.node.mjs"],
      ["node:test", "steady.node.mjs"],
      ["vitest", "chance.test.mjs"],
      ["vitest", "steady.test.mjs"],
    ] as const) {
      writeFileSync(join(folder, file), projectFile(runner, file));
    }
  });
  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  it.each([
    ["node --test --test-reporter=spec chance.node.mjs steady.node.mjs", ["chance.node.mjs"], 2],
    ["node_modules/.bin/vitest run", ["chance.test.mjs"], 1],
  ])("%s runs what failed again, and not the other file", (command, files, tests) => {
    const first = run(command, folder);
    const failed = failedTests(first);
    expect(failed?.tests.map(({file}) => file)).toEqual(files);
    const again = failed === null ? null : rerunOf({command, cwd: ".", failed, scripts: {}});
    const seen = readFileSync(join(folder, "seen/log"), "utf8");
    const second = run(again?.command ?? "false", folder);
    const fresh = readFileSync(join(folder, "seen/log"), "utf8").slice(seen.length);
    expect(fresh).toContain("chance");
    expect(fresh).not.toContain("steady");
    expect(countTests(readLines(second))).toMatchObject({passed: tests, failed: 0});
    expect(again?.tests).toBe(1);
  });
});

/** One test that passes from its second run on, or one that always passes; each beside another. */
function projectFile(runner: "node:test" | "vitest", file: string): string {
  const mark = `./seen/${file}`;
  return [
    'import {appendFileSync, existsSync, writeFileSync} from "node:fs";',
    `import {describe, it} from "${runner}";`,
    'describe("a (basket)", () => {',
    `  it("costs $5", () => {`,
    `    appendFileSync("./seen/log", "${file}\\n");`,
    file.startsWith("chance")
      ? `    if (!existsSync("${mark}")) { writeFileSync("${mark}", ""); throw new Error("not yet"); }`
      : "",
    "  });",
    '  it("beside", () => {});',
    "});",
  ].join("\n");
}

function run(command: string, cwd: string): string {
  // The runner above must not be seen by the one in the project.
  const env = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_|TEST$)/.test(name));
  const {stdout, stderr} = spawnSync("bash", ["-c", command], {
    cwd,
    encoding: "utf8",
    env: {...Object.fromEntries(env), CI: "true"},
  });
  return stdout + stderr;
}
