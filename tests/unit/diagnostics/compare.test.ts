/** Only what the base surely fails with too is excused: every doubt about either run is `new` or `unknown`. */
import {expect, test} from "vitest";
import {compareWithBase as compare, fixedFailures} from "../../../src/diagnostics/compare.ts";
import {narrowLog} from "../../../src/diagnostics/narrow-log.ts";
import type {Diagnostic, StageResult} from "../../../src/record/evidence.ts";
import {stage} from "../report/records.ts";

const item = (over: Partial<Diagnostic> = {}): Diagnostic => ({
  tool: "tsc",
  file: "src/a.ts",
  line: 4,
  code: "TS2322",
  message: "Type 'string' is not assignable to type 'number'.",
  severity: "error",
  ...over,
});
const red = (over: Partial<StageResult> = {}): StageResult =>
  stage({
    kind: "typecheck",
    outcome: "failed",
    failureKind: "code",
    reason: "exit code 1",
    exit: {kind: "exited", code: 1},
    output: {head: "", tail: "", droppedBytes: 0},
    diagnostics: [item()],
    ...over,
  });
const printed = (text: string) => ({output: {head: text, tail: "", droppedBytes: 0}});
const tests = (passed: number, failed: number) => ({tests: {passed, failed, skipped: 0}});
const compareWithBase = (options: {candidate: StageResult; base: StageResult; line?: string}) =>
  compare({line: "check", ...options});
const many = Array.from({length: 200}, (_, line) => item({line}));

test("a failure that only moved is the base's", () => {
  const seen = compareWithBase({candidate: red({diagnostics: [item({line: 40})]}), base: red()});
  expect(seen).toMatchObject({outcome: "pre-existing", new: [], fixed: 0});
  expect(seen.preexisting).toHaveLength(1);
});

test("new, pre-existing and fixed are told apart", () => {
  const [old, fresh, gone] = ["old", "fresh", "gone"].map((message) => item({message}));
  if (!old || !fresh || !gone) throw new Error("three items");
  const seen = compareWithBase({
    candidate: red({diagnostics: [old, fresh]}),
    base: red({diagnostics: [gone, old]}),
  });
  expect(seen).toEqual({outcome: "new", new: [fresh], preexisting: [old], fixed: 1, why: ""});
});

test.each<[string, RegExp, StageResult, StageResult]>([
  ["the base passes", /^new/, red(), stage()],
  ["the same once more in the same file", /^new/, red({diagnostics: [item(), item({line: 9})]}), red()],
  ["another file", /^new/, red({diagnostics: [item({file: "src/b.ts"})]}), red()],
  ["another test", /^new/, red({diagnostics: [item({testId: "b"})]}), red({diagnostics: [item({testId: "a"})]})],
  ["nothing known of the candidate", /^unknown/, red({diagnostics: []}), red()],
  ["nothing known of the base", /^not-comparable/, red(), red({diagnostics: []})],
  ["a cut output", /^unknown/, red({output: {head: "", tail: "", droppedBytes: 1}}), red()],
  ["a cut output of the base", /^not-comparable/, red(), red({output: {head: "", tail: "", droppedBytes: 1}})],
  ["a cut list", /^not-comparable/, red({diagnostics: many}), red({diagnostics: many})],
  ["both over their time", /^unknown/, red({outcome: "timed-out", failureKind: "timeout"}), red()],
  ["the base over its time", /^not-comparable/, red(), red({outcome: "timed-out", failureKind: "timeout"})],
  ["the base could not run", /^unknown/, red(), red({outcome: "unavailable", failureKind: "environment"})],
  ["ended by a signal", /^unknown/, red({exit: {kind: "signaled", signal: "SIGSEGV"}}), red()],
  ["a higher exit code", /^unknown/, red({exit: {kind: "exited", code: 2}}), red()],
  ["a failing test without a name", /^unknown/, red(tests(3, 2)), red(tests(4, 1))],
  ["fewer tests ran", /^unknown/, red(tests(3, 1)), red(tests(9, 1))],
  ["tests that are no longer counted", /^not-comparable/, red(), red(tests(9, 1))],
  ["a complaint that no parser knows", /^unknown.*licence/, red(printed("✖ no licence in new.ts")), red()],
  ["a warning of a linter", /^new/, lint([item(), item({severity: "warning", message: "any"})]), lint([item()])],
])("%s: not excused", (_, expected, candidate, base) => {
  const {outcome, why} = compareWithBase({candidate, base});
  expect(`${outcome} ${why}`).toMatch(expected);
});

test.each<[string, StageResult, StageResult]>([
  [
    "complaints that the base prints too",
    red(printed("✖ 1 problem")),
    red(printed("12 lines\n✖ 2 problems\n✖ 9 problem")),
  ],
  [
    "more tests that pass, whatever their names",
    red({...tests(9, 1), ...printed("an error is shown")}),
    red(tests(8, 1)),
  ],
  ["good news with bad words", red(printed("✓ shows errors\n0 errors")), red()],
  ["a warning of a compiler", red({diagnostics: [item(), item({severity: "warning", message: "w"})]}), red()],
  ["a lower exit code", red(), red({exit: {kind: "exited", code: 3}})],
])("%s: excused", (_, candidate, base) => {
  expect(compareWithBase({candidate, base})).toMatchObject({outcome: "pre-existing"});
});

/** A red run of a test stage as its runner prints it, with as many passed tests as it says. */
const ran = (output: string, over: Partial<StageResult> = {}) =>
  red({kind: "test", ...tests(3, 1), ...printed(output), diagnostics: [item({testId: "a"})], ...over});
const GO = "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s\n";
const PYTEST = "FAILED test_a.py::test_a - assert 1 == 2\n=== 1 failed, 3 passed in 0.10s ===\n";
const VITEST = " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 3 passed (4)\n";
const CARGO = "test a ... FAILED\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n";
const REPORT = {tool: "node:test", counts: {passed: 0, failed: 1, skipped: 0}};
const NAMED = {file: "a.js", name: "a", title: "a", message: ""};

test.each<[string, string, StageResult]>([
  ["pytest", "pytest", ran(PYTEST)],
  ["pytest after its collection errors", "pytest", ran(`ERROR test_b.py\n${PYTEST}`)],
  ["vitest", "vitest run", ran(VITEST)],
  ["go, test by test", "go test ./...", ran(GO)],
  ["cargo, each of its targets", "cargo test --no-fail-fast", ran(`${CARGO}error: 1 target failed:\n`)],
  ["a runner of no known form", "./run-tests", ran("1 of 4 is broken")],
  ["the only test, by a report", "node --test", ran("", {...tests(0, 1), reported: {...REPORT, failed: [NAMED]}})],
  ["a build before the tests", "tsc -b && vitest run", ran(VITEST)],
  ["a pipe behind the tests", "pytest | tee log.txt", ran(PYTEST)],
  ["Gradle, which is asked to go on", "./gradlew test", ran("Execution failed for task ':a:test'.\n")],
  ["bail that is off", "jest --bail=0", ran("")],
])("%s: a whole run on both sides is excused", (_, line, result) => {
  expect(compareWithBase({candidate: result, base: result, line})).toMatchObject({outcome: "pre-existing"});
});

test.each<[string, string, StageResult]>([
  ["no test counted", "pytest", ran(PYTEST, {tests: null})],
  ["a check that ended before its tests", "make check", ran("", {kind: "check", tests: null})],
  ["files that cannot be loaded, and no test", "pytest", ran("=== 2 errors in 0.2s ===", tests(0, 2))],
  [
    "a file in the report that cannot be loaded",
    "node --test",
    ran("", {...tests(0, 1), reported: {...REPORT, failed: [{...NAMED, name: null}]}}),
  ],
  ["a panic of go", "go test ./...", ran(`panic: boom\n\ngoroutine 7 [running]:\n${GO}`)],
  ["go, a package that ended by os.Exit", "go test ./...", ran(`${GO}FAIL\texample.com/b\t0.01s\n`)],
  ["go, failures alone", "go test ./...", ran(GO, tests(0, 1))],
  [
    "pytest, interrupted",
    "pytest",
    ran("!!!! Interrupted: 1 error during collection !!!!\n=== 1 error in 0.10s ===\n"),
  ],
  ["pytest -x by its settings", "pytest", ran(`!!!!!! stopping after 1 failures !!!!!!\n${PYTEST}`)],
  ["pytest -x by its command", "pytest -qx", ran(PYTEST)],
  ["pytest --maxfail", "python -m pytest --maxfail=2", ran(PYTEST)],
  ["pytest that crashed", "pytest", ran(`Fatal Python error: Segmentation fault\n${PYTEST}`)],
  ["vitest with bail", "vitest run", ran(VITEST.replace("(4)", "(9)"))],
  ["vitest with files it never started", "vitest run", ran(VITEST.replace("(2)", "(3)"))],
  ["jest with bail", "jest", ran("Test Suites: 1 failed, 1 of 3 total\nTests: 1 failed, 3 passed, 4 total\n")],
  ["mocha --bail", "mocha -b", ran("  3 passing\n  1 failing\n")],
  ["unittest -f", "python -m unittest -f", ran("FAIL: test_a (t.A)\nRan 4 tests in 0.1s\n\nFAILED (failures=1)\n")],
  ["cargo's first target", "cargo test", ran(`${CARGO}error: test failed, to rerun pass \`--lib\`\n`)],
  ["modules that Maven passed over", "mvn test", ran("[INFO] b ....... SKIPPED\n")],
  ["Gradle's first task", "make test", ran("Execution failed for task ':a:test'.\n")],
  ["pnpm's first package", "pnpm -r test", ran("ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  a@1.0.0 test\n")],
  ["a shell's crash", "./run-tests", ran("Segmentation fault (core dumped)\n")],
  ["TAP that bails out", "./run-tests", ran("Bail out! no database\n")],
  ["playwright", "playwright test", ran("  1 failed\n  2 did not run\n  3 passed (2.1s)\n")],
  ["another runner behind it", "vitest run && pytest", ran(VITEST)],
  ["anything behind it", "pytest; ./more-tests", ran(PYTEST)],
  ["scripts in a row", "run-s test:a test:b", ran("")],
  ["a line that cannot be read", "pytest 'x", ran(PYTEST)],
])("%s: a run that was cut short excuses nothing, whichever side it is", (_, line, result) => {
  const onBase = compareWithBase({candidate: result, base: result, line});
  expect(onBase).toMatchObject({outcome: "not-comparable", new: [], fixed: 0});
  expect(onBase.why).toMatch(/^on the base, /);
  const fresh = ran(PYTEST, {diagnostics: [item({testId: "b"})]});
  // The base may have it too, behind what ended it.
  expect(compareWithBase({candidate: fresh, base: result, line})).toMatchObject({outcome: "not-comparable"});
});

test("the side that was cut short is named", () => {
  const o = {base: ran(GO), candidate: ran(`panic: boom\n${GO}`), line: "go test ./..."};
  expect(compareWithBase(o).why).toBe("with the change, go test ended before all of its tests had run");
  const fresh = ran(`panic: boom\n${GO}`, {diagnostics: [item({testId: "b"})]});
  expect(compareWithBase({...o, candidate: fresh})).toMatchObject({outcome: "new"});
});

test.each([
  ["pytest", "pre-existing"],
  ["run-p lint test", "unknown"],
  ["npx concurrently 'eslint .' 'vitest run'", "unknown"],
  ["eslint . & vitest run", "unknown"],
])("a new error line next to tests that are all named, printed by %s: %s", (line, expected) => {
  const candidate = ran(`${PYTEST}✖ no licence in new.ts\n`);
  expect(compareWithBase({candidate, base: ran(PYTEST), line}).outcome).toBe(expected);
});

test.each<[string, StageResult]>([
  ["no test fails", ran("✖ no licence in new.ts", tests(4, 0))],
  ["a failure is no test", ran("✖ no licence in new.ts", {diagnostics: [item({testId: "a"}), item()]})],
])("a new error line where %s is no failure of the base", (_, candidate) => {
  const base = {...candidate, ...printed("")};
  expect(compareWithBase({candidate, base, line: "./run-tests"})).toMatchObject({
    outcome: "unknown",
    why: expect.stringContaining("no licence"),
  });
});

test("a pass mends what the base fails with, if it failed by its code", () => {
  expect(fixedFailures(red({diagnostics: [item(), item({line: 9})]}))).toMatchObject({outcome: "fixed", fixed: 2});
  expect(fixedFailures(stage())).toBeNull();
  expect(fixedFailures(red({outcome: "unavailable", failureKind: "environment"}))).toBeNull();
});

test("a narrowed log shows the new failure and not the old one", () => {
  const log = ["src/a.ts(4,1): error TS2322: Old trouble.", "src/b.ts(5,1): error TS2322: New trouble."].join("\n");
  const wanted = [item({file: "src/b.ts", line: 5, column: 1, message: "New trouble."})];
  expect(narrowLog({log, wanted, maxChars: 500})).toBe("src/b.ts(5,1): error TS2322: New trouble.");
});

function lint(diagnostics: Diagnostic[]): StageResult {
  return red({kind: "lint", diagnostics});
}
