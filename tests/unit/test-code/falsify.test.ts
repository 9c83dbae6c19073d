/** The values that make an assertion false, by language, and with what they are compared in another version of the test. */
import {describe, expect, it} from "vitest";
import {falseValues} from "../../../src/test-code/falsify.ts";
import {readSource} from "../../../src/test-code/read-source.ts";
import "../integrity/all-grammars.ts";

function falsified(path: string, text: string) {
  const source = readSource(path, text);
  return source.tests.flatMap((test) =>
    falseValues({test, source, text}).map(({from, to, replacement, key}) => ({
      key,
      line: text.slice(text.lastIndexOf("\n", from) + 1, from) + replacement + (text.slice(to).split("\n")[0] ?? ""),
    })),
  );
}

const linesOf = (path: string, text: string) => falsified(path, text).map(({line}) => line.trim());

describe("a false assertion", () => {
  it.each([
    [
      "a.test.js",
      'test("a", () => {\nassert.equal(f(1), 2, "no");\n});\n',
      ['assert.equal(f(1), 3, "no");', 'assert.equal(f(1), 1, "no");'],
    ],
    ["a.test.js", 'test("a", () => {\nexpect(f()).toBe(true);\n});\n', ["expect(f()).toBe(false);"]],
    ["a.test.js", 'test("a", () => {\nexpect(f()).toBe("b");\n});\n', ['expect(f()).toBe("xb");']],
    [
      "test_a.py",
      "def test_a():\n    assert f(1) == {'a': None}\n",
      ["assert f(2) == {'a': None}", "assert f(0) == {'a': None}"],
    ],
    ["test_a.py", "def test_a():\n    assert f() == '''b'''\n", []],
    [
      "a_test.go",
      'package a\nfunc TestA(t *testing.T) {\nif f() != 2 {\nt.Errorf("not %d", 5)\n}\n}\n',
      ["if f() != 3 {", "if f() != 1 {"],
    ],
    ["src/lib.rs", '#[test]\nfn a() {\nassert_eq!(f(), "b");\n}\n', ['assert_eq!(f(), "xb");']],
  ])("in %s has another value (%#)", (path, text, lines) => {
    expect(linesOf(path, text)).toEqual(lines);
  });

  it("has the same key where the test calls other functions, and another one with another value", () => {
    const text = 'test("a", () => {\nassert.equal(f(1), 2);\nassert.equal(f(2), 2);\n});\n';
    const keys = (own: string) => falsified("a.test.js", own).map(({key}) => key);
    expect(keys(text.replaceAll("f(", "g("))).toEqual(keys(text));
    expect(new Set(keys(text)).size).toBe(4);
    expect(keys(text.replaceAll(", 2)", ", 3)")).filter((key) => keys(text).includes(key))).toEqual([]);
  });
});
