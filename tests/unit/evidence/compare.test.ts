/** Only what the base surely fails with too is excused: every doubt about either run is `new` or `unknown`. */
import {expect, test} from "vitest";
import {compareWithBase, mended} from "../../../src/evidence/compare.ts";
import {narrowLog} from "../../../src/evidence/narrow-log.ts";
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
  ["nothing known of the base", /^unknown/, red(), red({diagnostics: []})],
  ["a cut output", /^unknown/, red({output: {head: "", tail: "", droppedBytes: 1}}), red()],
  ["a cut output of the base", /^unknown/, red(), red({output: {head: "", tail: "", droppedBytes: 1}})],
  ["a cut list", /^unknown/, red({diagnostics: many}), red({diagnostics: many})],
  ["both over their time", /^unknown/, red({outcome: "timed-out", failureKind: "timeout"}), red()],
  ["the base over its time", /^unknown/, red(), red({outcome: "timed-out", failureKind: "timeout"})],
  ["the base could not run", /^unknown/, red(), red({outcome: "unavailable", failureKind: "environment"})],
  ["ended by a signal", /^unknown/, red({exit: {kind: "signaled", signal: "SIGSEGV"}}), red()],
  ["a higher exit code", /^unknown/, red({exit: {kind: "exited", code: 2}}), red()],
  ["a failing test without a name", /^unknown/, red(tests(3, 2)), red(tests(4, 1))],
  ["fewer tests ran", /^unknown/, red(tests(3, 1)), red(tests(9, 1))],
  ["tests that are no longer counted", /^unknown/, red(), red(tests(9, 1))],
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

test("a pass mends what the base fails with, if it failed by its code", () => {
  expect(mended(red({diagnostics: [item(), item({line: 9})]}))).toMatchObject({outcome: "fixed", fixed: 2});
  expect(mended(stage())).toBeNull();
  expect(mended(red({outcome: "unavailable", failureKind: "environment"}))).toBeNull();
});

test("a narrowed log shows the new failure and not the old one", () => {
  const log = ["src/a.ts(4,1): error TS2322: Old trouble.", "src/b.ts(5,1): error TS2322: New trouble."].join("\n");
  const wanted = [item({file: "src/b.ts", line: 5, column: 1, message: "New trouble."})];
  expect(narrowLog({log, wanted, maxChars: 500})).toBe("src/b.ts(5,1): error TS2322: New trouble.");
});

function lint(diagnostics: Diagnostic[]): StageResult {
  return red({kind: "lint", diagnostics});
}
