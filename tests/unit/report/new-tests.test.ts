/** The sentences about new tests. */
import {expect, it} from "vitest";
import type {BiteTest} from "../../../src/record/bite.ts";
import {newTestsText} from "../../../src/report/new-tests.ts";

const test = (name: string, onBase: BiteTest["onBase"], isNew = true): BiteTest => ({
  path: "a",
  name,
  line: 1,
  isNew,
  onBase,
});
const fails = (why: "assertion" | "not-loaded") => ({kind: "fails", why, message: ""}) as const;
const text = (...tests: BiteTest[]) =>
  newTestsText({bite: {tests, durationMs: 1}, base: "main", code: (word) => `\`${word}\``, most: 2});

it("names the tests by what happened on the base", () => {
  expect(text(test("a", fails("assertion")))).toBe("1 new test fails on `main` and passes with this change: `a`.");
  expect(text(test("a", fails("assertion")), test("b", fails("assertion"), false), test("c", fails("assertion")))).toBe(
    "3 new or changed tests fail on `main` and pass with this change: `a`, `b`, 1 more.",
  );
  expect(text(test("a", fails("not-loaded")), test("b", {kind: "passes"}, false))).toBe(
    "1 new test fails without the change, where its file does not load: `a`. 1 changed test passes on `main` too: `b`.",
  );
  expect(text(test("a", {kind: "unknown", why: "no test was counted"}))).toBe(
    "Whether 1 new test fails on `main` is not known: no test was counted.",
  );
});
