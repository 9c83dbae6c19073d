/** The failing test that is added to a file of tests, and which changes ask for one. */
import {describe, expect, it} from "vitest";
import {testChangeOf} from "../../../src/integrity/changed-tests/test-change.ts";
import {changesSettings, withBaseSettings} from "../../../src/integrity/gate/gate-files.ts";
import type {InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {canaryIn} from "../../../src/test-code/canary.ts";
import {cpuClock} from "../report/cpu-time.ts";
import "../integrity/all-grammars.ts";

const word = "Order1";

describe("the failing test", () => {
  it.each([
    [
      "tests/a.test.ts",
      'import {expect, it} from "vitest";\nit("is", () => expect(1).toBe(1));\n',
      'it("keeps Order1"',
    ],
    ["test/a.js", 'test("is", (t) => { t.is(1, 1); });\n', "throw new Error"],
    ["tests/test_a.py", "def test_is():\n    assert 1 == 1\n", "    assert 1 == 2"],
    ["a_test.go", 'package a\n\nimport "testing"\n\nfunc TestIs(t *testing.T) {\n}\n', "t.Fatal"],
    ["src/lib.rs", "#[cfg(test)]\nmod tests {\n    #[test]\n    fn is() {}\n}\n", "assert_eq!(1, 2)"],
    [
      "src/test/java/ATest.java",
      "import org.junit.jupiter.api.Test;\nclass ATest {\n    @Test\n    void is() { assertTrue(true); }\n}\n",
      "org.junit.jupiter.api.Assertions.assertEquals(1, 2)",
    ],
  ])("in %s it fails (%#)", (path, text, assertion) => {
    const canary = canaryIn({path, text, word});
    expect(canary?.text).toContain(assertion);
    expect(canary?.text.toLowerCase()).toContain(canary?.name.toLowerCase());
  });

  it("is a method of unittest before the call that never returns", () => {
    const text =
      'import unittest\n\n\nclass TestA(unittest.TestCase):\n    def test_is(self):\n        self.assertTrue(True)\n\n\nif __name__ == "__main__":\n    unittest.main()\n';
    const written = canaryIn({path: "test_a.py", text, word})?.text ?? "";
    expect(written).toContain("self.fail()");
    expect(written.indexOf("self.fail")).toBeLessThan(written.indexOf("__main__"));
  });

  it("stands before the last assertion of a program, and in none that exports", () => {
    const text = 'import assert from "node:assert";\nassert.equal(0, 0);\nassert.equal(1, 1);\nprocess.exit(0);\n';
    expect(canaryIn({path: "test/all.js", text, word})?.text).toBe(
      text.replace("assert.equal(1", 'throw Error("keeps Order1");\nassert.equal(1'),
    );
    expect(canaryIn({path: "test/all.py", text: "assert 1 == 1\n", word})?.text).toContain("raise AssertionError");
    expect(canaryIn({path: "test/all.js", text: `${text}export default 1;\n`, word})).toBeNull();
  });

  it("is not added to a file without tests", () => {
    expect(canaryIn({path: "tests/helper.ts", text: "export const a = 1;\n", word})).toBeNull();
  });
});

const file = (path: string, before: string | null, after: string | null): InspectedFile => ({
  path,
  basePath: path,
  status: before === null ? "added" : after === null ? "deleted" : "modified",
  before,
  after,
  isExecutable: false,
});
const touched = (...files: InspectedFile[]) => {
  const change = testChangeOf({files, relatedTests: [], plan: null});
  return change && [change.tests, change.gate].map((list) => list.map(({path}) => path));
};

describe("which changes ask for runs", () => {
  it("none if no test and no file that decides about tests changes", () => {
    expect(touched(file("src/a.ts", "a", "b"), file("README.md", "a", "b"))).toBeNull();
    const dependency = [
      '{"scripts": {"test": "vitest"}}',
      '{"scripts": {"test": "vitest"}, "dependencies": {"a": "1"}}',
    ];
    expect(touched(file("package.json", dependency[0] ?? "", dependency[1] ?? ""))).toBeNull();
    const rust = "fn a() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is() { assert!(true); }\n}\n";
    expect(touched(file("src/lib.rs", rust, rust.replace("fn a()", "fn b()")))).toBeNull();
  });

  it.each(["\n", " \n", "\t", "test ", "it.a"])("a file full of %j is read in bounded time", (part) => {
    const text = part.repeat(500_000 / part.length);
    const startMs = cpuClock();
    touched(file("tests/a.test.js", "x", text));
    canaryIn({path: "tests/a.test.js", text: text.slice(0, 50_000), word});
    expect(cpuClock() - startMs).toBeLessThan(5_000);
  });

  it("a test, a helper, a hook, a script", () => {
    const test = 'it("is", () => { expect(1).toBe(1); });\n';
    expect(
      touched(
        file("tests/a.test.ts", test, `${test}${test}`),
        file("tests/helper.ts", "a", "b"),
        file("tests/conftest.py", null, "x"),
        file("package.json", '{"scripts": {"test": "vitest"}}', '{"scripts": {"test": "true"}}'),
        file("jest.config.js", "a", "b"),
      ),
    ).toEqual([["tests/a.test.ts"], ["tests/helper.ts", "tests/conftest.py", "package.json", "jest.config.js"]]);
  });
});

it("runs tests again for another example in a documentation", () => {
  const python = 'def f():\n    """\n    >>> f()\n    """\n';
  expect(touched(file("src/a.py", python, python.replace('f()\n    "', 'f()  # doctest: +SKIP\n    "')))).toEqual([
    ["src/a.py"],
    [],
  ]);
  expect(touched(file("src/a.py", python, `${python}    return 1\n`))).toBeNull();
  const rust = "/// ```\n/// f();\n/// ```\npub fn f() {}\n";
  expect(touched(file("src/a.rs", rust, rust.replace("```", "```ignore")))).toEqual([["src/a.rs"], []]);
});

describe("the base's settings in the candidate's file", () => {
  it("keeps the dependencies of the candidate", () => {
    const base = '{"name": "a", "scripts": {"test": "jest"}, "dependencies": {"x": "1"}}';
    const head = '{"name": "a", "scripts": {"test": "true"}, "jest": {"bail": 1}, "dependencies": {"x": "2"}}';
    expect(JSON.parse(withBaseSettings("package.json", base, head) ?? "")).toEqual({
      name: "a",
      scripts: {test: "jest"},
      dependencies: {x: "2"},
    });
  });

  it("keeps the build of a Python project, and takes its other tools from the base", () => {
    const base = '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = "-q"\n';
    const head = '[project]\nname = "b"\n[tool.pytest.ini_options]\naddopts = "-k x"\n[tool.hatch]\nx = 1\n';
    const merged = withBaseSettings("pyproject.toml", base, head) ?? "";
    expect(merged).toContain('name = "b"');
    expect(merged).toContain('addopts = "-q"');
    expect(merged).toContain("[tool.hatch]");
    expect(changesSettings("pyproject.toml", base, head)).toBe(true);
    expect(changesSettings("pyproject.toml", base, base.replace('"a"', '"b"'))).toBe(false);
  });

  it("takes other files as a whole", () => {
    expect(withBaseSettings("pytest.ini", "a", "b")).toBeNull();
    expect(withBaseSettings("package.json", "{", "{}")).not.toContain("undefined");
  });
});
