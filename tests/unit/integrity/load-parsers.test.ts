/** What the checks read is loaded before, for every file that they read. */
import {expect, it} from "vitest";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import {loadParsers} from "../../../src/integrity/load-parsers.ts";

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
