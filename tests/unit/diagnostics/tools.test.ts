/** What real tools printed about small broken projects, and what must be read from it. */
import {readFileSync} from "node:fs";
import {describe, expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";
import type {Diagnostic, TestCounts} from "../../../src/record/evidence.ts";

const read = (name: string): string => readFileSync(new URL(`samples/${name}.txt`, import.meta.url), "utf8");

interface Expected {
  readonly sample: string;
  readonly items: readonly (Partial<Diagnostic> & {readonly tool: string})[];
  readonly tests?: TestCounts;
}

const oneOfTwo = {passed: 1, failed: 1, skipped: 0};
const home = "/home/runner/work/app/app";

const CASES: readonly Expected[] = [
  {
    sample: "tsc",
    items: [
      {tool: "tsc", file: "basket.ts", line: 1, column: 14, code: "TS2322", severity: "error"},
      {tool: "tsc", file: "basket.ts", line: 2, column: 20, code: "TS2307"},
    ],
  },
  {
    sample: "tsc-pretty",
    items: [
      {tool: "tsc", file: "basket.ts", line: 1, code: "TS2322"},
      {tool: "tsc", file: "basket.ts", line: 2, code: "TS2307"},
    ],
  },
  {
    sample: "eslint",
    items: [
      {tool: "eslint", file: `${home}/lint/a.js`, line: 1, column: 7, code: "no-unused-vars", severity: "error"},
      {tool: "eslint", file: `${home}/lint/a.js`, line: 2, code: "no-debugger", severity: "warning"},
    ],
  },
  {
    sample: "eslint-json",
    items: [
      {tool: "eslint", file: `${home}/lint/a.js`, line: 1, column: 7, code: "no-unused-vars", severity: "error"},
      {tool: "eslint", line: 2, code: "no-debugger", severity: "warning"},
    ],
  },
  {
    sample: "biome",
    items: [
      {tool: "biome", file: "a.js", line: 2, code: "lint/correctness/noUnusedVariables", severity: "warning"},
      {tool: "biome", file: "a.js", line: 1, code: "lint/suspicious/noDebugger", severity: "error"},
    ],
  },
  {
    sample: "oxlint",
    items: [
      {tool: "oxlint", file: "a.js", line: 1, code: "eslint(no-unused-vars)", severity: "warning"},
      {tool: "oxlint", file: "a.js", line: 2, code: "eslint(no-debugger)"},
    ],
  },
  {
    sample: "prettier",
    items: [{tool: "prettier", file: "package.json", message: "not formatted as prettier wants it"}],
  },
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
    sample: "jasmine",
    items: [
      {
        tool: "jasmine",
        file: `${home}/cart.spec.js`,
        line: 2,
        testId: "cart totals",
        message: "Expected 3 to be 4.",
      },
    ],
    tests: oneOfTwo,
  },
  {
    sample: "busted",
    items: [{tool: "busted", file: "spec/cart_spec.lua", line: 2, testId: "cart totals"}],
    tests: oneOfTwo,
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
        file: `${home}/tests/CartTest.php`,
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
    items: [{tool: "node:test", file: `${home}/node.test.mjs`, line: 2, testId: "adds up"}],
    tests: oneOfTwo,
  },
  {
    sample: "bun",
    items: [{tool: "bun", line: 2, testId: "adds up", message: "expect(received).toBe(expected)"}],
    tests: oneOfTwo,
  },
  {sample: "ava", items: [{tool: "ava", file: "test.js", line: 2}], tests: {passed: 0, failed: 1, skipped: 0}},
  {
    sample: "pytest",
    items: [{tool: "pytest", file: "test_basket.py", line: 4, testId: "test_total", message: "assert 0 == 4"}],
    tests: oneOfTwo,
  },
  {
    sample: "unittest",
    items: [{tool: "unittest", file: `${home}/py/unit_basket.py`, line: 6, message: "AssertionError: 0 != 4"}],
    tests: {passed: 0, failed: 1, skipped: 1},
  },
  {sample: "mypy", items: [{tool: "mypy", file: "basket.py", line: 4, code: "return-value"}]},
  {sample: "pyright", items: [{tool: "pyright", file: `${home}/py/basket.py`, line: 4, column: 12}]},
  {
    sample: "ruff",
    items: [
      {tool: "ruff", file: "basket.py", line: 1, column: 1, code: "I001"},
      {tool: "ruff", file: "basket.py", line: 1, column: 8, code: "F401"},
    ],
  },
  {
    sample: "flake8",
    items: [
      {tool: "flake8", file: "basket.py", line: 1, code: "F401"},
      {tool: "flake8", file: "basket.py", line: 3, code: "E302"},
    ],
  },
  {
    sample: "pylint",
    items: [
      {tool: "pylint", line: 1, code: "missing-module-docstring"},
      {tool: "pylint", line: 3, code: "missing-function-docstring"},
      {tool: "pylint", line: 1, code: "unused-import"},
    ],
  },
  {sample: "black", items: [{tool: "black", file: "ugly.py", message: "would reformat"}]},
  {sample: "cargo-build", items: [{tool: "rustc", file: "src/lib.rs", line: 2, column: 9, code: "E0425"}]},
  {
    sample: "cargo-test",
    items: [
      {tool: "rustc", file: "src/lib.rs", line: 2, severity: "warning"},
      {tool: "cargo test", file: "src/lib.rs", line: 7, testId: "adds_up", severity: "error"},
    ],
    tests: oneOfTwo,
  },
  {sample: "go-build", items: [{tool: "go", file: "./app.go", line: 3, column: 27}]},
  {sample: "go-vet", items: [{tool: "go", file: "./app.go", line: 3, column: 27}]},
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
  {
    sample: "make-gcc",
    items: [
      {tool: "gcc", file: "main.c", line: 2, code: "-Wint-conversion", severity: "warning"},
      {tool: "gcc", file: "main.c", line: 3, column: 3, severity: "error"},
      {tool: "gcc", file: "main.c", line: 2, code: "-Wunused-variable"},
      {tool: "make", file: "Makefile", line: 2, message: "Error 1"},
    ],
  },
  {
    sample: "ld",
    items: [
      {tool: "ld", message: "undefined reference to `f'"},
      {tool: "ld", message: "ld returned 1 exit status"},
    ],
  },
  {sample: "ctest", items: [{tool: "ctest", severity: "error"}], tests: oneOfTwo},
  {sample: "javac", items: [{tool: "javac", file: "Basket.java", line: 2, severity: "error"}]},
  {sample: "shellcheck", items: [{tool: "shellcheck", file: "s.sh", line: 3, code: "SC2086", severity: "info"}]},
  {
    sample: "node-tap-suite",
    items: [
      {tool: "node:test", file: `${home}/a.test.mjs`, line: 2, testId: "first wrong", message: "1 == 2"},
      {tool: "node:test", file: `${home}/a.test.mjs`, line: 2, testId: "second wrong", message: "1 == 3"},
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
  {sample: "shellcheck-gcc", items: [{tool: "shellcheck", file: "s.sh", line: 3, column: 6, code: "SC2086"}]},
  {
    sample: "zig",
    items: [
      {tool: "zig", testId: "sums.test.add", file: `${home}/src/sums.zig`, line: 9, message: "expected 5, found -1"},
      {tool: "zig", file: "src/other.zig", line: 5, column: 18, message: "use of undeclared identifier 'othr'"},
      {tool: "zig", file: "./src/loose.zig", message: "not formatted as zig fmt wants it"},
    ],
    tests: oneOfTwo,
  },
  {
    sample: "pyrefly",
    items: [
      {tool: "pyrefly", file: "shop/basket.py", line: 1, column: 8, code: "missing-import", severity: "error"},
      {tool: "pyrefly", file: "shop/basket.py", line: 10, column: 12, code: "bad-return", severity: "error"},
      {tool: "pyrefly", file: "shop/basket.py", line: 19, column: 9, code: "bad-override", severity: "warning"},
      {tool: "pyrefly", file: "shop/basket.py", line: 28, column: 1, code: "deprecated", severity: "warning"},
      {tool: "pyrefly", file: "shop/basket.py", line: 30, column: 5, code: "bad-argument-type", severity: "error"},
      {tool: "pyrefly", file: "shop/basket.py", line: 32, column: 7, code: "unknown-name", severity: "error"},
    ],
  },
  {
    sample: "pyrefly-lines",
    items: [
      {tool: "pyrefly", file: "shop/basket.py", line: 1, column: 8, code: "missing-import", severity: "error"},
      {tool: "pyrefly", file: "shop/basket.py", line: 10, column: 12, code: "bad-return", severity: "error"},
      {tool: "pyrefly", file: "shop/basket.py", line: 19, column: 9, code: "bad-override", severity: "warning"},
      {tool: "pyrefly", file: "shop/basket.py", line: 28, column: 1, code: "deprecated", severity: "warning"},
      {tool: "pyrefly", file: "shop/basket.py", line: 30, column: 5, code: "bad-argument-type", severity: "error"},
      {tool: "pyrefly", file: "shop/basket.py", line: 32, column: 7, code: "unknown-name", severity: "error"},
    ],
  },
  {
    sample: "ty",
    items: [
      {tool: "ty", file: "shop/basket.py", line: 1, column: 8, code: "import-not-found", severity: "error"},
      {tool: "ty", file: "shop/basket.py", line: 10, column: 12, code: "invalid-explicit-return", severity: "error"},
      {
        tool: "ty",
        file: "shop/basket.py",
        line: 19,
        column: 9,
        code: "incompatible-method-override",
        severity: "error",
      },
      {tool: "ty", file: "shop/basket.py", line: 28, column: 1, code: "deprecated", severity: "warning"},
      {tool: "ty", file: "shop/basket.py", line: 30, column: 5, code: "invalid-argument-type", severity: "error"},
      {tool: "ty", file: "shop/basket.py", line: 32, column: 7, code: "unresolved-reference", severity: "error"},
    ],
  },
  {
    sample: "ty-concise",
    items: [
      {tool: "ty", file: "shop/basket.py", line: 1, column: 8, code: "import-not-found", severity: "error"},
      {tool: "ty", file: "shop/basket.py", line: 10, column: 12, code: "invalid-explicit-return", severity: "error"},
      {
        tool: "ty",
        file: "shop/basket.py",
        line: 19,
        column: 9,
        code: "incompatible-method-override",
        severity: "error",
      },
      {tool: "ty", file: "shop/basket.py", line: 28, column: 1, code: "deprecated", severity: "warning"},
      {tool: "ty", file: "shop/basket.py", line: 30, column: 5, code: "invalid-argument-type", severity: "error"},
      {tool: "ty", file: "shop/basket.py", line: 32, column: 7, code: "unresolved-reference", severity: "error"},
    ],
  },
];

describe("what tools print", () => {
  it.each(CASES)("$sample: every item, no other, and the tests that ran", ({sample, items, tests}) => {
    const seen = distill({log: read(sample), maxChars: 4000});
    expect(seen.items).toHaveLength(items.length);
    expect(seen.items).toMatchObject(items);
    expect(seen.tests).toEqual(tests ?? null);
    expect(seen.kind).toBe("code");
    expect(seen.tool).toBe(items[0]?.tool);
  });

  it.each(["vitest-none", "jest-none", "pytest-none"])("%s: nothing was checked", (sample) => {
    const seen = distill({log: read(sample), maxChars: 4000});
    expect(seen.kind).toBe("no-check");
    expect(seen.tests).toEqual({passed: 0, failed: 0, skipped: 0});
  });

  it("reads the same through the prefixes of CI systems and task runners", () => {
    const plain = distill({log: read("vitest"), maxChars: 4000}).items;
    const through = (prefix: string): Diagnostic[] =>
      distill({log: read("vitest").replace(/^/gm, prefix), maxChars: 4000}).items;
    expect(through("2026-01-02T03:04:05.1234567Z ")).toEqual(plain);
    expect(through("test\tRun tests\t2026-01-02T03:04:05.1234567Z ")).toEqual(plain);
    expect(through("@app/web:test: ")).toEqual(plain);
  });

  it("says equal things once", () => {
    const once = distill({log: read("tsc"), maxChars: 4000}).items;
    expect(distill({log: read("tsc").repeat(3), maxChars: 4000}).items).toEqual(once);
  });
});
