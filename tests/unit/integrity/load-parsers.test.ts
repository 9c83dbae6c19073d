/** What the checks read is loaded before, for every file that they read. */
import {expect, it, vi} from "vitest";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import {loadParsers} from "../../../src/integrity/load-parsers.ts";

it("reports a file whose grammar is not loaded as not inspected", async () => {
  const path = "src/a.test.ts";
  const [before, after] = ['it("a", () => { expect(f()).toBe(1); });\n', "it.skip('a', f);\n"];
  // Modules that have loaded nothing.
  vi.resetModules();
  const {inspectChange} = await import("../../../src/integrity/inspect.ts");
  const change = {
    files: [{path, basePath: path, status: "modified" as const, before, after, isExecutable: false}],
    relatedTests: [],
    plan: null,
  };
  expect(inspectChange(change)).toMatchObject([{check: "not-inspected", level: "flag", path}]);
});

it.each([
  // github.com/sveltejs/kit, commit 9703b94b5: the comment of a generated file shows a test.
  ["types/index.d.ts", "/** `test('a', f)` */\nexport type A = 1;\n"],
  ["dist/a.test.js", 'it("a", () => { expect(f()).toBe(1); });\n'],
  ["src/lib.rs", "#[test]\nfn a() { assert_eq!(f(), 1); }\n"],
  ["src/A.java", "class A { @Test void a() { assertEquals(1, f()); } }\n"],
  ["tests/conftest.py", "import pytest\n\ndef helper(): assert f() == 1\n"],
  ["a_test.go", "package a\n\nfunc TestA(t *testing.T) { t.Fatal(1) }\n"],
])("%s", async (path, text) => {
  const file = {
    path,
    basePath: path,
    status: "modified",
    before: text,
    after: `${text}\n\n`,
    isExecutable: false,
  } as const;
  const change = {files: [file], relatedTests: [], plan: null};
  await loadParsers(change);
  expect(inspectChange(change)).toEqual([]);
});
