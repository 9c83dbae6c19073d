/** What an excerpt shows first where little fits into it: what failed, what was expected, and what came instead. */
import {expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";

const excerpt = (log: string, maxChars: number): string => distill({log, maxChars}).excerpt;
const numbered = (count: number, line: (n: number) => string): string =>
  Array.from({length: count}, (_, n) => line(n)).join("\n");

it("shows a bracket only between lines that it shows", () => {
  const source = numbered(
    40,
    (n) => `          [\n              (part ${n} of the world),\n          ],\n      )\n      ???`,
  );
  const log = `=== FAILURES ===\n___ test_one ___\n${source}\nE   AssertionError: assert 3 == 4\n\ntests/test_world.py:9: AssertionError\n`;
  const seen = excerpt(log, 700);
  expect(seen).toContain("E   AssertionError: assert 3 == 4");
  expect(seen).not.toMatch(/ …\]\n\W+\n\[…/);
});

it("shows what a test expected and got rather than the frames of the first failure", () => {
  const frames = numbered(12, (n) => `      at Runner.step${n} (node:internal/runner:${n}:7)`);
  const test = (n: number): string =>
    `  ● adds ${n}\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: ${n}00\n    Received: ${n}11\n\n${frames}\n      at Object.toBe (sum.test.js:${n}:5)\n`;
  const seen = excerpt(`FAIL ./sum.test.js\n${[1, 2, 3].map(test).join("\n")}\nTests: 3 failed, 3 total\n`, 800);
  for (const n of [1, 2, 3]) expect(seen).toContain(`    Expected: ${n}00\n    Received: ${n}11`);
});

it("shows the errors that a tool told before what other parts of the run printed after it", () => {
  const talk = numbered(200, (n) => `server: error path ${n} taken`);
  const seen = excerpt(`# example.com/shop\n./shop.go:4:2: declared and not used: x\n${talk}\nFAIL\n`, 600);
  expect(seen).toContain("./shop.go:4:2: declared and not used: x");
});

it("shows the error at the end of a step rather than the first of many weak hints before it", () => {
  const retries = numbered(60, (n) => `mirror ${n}: connection refused, next one`);
  const seen = excerpt(`shop.c:4:2: error: unknown type name 'Cart'\n${retries}\nfatal: no mirror answers\n`, 300);
  expect(seen).toContain("shop.c:4:2: error: unknown type name 'Cart'");
  expect(seen).toContain("fatal: no mirror answers");
});

const FAILURE = "FAIL ./sum.test.js\n  ● adds\n\n    Expected: 3\n    Received: 4\n\n      at sum.test.js:4:5\n\n";
const END = "##[error]Process completed with exit code 1.";

it("ends after a failure with its reason, however much the step and the next one print", () => {
  const talk = numbered(200, (n) => `${n} parts of the report uploaded`);
  const next = numbered(5, (n) => `${n} folders of the job removed`);
  const seen = excerpt(`${FAILURE}Test Suites: 1 failed, 1 total\n\n${talk}\n${END}\n${next}\n`, 4000);
  expect(seen).toContain("    Expected: 3\n    Received: 4");
  expect(seen).not.toMatch(/1\d\d parts|folders/);
});

it("is empty for an empty log", () => {
  expect(excerpt("", 2000)).toBe("");
});

it("fills the room with the lines around those that explain the failure, the nearest first", () => {
  const above = numbered(20, (n) => `${n} baskets above`);
  const below = numbered(20, (n) => `${n} baskets below`);
  const log = `${numbered(300, (n) => `${n} carts`)}\n${above}\nshop.c:4:2: error: no basket\n${below}\n${numbered(300, (n) => `${n} shelves`)}\n`;
  const seen = excerpt(log, 400);
  expect(seen).toContain("19 baskets above\nshop.c:4:2: error: no basket\n0 baskets below");
  expect(seen.length).toBeGreaterThan(350);
  expect(seen.length).toBeLessThanOrEqual(400);
  expect(excerpt(log, 4000)).not.toMatch(/\b(?:200 carts|100 shelves)\b/);
});
