/** Each rule of the comparison with the base on its own, with the whole answer. */
import {describe, expect, it, test} from "vitest";
import {compareWithBase, fixedFailures, MAX_DIAGNOSTICS} from "../../../src/diagnostics/compare.ts";
import type {BaselineComparison, Diagnostic, StageResult} from "../../../src/record/evidence.ts";
import {stage} from "../report/records.ts";

const item = (message: string, over: Partial<Diagnostic> = {}): Diagnostic => ({
  tool: "tsc",
  file: "src/a.ts",
  message,
  severity: "error",
  ...over,
});
const old = item("old");
const red = (over: Partial<StageResult> = {}): StageResult =>
  stage({
    kind: "typecheck",
    outcome: "failed",
    failureKind: "code",
    reason: "exit code 1",
    exit: {kind: "exited", code: 1},
    output: {head: "", tail: "", droppedBytes: 0},
    diagnostics: [old],
    tests: null,
    ...over,
  });
const printed = (head: string, tail = "") => ({output: {head, tail, droppedBytes: 0}});
const counted = (passed: number, failed: number, skipped = 0) => ({
  kind: "test" as const,
  tests: {passed, failed, skipped},
});
const compare = (candidate: StageResult, base: StageResult, line = "check") => compareWithBase({candidate, base, line});

const excused: BaselineComparison = {outcome: "pre-existing", new: [], preexisting: [old], fixed: 0, why: ""};

describe("the base", () => {
  it.each<[string, Partial<StageResult>, Partial<BaselineComparison>]>([
    ["passes", {outcome: "passed", failureKind: null}, {outcome: "new", new: [old], why: "the base passes this check"}],
    [
      "could not run",
      {outcome: "unavailable", failureKind: "environment", reason: "no tsc"},
      {outcome: "unknown", why: "the base's run says too little: no tsc"},
    ],
    [
      "failed by its machine",
      {failureKind: "environment", reason: "no network"},
      {outcome: "unknown", why: "the base's run says too little: no network"},
    ],
    [
      "was skipped, without a reason",
      {outcome: "skipped", failureKind: "code", reason: ""},
      {outcome: "unknown", why: "the base's run says too little: skipped"},
    ],
    ["is flaky", {outcome: "flaky"}, {outcome: "unknown", why: "the base's run says too little: exit code 1"}],
    [
      "ran out of time",
      {outcome: "timed-out", failureKind: "timeout", reason: "stopped after 9 s"},
      {outcome: "not-comparable", preexisting: [old], why: "on the base, stopped after 9 s"},
    ],
    [
      "failed by a time limit of its own",
      {failureKind: "timeout", reason: "exit code 124"},
      {outcome: "not-comparable", preexisting: [old], why: "on the base, exit code 124"},
    ],
    [
      "failed by a time limit, without a reason",
      {failureKind: "timeout", reason: ""},
      {outcome: "not-comparable", preexisting: [old], why: "on the base, failed"},
    ],
    [
      "was ended by a signal",
      {exit: {kind: "signaled", signal: "SIGSEGV"}},
      {outcome: "not-comparable", preexisting: [old], why: "on the base, it did not end by itself"},
    ],
    ["has no exit", {exit: null}, {outcome: "not-comparable", why: "on the base, it did not end by itself"}],
    [
      "has no output",
      {output: null},
      {outcome: "not-comparable", why: "on the base, its output is too long to be kept whole"},
    ],
    [
      "has no failure of a known form",
      {diagnostics: []},
      {
        outcome: "not-comparable",
        new: [old],
        preexisting: [],
        why: "on the base, no failure in its output has a known form",
      },
    ],
  ])("%s", (_, over, expected) => {
    const nothing = {new: [], fixed: 0};
    const {preexisting = expected.outcome === "not-comparable" ? [old] : []} = expected;
    expect(compare(red(), red(over))).toEqual({...nothing, preexisting, ...expected});
  });

  it("has as many failures as the list may hold", () => {
    const many = (count: number) => red({diagnostics: Array.from({length: count}, () => old)});
    const all = Array.from({length: MAX_DIAGNOSTICS - 1}, () => old);
    expect(compare(many(MAX_DIAGNOSTICS - 1), many(MAX_DIAGNOSTICS - 1))).toEqual({...excused, preexisting: all});
    expect(compare(many(1), many(MAX_DIAGNOSTICS))).toMatchObject({
      outcome: "not-comparable",
      fixed: 0,
      why: "on the base, it has too many failures to list them all",
    });
  });
});

describe("the candidate", () => {
  it.each<[string, Partial<StageResult>, string]>([
    ["failed by its machine", {failureKind: "environment", reason: "no network"}, "no network"],
    ["ran out of time", {outcome: "timed-out", failureKind: "code", reason: ""}, "timed-out"],
    ["did not end by itself", {exit: null}, "it did not end by itself"],
    ["has no output", {output: null}, "its output is too long to be kept whole"],
    ["has a cut output", {output: {head: "", tail: "", droppedBytes: 1}}, "its output is too long to be kept whole"],
    ["ends with a higher exit code", {exit: {kind: "exited", code: 2}}, "it ends with exit code 2, on the base with 1"],
  ])("%s: no claim", (_, over, why) => {
    expect(compare(red(over), red())).toEqual({...excused, outcome: "unknown", why});
  });

  it("mends a failure of the base and keeps another", () => {
    const base = red({diagnostics: [old, item("gone"), item("gone"), item("gone too")]});
    expect(compare(red(), base)).toEqual({...excused, fixed: 3});
    expect(compare(red({diagnostics: [old, item("fresh")]}), base)).toEqual({
      ...excused,
      outcome: "new",
      new: [item("fresh")],
      fixed: 3,
    });
  });

  it("repeats a failure that the base has once", () => {
    expect(compare(red({diagnostics: [old, old]}), red())).toEqual({...excused, outcome: "new", new: [old]});
  });
});

describe("warnings", () => {
  const warning = item("w", {severity: "warning"});
  const info = item("i", {severity: "info"});
  it.each<[StageResult["kind"], Diagnostic[], BaselineComparison["outcome"]]>([
    ["lint", [old, warning], "new"],
    ["check", [old, warning], "not-comparable"],
    ["typecheck", [old, warning], "pre-existing"],
    ["build", [old, warning], "pre-existing"],
    ["lint", [old, info], "pre-existing"],
  ])("of a %s stage next to an error", (kind, diagnostics, outcome) => {
    expect(compare(red({kind, diagnostics}), red({kind})).outcome).toBe(outcome);
  });

  it("fail a stage alone, information does not", () => {
    expect(compare(red({diagnostics: [warning]}), red({diagnostics: [warning]})).outcome).toBe("pre-existing");
    expect(compare(red({diagnostics: [info]}), red()).why).toBe("no failure in its output has a known form");
  });
});

describe("counted tests", () => {
  const run = (over: Partial<StageResult>) => red({diagnostics: [item("t", {testId: "t"})], ...over});
  it.each<[string, StageResult, StageResult, string]>([
    ["as many", run(counted(3, 1, 1)), run(counted(3, 1, 1)), "pre-existing "],
    ["one fewer passed", run(counted(2, 1, 1)), run(counted(3, 1, 1)), "unknown fewer tests ran than on the base"],
    ["one skipped fewer", run(counted(3, 1, 0)), run(counted(3, 1, 1)), "unknown fewer tests ran than on the base"],
    ["one skipped instead of passed", run(counted(2, 1, 2)), run(counted(3, 1, 1)), "pre-existing "],
    [
      "one fewer failed",
      run(counted(3, 1)),
      run(counted(3, 2)),
      "not-comparable on the base, not every failing test could be read",
    ],
    [
      "none that is counted",
      run({kind: "test"}),
      run(counted(3, 1)),
      "not-comparable with the change, no passed test was counted",
    ],
    [
      "a check without counts",
      run({kind: "check"}),
      run({kind: "check"}),
      "not-comparable on the base, no passed test was counted",
    ],
  ])("%s", (_, candidate, base, expected) => {
    const {outcome, why} = compare(candidate, base);
    expect(`${outcome} ${why}`).toBe(expected);
  });
});

describe("a line that no parser knows", () => {
  const unknown = (line: string) => `unknown a line that the base does not print: ${line}`;
  it.each<[string, string, string, string]>([
    ["is new", "Error: new", "", unknown(" |  |  |  | Error: new")],
    ["is at the end of the output", "", "Error: late", unknown(" |  |  |  | Error: late")],
    ["is good news", "  ✓ shows an error", "", "pre-existing "],
    ["is a passed test", "ok 1 - invalid input", "", "pre-existing "],
    ["is a passed test in Go", "--- PASS: TestInvalid", "", "pre-existing "],
    ["is a passed subtest in Go", "-- PASS: TestInvalid", "", "pre-existing "],
    ["says passed", "passed: denied", "", "pre-existing "],
    ["says pass", "pass denied", "", "pre-existing "],
    ["counts no failure", "found 0 failures, 0 errors", "", "pre-existing "],
    ["counts no error", "found 0 error", "", "pre-existing "],
    ["counts no failed test", "0 failed", "", "pre-existing "],
    ["counts nothing that fails", "0 fail", "", "pre-existing "],
    ["counts one failure", "found 0 failure", "", "pre-existing "],
    ["has good news at its end", "denied ✓", "", unknown(" |  |  |  | denied ✓")],
    ["has a cross", "× broken", "", unknown(" |  |  |  | × broken")],
  ])("%s", (_, head, tail, expected) => {
    const {outcome, why} = compare(red(printed(head, tail)), red());
    expect(`${outcome} ${why}`).toBe(expected);
  });

  it("is the base's, whatever its numbers are", () => {
    expect(compare(red(printed("Error 12 of 345")), red(printed("", "Error 7 of 8"))).outcome).toBe("pre-existing");
  });

  it("is shown with at most 200 characters", () => {
    expect(compare(red(printed(`Error ${"x".repeat(300)}`)), red()).why.length).toBe(37 + 200);
  });
});

test.each([
  ["run-p a b", "unknown"],
  ["npx concurrently a b", "unknown"],
  ["./run-parts a", "pre-existing"],
  ["(concurrently a b)", "unknown"],
  ["a & pytest", "unknown"],
  ["pytest", "pre-existing"],
  ["pytest 2>&1", "pre-existing"],
  ["make && pytest", "pre-existing"],
])("%s: whether a new line next to named tests counts", (line, outcome) => {
  const result = (head: string) => red({...counted(3, 1), ...printed(head), diagnostics: [item("t", {testId: "t"})]});
  expect(compare(result("✖ new"), result(""), line).outcome).toBe(outcome);
});

test.each<[string, Partial<StageResult>, BaselineComparison | null]>([
  ["one failure", {}, {outcome: "fixed", new: [], preexisting: [], fixed: 1, why: ""}],
  ["two", {diagnostics: [old, old]}, {outcome: "fixed", new: [], preexisting: [], fixed: 2, why: ""}],
  ["one of no known form", {diagnostics: []}, {outcome: "fixed", new: [], preexisting: [], fixed: 1, why: ""}],
  ["none", {outcome: "passed", failureKind: null}, null],
  ["a time limit", {outcome: "timed-out", failureKind: "code"}, null],
  ["its machine", {failureKind: "environment"}, null],
])("a pass mends %s of the base", (_, over, expected) => expect(fixedFailures(red(over))).toEqual(expected));
