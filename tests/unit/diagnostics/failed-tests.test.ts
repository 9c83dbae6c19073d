/** What real runners printed about small failing projects, and the failed tests that must be read from it, no more and no fewer. */
import {readFileSync} from "node:fs";
import {describe, expect, it} from "vitest";
import {failedTests} from "../../../src/diagnostics/failed-tests.ts";

const read = (name: string): string => readFileSync(new URL(`failing/${name}.txt`, import.meta.url), "utf8");
const home = "/home/runner/work/app/app";

/** Each failed test as `file | name`; `-` for what the runner does not tell, or where all of a file failed. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  vitest: [
    "broken.test.js | -",
    "basket.test.js | basket > adds up",
    "basket.test.js | basket > when (full) > costs > $5",
    "basket.test.js | alone",
  ],
  jest: [
    "./basket.test.js | basket › adds up",
    "./basket.test.js | basket › when (full) › costs > $5",
    "./other.test.js | alone",
    "./broken.test.js | -",
  ],
  mocha: ["- | alone", "- | basket adds up", "- | basket when (full) costs: $5"],
  "node-spec": ["a.test.mjs | adds up", "a.test.mjs | is (full)", "a.test.mjs | child", "b.test.mjs | -"],
  "node-tap": [
    `${home}/js/node/a.test.mjs | adds up`,
    `${home}/js/node/a.test.mjs | is (full)`,
    `${home}/js/node/a.test.mjs | child`,
    `${home}/js/node/b.test.mjs | -`,
  ],
  deno: ['./a_test.ts | costs $5 > "more"', "./a_test.ts | steps", "./c_test.ts | -"],
  pytest: [
    "tests/test_basket.py | test_total",
    "tests/test_basket.py | TestBasket::test_empty",
    "tests/test_basket.py | TestBasket::test_names[two words]",
    "tests/test_basket.py | TestBasket::test_names[a - b]",
    "tests/test_basket.py | test_setup",
  ],
  unittest: [
    "- | unit_basket.Broken",
    "- | unit_basket.Basket.test_doc",
    "- | unit_basket.Basket.test_sub",
    "- | unit_basket.Basket.test_total",
  ],
  "unittest-older": [
    "- | unit_basket.Broken",
    "- | unit_basket.Basket.test_doc",
    "- | unit_basket.Basket.test_sub",
    "- | unit_basket.Basket.test_total",
  ],
  go: [
    "example.com/app | TestTotal",
    "example.com/app | TestTable",
    "example.com/app | TestTable/two_words",
    "example.com/app/sub | TestSub",
  ],
  "go-json": [
    "example.com/app | TestTotal",
    "example.com/app | TestTable/two_words",
    "example.com/app | TestTable",
    "example.com/app/sub | TestSub",
  ],
  "go-build": [
    "example.com/app | TestTotal",
    "example.com/app | TestTable",
    "example.com/app | TestTable/two_words",
    "example.com/app/bad | -",
    "example.com/app/sub | TestSub",
  ],
  cargo: [
    "unittests src/lib.rs | tests::must_panic",
    "unittests src/lib.rs | tests::adds_up",
    "tests/it.rs | whole",
    "Doc-tests | src/lib.rs - add (line 2)",
  ],
  phpunit: [
    "- | App\\Tests\\BasketTest::testThrows",
    "- | App\\Tests\\BasketTest::testTotal",
    "- | App\\Tests\\BasketTest::testRows",
  ],
  rspec: ["./spec/basket_spec.rb | :2", "./spec/basket_spec.rb | [1:4]", "./spec/basket_spec.rb | :5"],
  minitest: [
    "test/basket_test.rb | BasketTest#test_adds_up",
    "- | BasketTest#test_raises",
    "test/basket_test.rb | a basket#test_0001_is empty",
  ],
  ctest: ["- | bad.one", "- | bad_two+"],
};

describe("failed tests", () => {
  it.each(Object.entries(CASES))("are all read from the output of %s", (name, expected) => {
    const found = failedTests(read(name));
    expect(found?.tests.map(({file, name}) => `${file ?? "-"} | ${name ?? "-"}`)).toEqual(expected);
    expect(found?.isComplete).toBe(true);
  });

  it.each([
    ["cargo-stopped", "the programs after the first failing one"],
    ["pytest-stopped", "what comes after -x"],
    ["pytest-load", "all else when a file cannot be loaded"],
    ["go-panic", "the tests after a panic"],
    ["mocha-hook", "the tests behind a failed hook"],
  ])("of %s are no complete list: %s did not run", (name) => {
    expect(failedTests(read(name))).toMatchObject({isComplete: false});
  });

  it("are unknown where some are named and more have failed", () => {
    const [listed, missing] = ["pytest", "go"].map(read);
    const named = (listed ?? "").replace(/^FAILED .*test_total.*\n/m, "");
    expect(named).not.toBe(listed);
    expect(failedTests(named)).toBeNull();
    expect(failedTests((missing ?? "").replace("--- FAIL: TestTotal (0.00s)\n", ""))?.tests).toHaveLength(3);
  });

  it("are unknown where two runners speak, none does, or none failed", () => {
    expect(failedTests(`${read("pytest")}\n${read("go")}`)).toBeNull();
    expect(failedTests("make: *** [Makefile:2: test] Error 1\n")).toBeNull();
    expect(failedTests("ok  \texample.com/app\t0.003s\n")).toBeNull();
  });

  it("are read through colours and a runner's times", () => {
    const stamped = read("vitest")
      .split("\n")
      .map((line) => `2026-01-02T03:04:05.1234567Z \u001b[31m${line}\u001b[39m`);
    expect(failedTests(stamped.join("\n"))?.tests).toHaveLength(4);
  });
});
