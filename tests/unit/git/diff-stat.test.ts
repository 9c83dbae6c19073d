/** Git's numbers of added and removed lines, with every path as it is. */
import {expect, test} from "vitest";
import {parseNumstat} from "../../../src/git/diff-stat.ts";

test("text, binary and renamed files, with any character in a path", () => {
  const output = "3\t1\ta\tb\n.js\0-\t-\tlogo.png\x000\t2\t\0old.js\0new.js\0";
  expect(parseNumstat(output)).toEqual([
    {path: "a\tb\n.js", added: 3, removed: 1},
    {path: "logo.png", added: null, removed: null},
    {path: "new.js", added: 0, removed: 2},
  ]);
  expect(parseNumstat("")).toEqual([]);
});

test("output of another form gives no numbers", () => {
  expect(parseNumstat("3 1 a.js\0")).toBeNull();
  expect(parseNumstat("3\t1\t\0old.js\0")).toBeNull();
});
