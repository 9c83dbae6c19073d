/** The failures and the numbers of tests that are read from the samples of test runners. */
import {type ExpectedProblems, HOME} from "./expected-problems.ts";

const oneOfTwo = {passed: 1, failed: 1, skipped: 0};

/** as ava prints it, in quotes */
const NO_FOO = "Cannot read properties of undefined (reading \\'foo\\')";

export const TEST_SAMPLES: readonly ExpectedProblems[] = [
  {
    sample: "vitest",
    items: [
      {
        tool: "vitest",
        file: "basket.test.js",
        line: 3,
        column: 39,
        testId: "basket.test.js > basket > adds up",
        message: "AssertionError: expected 4 to be 5 // Object.is equality",
      },
    ],
    tests: {passed: 1, failed: 1, skipped: 1},
  },
  {
    sample: "jest",
    items: [{tool: "jest", file: "basket.test.js", line: 2, testId: "basket › adds up"}],
    tests: oneOfTwo,
  },
  {
    sample: "mocha",
    items: [{tool: "mocha", file: "test/basket.js", line: 3, testId: "adds up"}],
    tests: {passed: 1, failed: 1, skipped: 1},
  },
  {
    sample: "prove",
    items: [
      {tool: "perl", file: "t/cart.t", line: 2, testId: "totals"},
      {tool: "perl", message: "t/cart.t (Wstat: 256 (exited 1) Tests: 2 Failed: 1)"},
    ],
    tests: {passed: 2, failed: 0, skipped: 0},
  },
  {
    sample: "phpunit-testdox",
    items: [
      {
        tool: "phpunit",
        file: `${HOME}/tests/CartTest.php`,
        line: 4,
        testId: "Total",
        message: "Failed asserting that 3 is identical to 4.",
      },
    ],
    tests: oneOfTwo,
  },
  {
    sample: "node-spec",
    items: [{tool: "node:test", file: "node.test.mjs", line: 2, testId: "adds up"}],
    tests: oneOfTwo,
  },
  {
    sample: "node-tap",
    items: [{tool: "node:test", file: `${HOME}/node.test.mjs`, line: 2, testId: "adds up"}],
    tests: oneOfTwo,
  },
  {
    sample: "tape",
    items: [
      {
        tool: "tap",
        file: `${HOME}/test/parse.js`,
        line: 6,
        testId: "a cycle is detected",
        message: "a cycle is detected",
      },
    ],
    tests: oneOfTwo,
  },
  {
    sample: "bun",
    items: [{tool: "bun", line: 2, testId: "adds up", message: "expect(received).toBe(expected)"}],
    tests: oneOfTwo,
  },
  {
    sample: "ava-3-tap",
    items: [
      {tool: "tap", file: "test/basket.js", line: 5, testId: "basket › adds up", message: "Difference"},
      {tool: "tap", file: "test/basket.js", line: 18, testId: "basket › type error", message: NO_FOO},
    ],
    tests: {passed: 1, failed: 2, skipped: 0},
  },
  {
    sample: "ava-tap",
    items: [
      {tool: "tap", testId: "basket › adds up", message: "Difference (- actual, + expected)"},
      {tool: "tap", file: `${HOME}/test/basket.js`, line: 18, testId: "basket › type error", message: NO_FOO},
    ],
    tests: {passed: 1, failed: 2, skipped: 0},
  },
  {
    sample: "pytest",
    items: [{tool: "pytest", file: "test_basket.py", line: 4, testId: "test_total", message: "assert 0 == 4"}],
    tests: oneOfTwo,
  },
  {
    sample: "pytest-xdist",
    items: [{tool: "pytest", file: "tests/conftest.py", line: 3, message: "RuntimeError: no display"}],
    tests: {passed: 0, failed: 0, skipped: 0},
  },
  {
    sample: "unittest",
    items: [{tool: "unittest", file: `${HOME}/py/unit_basket.py`, line: 6, message: "AssertionError: 0 != 4"}],
    tests: {passed: 0, failed: 1, skipped: 1},
  },
  {
    sample: "cargo-test",
    items: [
      {tool: "rustc", file: "src/lib.rs", line: 2, severity: "warning"},
      {tool: "cargo test", file: "src/lib.rs", line: 7, testId: "adds_up", severity: "error"},
    ],
    tests: oneOfTwo,
  },
  {
    sample: "go-test",
    items: [{tool: "go test", file: "app_test.go", line: 7, testId: "TestTotal", message: "total = 4, want 5"}],
    tests: {passed: 0, failed: 1, skipped: 0},
  },
  {
    sample: "go-test-v",
    items: [{tool: "go test", file: "app_test.go", line: 7, testId: "TestTotal", message: "total = 4, want 5"}],
    tests: oneOfTwo,
  },
  {sample: "ctest", items: [{tool: "ctest", severity: "error"}], tests: oneOfTwo},
  {
    sample: "node-tap-suite",
    items: [
      {tool: "node:test", file: `${HOME}/a.test.mjs`, line: 2, testId: "first wrong", message: "1 == 2"},
      {tool: "node:test", file: `${HOME}/a.test.mjs`, line: 2, testId: "second wrong", message: "1 == 3"},
    ],
    tests: {passed: 1, failed: 2, skipped: 0},
  },
  {
    sample: "pytest-cut-summary",
    items: [
      {tool: "pytest", file: "test_a.py", line: 4, testId: "test_parse_stream[x=1\\ny-1]"},
      {tool: "pytest", file: "test_a.py", line: 4, testId: "test_parse_stream[a\\tb-c]"},
    ],
    tests: {passed: 0, failed: 2, skipped: 0},
  },
];
