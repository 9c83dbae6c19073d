/** Python without a manifest: the command that finds its tests. */
import {describe, expect, test} from "vitest";
import {stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const CASE = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n";

describe("a tree without a manifest", () => {
  const README = "Run `python -m unittest` or\n\n    $ python3 -m unittest discover -v tests\n";
  const SUITE = "import sys, unittest\nr = unittest.TextTestRunner().run(suite)\n";
  const FAILING = `${SUITE}sys.exit(not r.wasSuccessful())\n`;
  test.each<[string, Record<string, string>, string[]]>([
    ["a folder of modules", {"tests/test_a.py": CASE}, ["-s tests"]],
    ["a package", {"tests/__init__.py": "", "tests/test_a.py": CASE}, ["-s tests -t ."]],
    ["several folders", {"README.md": "", "t/io/test_a.py": CASE, "t/test_b.py": CASE}, ["-s t/io", "-s t"]],
    ["another file name", {"tests/a_test.py": CASE}, ["-s tests -p '*_test.py'"]],
    ["the root folder", {"test_a.py": CASE}, [""]],
    [
      "a base class of another file",
      {
        "tests/base.py": "class B(unittest.TestCase): pass\n",
        "tests/test_a.py": CASE.replace("unittest.TestCase", "base.B"),
      },
      ["-s tests"],
    ],
    ["what the README says", {"tests/test_a.py": CASE, "README.md": README}, ["-v tests"]],
  ])("unittest finds its tests: %s", (_name, tree, discoveries) => {
    const commands = discoveries.map((options) => `python3 -m unittest discover ${options}`.trimEnd());
    expect(stagesOf(tree)).toEqual([`test: ${commands.join(" && ")}`]);
  });

  test("the script of the README runs if it can fail", () => {
    const tree = {"tests/test_a.py": CASE, "README.md": "Tests: `python run_tests.py`\n"};
    expect(stagesOf({...tree, "run_tests.py": FAILING})).toEqual(["test: python3 run_tests.py"]);
    expect(stagesOf({...tree, "run_tests.py": SUITE})).toEqual(["test: python3 -m unittest discover -s tests"]);
  });

  test.each([
    "python run_tests.py --list",
    "python run_tests.py -k test_a",
    "python -m unittest discover -s tests/unit",
    "python -m unittest discover -s tests -k a",
  ])("a documented command that may run a part of the tests is not taken: %s", (command) => {
    const package_ = {"tests/__init__.py": "", "tests/unit/__init__.py": ""};
    const tree = {...package_, "tests/unit/test_a.py": CASE, "tests/test_b.py": CASE, "run_tests.py": FAILING};
    expect(stagesOf({...tree, "README.md": `Run \`${command}\`\n`})).toEqual([
      "test: python3 -m unittest discover -s tests -t .",
    ]);
  });

  test("pytest does not run if it misses a file by its name, and a file without tests is named", () => {
    const functions = {"tests/test_b.py": "import pytest\ndef test_b():\n    assert True\n"};
    expect(stagesOf({...functions, "tests/test_a.py": CASE})).toEqual(["test: python3 -m pytest"]);
    expect(stagesOf({...functions, "tests/tests.py": CASE})).toEqual([]);
    const plan = planOf({"tests/test_a.py": CASE, "test_script.py": "import sys\nsys.exit(1)\n"});
    expect(plan.notes.map(({about}) => about)).toEqual(["test_script.py"]);
  });

  test("hostile files are read in bounded time", () => {
    const start = performance.now();
    const classes = Array.from({length: 30_000}, (_, i) => `class A${i}(A${i + 1}):\n`).join("");
    expect(stagesOf({"tests/test_a.py": "class A(\n".repeat(50_000), "tests/test_b.py": classes})).toEqual([]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test("sources in `src` are on the path, and pytest runs functions", () => {
    const test_ = `from pkg import f\n${CASE}`;
    expect(planOf({"src/pkg/__init__.py": "", "tests/test_a.py": test_}).stages[0]?.env).toEqual({PYTHONPATH: "src"});
    expect(stagesOf({"tests/test_a.py": "def test_a():\n    assert True\n"})).toEqual(["test: python3 -m pytest"]);
  });

  test.each<[string, Record<string, string>]>([
    ["no test", {"tests/test_a.py": "import unittest\n"}],
    ["only mocks", {"tests/test_a.py": "from unittest import mock\nclass TestA:\n    def test_a(self): pass\n"}],
    ["another language", {"Cargo.toml": "", "tests/test_a.py": CASE}],
    ["examples", {"README.md": "", "examples/test_a.py": CASE}],
  ])("no stage of Python for %s", (_name, tree) => {
    expect(stagesOf(tree).filter((stage) => stage.includes("python"))).toEqual([]);
  });
});
