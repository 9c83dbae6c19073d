/** Where a failure of several lines begins and ends, and what only looks like the beginning of one. */
import {describe, expect, it} from "vitest";
import {readLines} from "../../../src/diagnostics/lines.ts";
import {flagsOf} from "../../../src/diagnostics/prefilter.ts";
import {findProblems} from "../../../src/diagnostics/problems.ts";

const problemsIn = (text: string) => {
  const lines = readLines(text);
  return findProblems({lines, flags: flagsOf(lines), tool: undefined});
};

const unittest = `======================================================================
FAIL: test_total (shop.tests.BasketTest)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/shop/tests.py", line 12, in test_total
    self.assertTrue(total)
AssertionError: False is not true

----------------------------------------------------------------------
Ran 4 tests in 0.006s
`;

describe("a failure of several lines", () => {
  it("is its first line where neither its end nor anything in it is found", () => {
    const other = Array.from({length: 200}, (_, n) => `shop/part${n}.py   ${n}   0   100%`).join("\n");
    const problems = problemsIn(`${unittest}ERROR: InvocationError: 'coverage run'\n${other}\n`);
    expect(problems.map(({diagnostic: {testId}, from, to}) => [testId, to - from])).toEqual([
      ["test_total (shop.tests.BasketTest)", 7],
      ["InvocationError: 'coverage run'", 0],
    ]);
  });

  it("has its own reason where go prints several failures, before or after the result", () => {
    const after = ["TestA", "TestB"].map((name, at) => `--- FAIL: ${name} (0.00s)\n    ${name}.go:${at}: no ${name}\n`);
    const before = [
      "=== RUN   TestC\n    c.go:3: no TestC\n--- FAIL: TestC (0.00s)\n",
      "=== RUN   TestD\n=== RUN   TestD/one\n    d.go:4: no TestD/one\n=== RUN   TestD/two\n    d.go:5: a note\n",
      "--- FAIL: TestD (0.00s)\n    --- FAIL: TestD/one (0.00s)\n    --- PASS: TestD/two (0.00s)\nFAIL\n",
    ];
    const problems = problemsIn([...after, "FAIL\tx\t0.1s\n", ...before].join(""));
    expect(problems.map(({diagnostic: {testId, file, message}}) => [testId, file, message])).toEqual([
      ["TestA", "TestA.go", "no TestA"],
      ["TestB", "TestB.go", "no TestB"],
      ["TestC", "c.go", "no TestC"],
      ["TestD", undefined, "TestD"],
      ["TestD/one", "d.go", "no TestD/one"],
    ]);
  });

  it("goes on to the end of a log that was cut off inside of it", () => {
    const [problem] = problemsIn(unittest.slice(0, unittest.indexOf("\n\n-----")));
    expect(problem).toMatchObject({
      from: 1,
      to: 6,
      diagnostic: {line: 12, message: "AssertionError: False is not true"},
    });
  });

  it("is told for each test of pytest, however long its name, and for no line between frames", () => {
    const log = `============================= test session starts ==============================
=================================== FAILURES ===================================
_ TestBasket.test_that_the_total_of_a_basket_is_never_less_than_that[one-two] __

    def test_total():
>       check()

shop/basket.py:3:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

E       AssertionError: one

shop/basket.py:9: AssertionError
________________________________ test_discount _________________________________

E       AssertionError: two

shop/basket.py:19: AssertionError
=========================== 2 failed in 0.02 seconds ===========================
___________________________________ summary ____________________________________
ERROR:   py27: commands failed
`;
    expect(problemsIn(log).map(({diagnostic: {testId, line, message}}) => [testId, line, message])).toEqual([
      ["TestBasket.test_that_the_total_of_a_basket_is_never_less_than_that[one-two]", 9, "AssertionError: one"],
      ["test_discount", 19, "AssertionError: two"],
    ]);
  });

  it("holds a message with blank lines, but not what is printed behind the frames", () => {
    const log = `[INFO] Running com.shop.BasketTest
[ERROR] com.shop.BasketTest.addsUp -- Time elapsed: 0.005 s <<< FAILURE!
org.opentest4j.AssertionFailedError:

expected: 5
 but was: 4
\tat com.shop.BasketTest.addsUp(BasketTest.java:11)

12:00:01 DEBUG closing the shop
[ERROR] com.shop.BasketTest.opens -- Time elapsed: 0.001 s <<< ERROR!
org.mockito.exceptions.misusing.InjectMocksException:

Cannot instantiate @InjectMocks field named 'shop'.

[INFO] Results:
`;
    const shown = problemsIn(log).map(({from, to}) => log.split("\n").slice(from, to + 1));
    expect(shown.map((lines) => lines.at(-1))).toEqual([
      "\tat com.shop.BasketTest.addsUp(BasketTest.java:11)",
      "Cannot instantiate @InjectMocks field named 'shop'.",
    ]);
    expect(shown[0]).toContain("expected: 5");
  });

  it("is told for each reason that composer gives", () => {
    const log = `Your requirements could not be resolved to an installable set of packages.

  Problem 1
    - Root composer.json requires shop/basket ^2.0, found shop/basket[1.0.0] but it does not match the constraint.
  Problem 2
    - shop/till 1.0.0 requires php ^8.4 -> your php version (8.3.6) does not satisfy that requirement.
    - Root composer.json requires shop/till ^1.0 -> satisfiable by shop/till[1.0.0].
`;
    expect(problemsIn(log).map(({diagnostic: {tool, message}}) => `${tool}: ${message.slice(0, 30)}`)).toEqual([
      "composer: Your requirements could not be",
      "composer: Root composer.json requires sh",
      "composer: shop/till 1.0.0 requires php ^",
    ]);
  });

  it("does not hold MSVC's notes for errors", () => {
    const log = `C:\\shop\\basket.cpp(36): error C2672: 'add': no matching overloaded function found
C:\\shop\\basket.h(10): note: could be 'void add(int)'
`;
    expect(problemsIn(log).map(({diagnostic: {severity}}) => severity)).toEqual(["error", "info"]);
  });
});
