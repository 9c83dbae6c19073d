/** Paths of a repository as text: what is plain, named and of a kind. */
import {expect, it} from "vitest";
import {isNamed, isOfKind, plainPath, stemOf} from "../../../src/git/paths.ts";

it("takes `./` and final slashes away, and nothing else", () => {
  const given = ["./a/b/", "././a", "a//", "./", "/", "", ".a/", "../a", "a/./b"];
  expect(given.map(plainPath)).toEqual(["a/b", "a", "a", "", "", "", ".a", "../a", "a/./b"]);
});

it("knows a file by its name, by its ending or by a pattern", () => {
  expect([isNamed("a/Gemfile", "Gemfile"), isNamed("a/MyGemfile", "Gemfile")]).toEqual([true, false]);
  expect([isOfKind("a/b.py", [".py"]), isOfKind("a/b.pyi", [".py"]), isOfKind("a", [""])]).toEqual([true, false, true]);
  expect(isOfKind("a/test_b.py", /test_[^/]*$/)).toBe(true);
  expect(["a/slug.test.ts", "a/.bashrc", "b"].map(stemOf)).toEqual(["slug.test", ".bashrc", "b"]);
});
