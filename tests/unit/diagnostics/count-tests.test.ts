/** Counting tests from summaries: right numbers, an explicit zero, and null where nothing is known. */
import {describe, expect, it} from "vitest";
import {countTests} from "../../../src/diagnostics/count-tests.ts";
import {readLines} from "../../../src/diagnostics/lines.ts";

type Row = readonly [name: string, output: string, passed: number, failed: number, skipped: number];

const COUNTED: readonly Row[] = [
  [
    "vitest",
    " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 5 passed | 2 skipped | 1 todo (9)\n",
    5,
    1,
    3,
  ],
  [
    "vitest with escape codes",
    "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m\u001b[90m (3)\u001b[39m",
    3,
    0,
    0,
  ],
  ["jest", "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 3 passed, 5 total\n", 3, 1, 1],
  ["mocha", "  12 passing (8ms)\n  1 pending\n  3 failing\n", 12, 3, 1],
  ["node:test", "ℹ tests 4\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\n", 2, 1, 1],
  ["TAP of node", "# tests 2\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n", 1, 1, 0],
  ["plain TAP", "TAP version 14\n1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n", 1, 1, 1],
  ["bun", "\n 7 pass\n 2 fail\n 9 expect() calls\nRan 9 tests across 1 file. [28.00ms]\n", 7, 2, 0],
  ["deno", "ok | 3 passed | 0 failed | 1 ignored (12ms)\n", 3, 0, 1],
  ["playwright", "  1 failed\n    [chromium] › a.spec.ts:3:1 › adds\n  4 passed (2.1s)\n", 4, 1, 0],
  [
    "uvu",
    '   FAIL  lite  "joins"\n    Expected values to be strictly equal:\n\n  Total:     3\n  Passed:    2\n  Skipped:   1\n',
    ...([2, 1, 1] as const),
  ],
  ["uvu without a test", "  Total:     0\n  Passed:    0\n  Skipped:   0\n  Duration:  0.20ms\n", 0, 0, 0],
  [
    "meson",
    "Ok:                 16  \nExpected Fail:      0   \nFail:               1   \nSkipped:            2   \n",
    16,
    1,
    2,
  ],
  ["ginkgo", "Ran 0 of 0 Specs\nSUCCESS! -- 0 Passed | 0 Failed | 0 Pending | 0 Skipped\n", 0, 0, 0],
  ["lein", "Ran 0 tests containing 0 assertions.\n0 failures, 0 errors.\n", 0, 0, 0],
  ["busted", "5 successes / 1 failure / 1 error / 2 pending : 0.1 seconds\n", 5, 2, 2],
  ["karma", "Chrome: Executed 2 of 3 (1 FAILED)\nChrome: Executed 3 of 3 (1 FAILED) (0.1 secs)\n", 2, 1, 0],
  ["pytest", "=== 2 failed, 3 passed, 1 skipped, 1 xfailed, 4 warnings in 0.12s ===\n", 3, 2, 2],
  ["pytest-pretty", "Results (44.19s):\n       719 passed\n         6 skipped\n", 719, 0, 6],
  [
    "pytest-sugar",
    "Results (0.03s):\n       1 passed\n       1 failed\n         - a/test_b.py:5 test_c\n       2 skipped\n",
    1,
    1,
    2,
  ],
  ["pytest -q", "1 passed in 0.01s\n", 1, 0, 0],
  ["pytest that cannot collect", "=== 2 errors in 0.20s ===\n", 0, 2, 0],
  ["unittest", "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", 2, 2, 1],
  ["unittest, all well", "Ran 5 tests in 0.001s\n\nOK\n", 5, 0, 0],
  [
    "cargo, two crates",
    "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n",
    3,
    1,
    1,
  ],
  ["nextest, a timeout", "     Summary [   5.004s] 2 tests run: 1 passed, 1 timed out, 0 skipped\n", 1, 1, 0],
  ["nextest", "     Summary [   0.004s] 3 tests run: 2 passed, 1 failed, 4 skipped\n", 2, 1, 4],
  [
    "go -v",
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n--- SKIP: TestC (0.00s)\nFAIL\n",
    1,
    1,
    1,
  ],
  [
    "go, one per package",
    "ok  \texample.com/a\t0.002s\nok  \texample.com/b\t(cached)\n?   \texample.com/c\t[no test files]\n",
    2,
    0,
    0,
  ],
  [
    "go -json",
    '{"Action":"pass","Package":"a","Test":"TestA"}\n{"Action":"fail","Package":"a","Test":"TestB"}\n{"Action":"fail","Package":"a"}\n',
    1,
    1,
    0,
  ],
  [
    "surefire, two modules",
    "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in a.A\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n",
    3,
    2,
    1,
  ],
  ["gradle", "7 tests completed, 2 failed, 1 skipped\n", 4, 2, 1],
  [
    "gradle, listed",
    "BasketTest > adds() PASSED\nBasketTest > empty() FAILED\nBasketTest > later() SKIPPED\n",
    1,
    1,
    1,
  ],
  ["rspec", "5 examples, 2 failures, 1 pending\n", 2, 2, 1],
  ["minitest", "5 runs, 9 assertions, 1 failures, 1 errors, 1 skips\n", 2, 2, 1],
  ["phpunit, all well", "OK (3 tests, 4 assertions)\n", 3, 0, 0],
  ["phpunit", "Tests: 10, Assertions: 12, Errors: 1, Failures: 2, Skipped: 1.\n", 6, 3, 1],
  ["pest", "  Tests:    1 failed, 4 passed (9 assertions)\n", 4, 1, 0],
  ["ctest", "50% tests passed, 1 tests failed out of 2\n", 1, 1, 0],
  ["googletest", "[  PASSED  ] 3 tests.\n[  FAILED  ] 1 test, listed below:\n", 3, 1, 0],
  ["dotnet", "Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 9 ms\n", 2, 1, 1],
  ["mix", "1 doctest, 4 tests, 1 failure, 1 skipped\n", 2, 1, 1],
  ["bats", "3 tests, 1 failure\n", 2, 1, 0],
  [
    "swift",
    "\t Executed 2 tests, with 0 failures (0 unexpected) in 0.1 seconds\n\t Executed 4 tests, with 1 failure (0 unexpected) in 0.2 seconds\n",
    3,
    1,
    0,
  ],
  ["prove", "Files=2, Tests=10,  1 wallclock secs\nResult: PASS\n", 10, 0, 0],
  ["two runners in one script", "Tests:       3 passed, 3 total\n\n=== 2 passed in 0.10s ===\n", 5, 0, 0],
];

const NONE_RAN: readonly (readonly [string, string])[] = [
  ["make, with a folder of that name", "make: 'test' is up to date.\n"],
  ["make, below npm", "\n> a@1.0.0 test\n> make test\n\nmake: Nothing to be done for 'test'.\n"],
  ["pnpm without such a script", 'None of the selected packages has a "test" script\n'],
  ["pnpm without such a package", 'No projects matched the filters in "/w"\n'],
  ["turbo", " WARNING  No tasks were executed as part of this run.\n\n Tasks:    0 successful, 0 total\n"],
  ["lerna", 'lerna notice cli v6.0.0\nlerna info No packages found with the lifecycle script "test"\n'],
  ["nx", "\n NX   No tasks were run\n\n"],
  ["nox", "nox > Running session tests\nnox > Session tests skipped: Python interpreter 3.13 not found.\n"],
  ["meson", "ninja: no work to do.\nNo tests defined.\n"],
  ["cucumber", "No scenarios\n0m00.000s\n"],
  ["flutter", "No tests ran.\n"],
  ["vitest", "No test files found, exiting with code 0\n"],
  ["jest", "No tests found, exiting with code 0\n"],
  ["mocha", "\n\n  0 passing (1ms)\n\n"],
  ["node:test", "ℹ tests 0\nℹ pass 0\nℹ fail 0\nℹ skipped 0\n"],
  ["pytest", "collected 0 items\n\n=== no tests ran in 0.01s ===\n"],
  ["unittest", "Ran 0 tests in 0.000s\n\nOK\n"],
  ["cargo", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured\n"],
  ["go", "?   \texample.com/app\t[no test files]\n"],
  ["go with a filter", "ok  \texample.com/app\t0.002s [no tests to run]\n"],
  ["maven", "[INFO] No tests to run.\n"],
  ["gradle", "> Task :app:test NO-SOURCE\n"],
  ["rspec", "0 examples, 0 failures\n"],
  ["minitest", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n"],
  ["phpunit", "No tests executed!\n"],
  ["ctest", "No tests were found!!!\n"],
  ["dotnet", "No test is available in /app/a.dll.\n"],
  ["mix", "There are no tests to run\n"],
  ["TAP", "TAP version 13\n1..0\n"],
  ["deno", "error: No test modules found\n"],
];

describe("countTests", () => {
  it.each(COUNTED)("%s", (_name, output, passed, failed, skipped) => {
    expect(countTests(readLines(output))).toEqual({passed, failed, skipped});
  });

  it.each(NONE_RAN)("sees that none ran: %s", (_name, output) => {
    expect(countTests(readLines(output))).toEqual({passed: 0, failed: 0, skipped: 0});
  });

  it.each([
    ["nothing", ""],
    ["a build", "> tsc -p .\n\nDone in 2.1s\n"],
    ["words about tests", "Running all tests now\nAll good, 3 files checked\nthe test passed to us\n"],
    ["a linter", "✖ 4 problems (4 errors, 0 warnings)\n"],
    ["an own runner", "everything is fine\n"],
  ])("does not know: %s", (_name, output) => {
    expect(countTests(readLines(output))).toBeNull();
  });
});
