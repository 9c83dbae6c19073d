/** Where a path lies: the rule that decides which stages may disturb each other. */
import {expect, test} from "vitest";
import {isBelow} from "../../../../src/detect/files/project.ts";

test("a folder holds what is in it, and no namesake", () => {
  expect([isBelow("a/b", "a"), isBelow("a", "."), isBelow("a", "a")]).toEqual([true, true, true]);
  expect([isBelow("ab", "a"), isBelow("a", "a/b")]).toEqual([false, false]);
});
