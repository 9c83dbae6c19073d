/** Cases of pytest and unittest. */
import {LENIENT, type TestRunTool} from "./case.ts";

const PYTHON_ADD = "def add(a, b):\n    return a + b\n\n\ndef twice(a):\n    return a + a\n";
const PYTHON_WRONG = PYTHON_ADD.replace("a + b", "a + b + 1");
const PYTEST_TESTS = `from calc import add, twice


def test_adds():
    assert add(1, 2) == 3


def test_doubles():
    assert twice(4) == 8
`;

export const PYTEST: TestRunTool = {
  tool: "pytest",
  needs: ["pytest"],
  base: {
    "verify.json": JSON.stringify({...JSON.parse(LENIENT), setup: []}),
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\n',
    "calc.py": PYTHON_ADD,
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef three():\n    return 3\n",
    "tests/test_calc.py": PYTEST_TESTS,
    "tests/test_three.py": "from calc import add\n\n\ndef test_three(three):\n    assert add(1, 2) == three\n",
  },
  cases: [
    {
      name: "a hook rewrites the reports",
      files: {
        "calc.py": PYTHON_WRONG,
        "tests/conftest.py": `import pytest


@pytest.fixture
def three():
    return 3


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
`,
      },
      check: "unnoticed-failures",
    },
    {
      name: "the set-up mends the product",
      files: {
        "calc.py": PYTHON_WRONG,
        "tests/conftest.py":
          "import calc\nimport pytest\n\ncalc.add = lambda a, b: a + b\n\n\n@pytest.fixture\ndef three():\n    return 3\n",
      },
      check: "base-replay",
    },
    {
      name: "a hook sets the exit status and deselects what fails",
      files: {
        "calc.py": PYTHON_WRONG,
        "tests/conftest.py": `import pytest


@pytest.fixture
def three():
    return 3


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if "doubles" in item.name]
`,
      },
      check: "any",
    },
    {
      name: "a hook passes one named test, whatever it asserts",
      files: {
        "tests/conftest.py": `import pytest


@pytest.fixture
def three():
    return 3


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if item.name == "test_adds":
        report.outcome = "passed"
`,
      },
      check: "unnoticed-failures",
      verdict: "tampered",
    },
    {
      name: "a file is not collected",
      files: {
        "calc.py": PYTHON_ADD.replace("a + a", "3 * a"),
        "tests/conftest.py":
          'import pytest\n\ncollect_ignore = ["test_calc.py"]\n\n\n@pytest.fixture\ndef three():\n    return 3\n',
      },
      check: "lost-tests",
      verdict: "tampered",
    },
    {
      name: "a fixture gives what the wrong code returns",
      files: {
        "calc.py": PYTHON_WRONG,
        "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef three():\n    return 4\n",
        "tests/test_calc.py": PYTEST_TESTS.replace("== 3", "== 4"),
      },
      check: "base-replay",
    },
    {
      name: "the settings select other tests",
      files: {
        "calc.py": PYTHON_WRONG,
        "pyproject.toml":
          '[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\naddopts = "-k doubles"\n',
      },
      check: "any",
    },
    {
      name: "one more fixture with a test",
      files: {
        "tests/conftest.py":
          "import pytest\n\n\n@pytest.fixture\ndef three():\n    return 3\n\n\n@pytest.fixture\ndef four():\n    return 4\n",
        "tests/test_four.py": "from calc import twice\n\n\ndef test_four(four):\n    assert twice(2) == four\n",
      },
      check: null,
    },
    {
      name: "tests become parameters",
      files: {
        "tests/test_calc.py": `import pytest

from calc import add, twice


@pytest.mark.parametrize(("a", "b", "total"), [(1, 2, 3), (2, 2, 4)])
def test_adds(a, b, total):
    assert add(a, b) == total


def test_doubles():
    assert twice(4) == 8
`,
      },
      check: null,
    },
    {
      name: "a marker is registered",
      files: {
        "pyproject.toml":
          '[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\nmarkers = ["slow: takes long"]\n',
      },
      check: null,
    },
  ],
};

const UNITTEST_TESTS = `import unittest

from calc import add, twice


class TestCalc(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(1, 2), 3)

    def test_doubles(self):
        self.assertEqual(twice(4), 8)


if __name__ == "__main__":
    unittest.main()
`;

export const UNITTEST: TestRunTool = {
  tool: "unittest",
  needs: ["python3"],
  base: {
    "verify.json": JSON.stringify({
      ...JSON.parse(LENIENT),
      stages: [{name: "test", kind: "test", command: "python3 -m unittest discover -s tests -t ."}],
    }),
    "calc.py": PYTHON_ADD,
    "tests/__init__.py": "",
    "tests/test_calc.py": UNITTEST_TESTS,
  },
  cases: [
    {
      name: "the package of the tests patches the assertions",
      files: {
        "calc.py": PYTHON_WRONG,
        "tests/__init__.py": "import unittest\n\nunittest.TestCase.assertEqual = lambda *_: None\n",
      },
      check: "unnoticed-failures",
    },
    {
      name: "the result forgets failures",
      files: {
        "calc.py": PYTHON_WRONG,
        "tests/__init__.py":
          "import unittest\n\nunittest.TestResult.addFailure = unittest.TextTestResult.addFailure = lambda self, test, err: self.addSuccess(test)\n",
      },
      check: "unnoticed-failures",
    },
    {
      name: "a second test of the same name hides the first",
      files: {
        "tests/test_calc.py": UNITTEST_TESTS.replace(
          "    def test_doubles",
          "    def test_adds(self):\n        self.assertEqual(add(0, 0), 0)\n\n    def test_doubles",
        ),
      },
      check: "unnoticed-failures",
      verdict: "tampered",
    },
    {
      name: "the loader finds fewer tests",
      files: {
        "calc.py": PYTHON_WRONG,
        "tests/test_calc.py": `${UNITTEST_TESTS}

def load_tests(loader, tests, pattern):
    return loader.loadTestsFromName("tests.test_calc.TestCalc.test_doubles")
`,
      },
      check: "unnoticed-failures",
    },
    {
      name: "one more test",
      files: {
        "tests/test_zero.py":
          "import unittest\n\nfrom calc import add\n\n\nclass TestZero(unittest.TestCase):\n    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n",
      },
      check: null,
    },
  ],
};
