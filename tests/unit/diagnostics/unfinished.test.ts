/** Test programs that began and never summed up, and doubtful passes next to the base's run. */
import {describe, expect, it} from "vitest";
import {isDoubtful, whyLessThanBase, whyUnfinished} from "../../../src/diagnostics/doubtful-pass.ts";
import type {StageResult} from "../../../src/record/evidence.ts";

const CARGO =
  "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n";
const PYTEST = "============ test session starts ============\ncollected 2 items\n\na.py ..\n\n";

describe("a run is unfinished", () => {
  it.each([
    ["cargo, one program of two", `${CARGO}\n     Running tests/b.rs\n\nrunning 3 tests\n`],
    ["GoogleTest", "[==========] Running 2 tests from 1 test suite.\n[ RUN      ] A.B\n"],
    ["pytest", PYTEST],
    ["XCTest", "Test Suite 'All tests' started at 2026-01-01 10:00:00.000\nTest Case '-[A b]' started.\n"],
    ["TAP with its plan first", "TAP version 13\n1..3\nok 1 - a\nok 2 - b\n"],
  ])("%s", (_, output) => {
    expect(whyUnfinished(output)).not.toBe("");
  });
});

describe("a run is finished", () => {
  it.each([
    ["cargo", `${CARGO}${CARGO}`],
    [
      "GoogleTest",
      "[==========] Running 2 tests from 1 test suite.\n[==========] 2 tests from 1 test suite ran. (0 ms total)\n",
    ],
    ["pytest", `${PYTEST}============ 2 passed in 0.01s ============\n`],
    ["pytest with pytest-pretty", `${PYTEST}Results (36.31s):\n       719 passed\n         6 skipped\n`],
    ["pytest after an hour", `${PYTEST}======= 2 passed, 1 warning in 3700.11s (1:01:40) =======\n`],
    ["TAP with its plan first", "1..2\nok 1 - a\nok 2 - b # SKIP\n"],
    ["TAP with its plan last", "ok 1 - a\nok 2 - b\n1..2\n"],
    ["TAP of two programs", "1..1\nok 1 - a\n1..2\nok 1 - a\nok 2 - b\n"],
    ["another program", "all good\n"],
    ["nothing", ""],
  ])("%s", (_, output) => {
    expect(whyUnfinished(output)).toBe("");
  });
});

const counts = (passed: number) => ({passed, failed: 0, skipped: 0});
const resultOf = (more: Partial<StageResult>): StageResult => ({
  ...{name: "test", kind: "test", command: "make test", cwd: ".", optional: false, outcome: "passed"},
  ...{failureKind: null, reason: "", exit: {kind: "exited", code: 0}, durationMs: 1, output: null, excerpt: ""},
  ...{diagnostics: [], tests: null, baseline: null, ...more},
});
const reported = (endedEarly: string[]) => ({tool: "node:test", counts: counts(1), failed: [], endedEarly});

describe("a pass is held against the base", () => {
  it.each<[string, Partial<StageResult>, boolean]>([
    ["without a count", {}, true],
    ["without the report that was asked for", {tests: counts(3), isUnanswered: true}, true],
    ["with a file that ended early", {tests: counts(3), reported: reported(["a.js"])}, true],
    ["with a count", {tests: counts(3)}, false],
    ["of an optional stage", {optional: true}, false],
    ["of a build", {kind: "build"}, false],
    ["of a part", {narrowed: "make test-a"}, false],
    ["that is none", {outcome: "failed"}, false],
  ])("%s", (_, more, isAsked) => {
    expect(isDoubtful(resultOf(more))).toBe(isAsked);
  });

  it.each<[string, Partial<StageResult>, Partial<StageResult>, RegExp]>([
    ["tests on the base alone", {}, {tests: counts(4)}, /^no test was counted; on the base, 4 ran$/],
    ["failed tests on the base alone", {}, {outcome: "failed", tests: {...counts(0), failed: 2}}, /2 ran$/],
    ["no tests on either side", {}, {}, /^$/],
    ["none but skipped ones on the base", {}, {tests: {...counts(0), skipped: 2}}, /^$/],
    [
      "a report on the base alone",
      {tests: counts(9), isUnanswered: true},
      {reported: reported([])},
      /without its report/,
    ],
    ["no report on either side", {tests: counts(9), isUnanswered: true}, {tests: counts(9)}, /^$/],
    [
      "a file that ends early here",
      {tests: counts(1), reported: reported(["a.js"])},
      {reported: reported([])},
      /^a\.js ended/,
    ],
    [
      "one that does on the base",
      {tests: counts(1), reported: reported(["a.js"])},
      {reported: reported(["a.js"])},
      /^$/,
    ],
    ["one that the change edits", {tests: counts(1), reported: reported(["new/b.js"])}, {reported: reported([])}, /^$/],
    ["no report on the base", {tests: counts(1), reported: reported(["a.js"])}, {}, /^$/],
  ])("%s", (_, candidate, base, why) => {
    const changed = ["new/b.js", "src/sum.js"];
    expect(whyLessThanBase({candidate: resultOf(candidate), base: resultOf(base), changed})).toMatch(why);
  });
});
