/** What tools that need a runtime of their own print, written after their current forms: each failure once, in its place, and its kind. */
import {readFileSync} from "node:fs";
import {describe, expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";
import type {Diagnostic, TestCounts} from "../../../src/record/evidence.ts";

const read = (name: string): string => readFileSync(new URL(`written/${name}.txt`, import.meta.url), "utf8");

interface Case {
  readonly output: string;
  readonly items: readonly (Partial<Diagnostic> & {readonly tool: string})[];
  readonly tests?: TestCounts;
}

const oneOfTwo = {passed: 1, failed: 1, skipped: 0};

const CASES: readonly Case[] = [
  {
    output: "buildkit",
    items: [
      {tool: "buildkit", message: 'process "/bin/sh -c node check.js" did not complete successfully: exit code: 1'},
      {tool: "buildkit", file: "Dockerfile", line: 4, message: "RUN node check.js"},
    ],
  },
  {output: "phpt", items: [{tool: "phpt", file: "tests/cart_002.phpt", testId: "Cart adds up", message: "int(3)"}]},
  {
    output: "nextest",
    items: [
      {
        tool: "cargo test",
        file: "src/lib.rs",
        line: 14,
        testId: "tests::adds_up",
        message: "assertion `left == right` failed",
      },
    ],
    tests: oneOfTwo,
  },
  {
    output: "clippy",
    items: [{tool: "rustc", file: "src/lib.rs", line: 3, column: 14, code: "needless-borrow"}],
  },
  {
    output: "dotnet-test",
    items: [
      {
        tool: "dotnet test",
        file: "/home/runner/work/shop/shop/Shop.Tests/BasketTests.cs",
        line: 9,
        testId: "Shop.Tests.BasketTests.AddsUp",
        message: "Assert.Equal() Failure: Values differ",
      },
    ],
    tests: oneOfTwo,
  },
  {
    output: "dotnet-terminal-logger",
    items: [
      {
        tool: "dotnet test",
        file: "/home/runner/work/shop/shop/Shop.Tests/BasketTests.cs",
        line: 9,
        testId: "Shop.Tests.BasketTests.AddsUp",
      },
    ],
    tests: oneOfTwo,
  },
  {
    output: "gradle",
    items: [
      {
        tool: "gradle",
        file: "BasketTest.java",
        line: 11,
        testId: "BasketTest > addsUp()",
        message: "org.opentest4j.AssertionFailedError: expected: <5> but was: <4>",
      },
      {tool: "gradle", message: "Execution failed for task ':test'."},
    ],
    tests: oneOfTwo,
  },
  {
    output: "surefire",
    items: [
      {
        tool: "surefire",
        file: "BasketTest.java",
        line: 11,
        testId: "com.shop.BasketTest.addsUp",
        message: "org.opentest4j.AssertionFailedError: expected: <5> but was: <4>",
      },
      {tool: "maven", message: "BasketTest.addsUp:11 expected: <5> but was: <4>"},
      {tool: "maven"},
    ],
    tests: oneOfTwo,
  },
  {
    output: "deno",
    items: [
      {
        tool: "deno",
        file: "./basket_test.ts",
        line: 4,
        testId: "adds up",
        message: "AssertionError: Values are not equal.",
      },
    ],
    tests: oneOfTwo,
  },
  {
    output: "swift-testing",
    items: [
      {
        tool: "swift",
        file: "BasketTests.swift",
        line: 7,
        column: 5,
        message: "Expectation failed: (Basket([2, 2]).total → 4) == 5",
      },
    ],
    tests: oneOfTwo,
  },
  {
    output: "rspec",
    items: [
      {tool: "rspec", file: "spec/basket_spec.rb", line: 6, testId: "Basket adds up", message: "expected: 5"},
      {tool: "rspec", file: "./spec/basket_spec.rb", line: 4},
    ],
    tests: oneOfTwo,
  },
  {
    output: "phpstan",
    items: [
      {
        tool: "phpstan",
        file: "src/Basket.php",
        line: 12,
        message: "Method Shop\\Basket::total() should return int but returns string.",
      },
      {tool: "phpstan", file: "src/Basket.php", line: 19, message: "Call to an undefined method Shop\\Basket::ad()."},
    ],
  },
  {
    output: "mix",
    items: [
      {
        tool: "mix",
        file: "test/basket_test.exs",
        line: 5,
        testId: "test adds up (BasketTest)",
        message: "Assertion with == failed",
      },
    ],
    tests: oneOfTwo,
  },
  {
    output: "playwright",
    items: [
      {
        tool: "playwright",
        file: "tests/basket.spec.ts",
        line: 3,
        testId: "adds up",
        message: "Error: expect(received).toBe(expected) // Object.is equality",
      },
    ],
    tests: oneOfTwo,
  },
  {
    output: "yarn-lock",
    items: [
      {
        tool: "yarn",
        code: "YN0028",
        message: "The lockfile would have been modified by this install, which is explicitly forbidden.",
      },
    ],
  },
  {
    output: "uv-unsatisfiable",
    items: [{tool: "uv", message: "No solution found when resolving dependencies:"}],
  },
  {
    output: "pnpm-lock",
    items: [{tool: "pnpm", code: "ERR_PNPM_OUTDATED_LOCKFILE"}],
  },
  {
    output: "make",
    items: [
      {tool: "make", message: "Error 255"},
      {tool: "make", message: "Error 2"},
    ],
  },
  {
    output: "golangci-lint",
    items: [
      {tool: "golangci-lint", file: "basket.go", line: 12, column: 11, code: "errcheck"},
      {tool: "golangci-lint", file: "basket.go", line: 30, column: 6, code: "unused"},
    ],
  },
  {
    output: "rubocop",
    items: [{tool: "rubocop", file: "lib/basket.rb", line: 3, column: 5, code: "Style/StringLiterals"}],
  },
];

describe("what is written as tools print it", () => {
  it.each(CASES)("$output: every item, no other, and the tests that ran", ({output, items, tests}) => {
    const seen = distill({log: read(output), maxChars: 4000});
    expect(seen.items).toMatchObject(items);
    expect(seen.items).toHaveLength(items.length);
    expect(seen.tests).toEqual(tests ?? null);
    expect(seen.kind).toBe("code");
  });
});
