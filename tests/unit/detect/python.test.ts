/** Python projects: which checks they ask for, and how their environment is made. */
import {describe, expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const UV = `[project]
name = "a"
[dependency-groups]
dev = ["pytest>=8", "mypy", "ruff"]
[tool.mypy]
strict = true
[tool.ruff.format]
quote-style = "double"
`;
const CASE = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n";

describe("what the set-up installs for the checks", () => {
  const PACKAGE = '[project]\nname = "a"\n';
  const hintsOf = (tree: Record<string, string>) =>
    Object.fromEntries(planOf(tree).stages.map(({tools}) => [tools[0]?.name, tools[0]?.hint]));
  test("a plain requirements file beside a package, where it names a checker", () => {
    const tree = {"pyproject.toml": PACKAGE, "tests/test_a.py": "import pytest\n"};
    const with_ = (requirements: string) => setupOf({...tree, "requirements.txt": requirements}).join();
    expect(with_("pytest\nclick\n")).toContain("-r requirements.txt -e .");
    expect(with_("click\n")).not.toContain("requirements.txt");
    expect(with_("click\n")).toContain("-e . pytest");
  });

  test("a checker that only CI or a constraint file names, as it is named there", () => {
    const tree = {"pyproject.toml": `${PACKAGE}[tool.mypy]\nstrict = true\n[tool.ruff]\n`, "a/__init__.py": ""};
    const ci = (line: string) => ({
      ".github/workflows/ci.yml": `on: pull_request\njobs:\n  a:\n    steps:\n      - run: ${line}\n`,
    });
    expect(setupOf(tree).join()).not.toMatch(/mypy|ruff/);
    expect(setupOf({...tree, ...ci("python -m pip install ruff 'mypy==1.8.0'")}).join()).toMatch(
      /install -q -e \. 'mypy==1\.8\.0' ruff$/,
    );
    expect(setupOf({...tree, "constraints.txt": "ruff==0.5.0\nother==1\n"}).join()).toMatch(/-e \. 'ruff==0\.5\.0'$/);
  });

  test("what tox installs for the tests", () => {
    const tox = "[testenv]\ndeps =\n  pytest>=8\n  pytest-cov\n  -rother.txt\n  py39: old\n\ncommands = pytest\n";
    const tree = {"pyproject.toml": PACKAGE, "tox.ini": tox, "tests/test_a.py": "import pytest\n"};
    expect(setupOf(tree).join()).toContain("-e . 'pytest>=8' pytest-cov");
  });

  test("is said only of what a manifest names", () => {
    const tools = "[tool.mypy]\nstrict = true\n[tool.ruff]\n";
    const tree = {"pyproject.toml": PACKAGE + tools, "a/__init__.py": "", "tests/test_a.py": "import pytest\n"};
    expect(hintsOf(tree)).toEqual({
      mypy: expect.stringContaining("no manifest"),
      ruff: expect.stringContaining("no manifest"),
      pytest: expect.stringContaining("the set-up installs it"),
    });
    expect(hintsOf({...tree, "requirements-dev.txt": "mypy\n"})["mypy"]).toContain("the set-up installs it");
    expect(hintsOf({...tree, "uv.lock": ""})["pytest"]).toContain("no manifest");
  });
});

describe("stages", () => {
  test("configured and declared tools, on the packages of the project", () => {
    expect(stagesOf({"pyproject.toml": UV, "uv.lock": "", "a/__init__.py": "", "tests/test_a.py": ""})).toEqual([
      "typecheck: mypy a",
      "lint: ruff check .",
      "lint:format: ruff format --check .",
      "test: pytest",
    ]);
  });

  test("a type checker that nothing installs does not hold up a change", () => {
    const tree = {"pyproject.toml": '[project]\nname = "a"\n[tool.pyright]\nstrict = ["a"]\n', "a/__init__.py": ""};
    expect(stagesOf(tree)).toEqual(["typecheck: pyright ?"]);
  });

  test("of two type checkers the installed one runs", () => {
    const tree = {"pyproject.toml": `${UV}[tool.pyright]\nstrict = ["a"]\n`, "uv.lock": "", "src/a/__init__.py": ""};
    expect(stagesOf(tree)).toEqual(["typecheck: mypy src", "lint: ruff check .", "lint:format: ruff format --check ."]);
    expect(planOf(tree).notes.map((note) => note.text)).toContain("`pyright` skipped: `mypy src` runs instead");
  });

  test("a type checker is recognized by its own file, or by its table", () => {
    const dev = (name: string) => `[project]\nname = "a"\n[dependency-groups]\ndev = ["${name}"]\n`;
    expect(stagesOf({"pyproject.toml": dev("pyrefly"), "pyrefly.toml": ""})).toEqual(["typecheck: pyrefly check"]);
    expect(stagesOf({"pyproject.toml": `${dev("ty")}[tool.ty]\n`})).toEqual(["typecheck: ty check"]);
  });

  // as pallets/click and pydantic/pydantic-settings do
  test("mypy is required where the project configures and installs it", () => {
    const manifest =
      '[project]\nname = "a"\n[dependency-groups]\ndev = ["mypy", "pytest"]\n[tool.mypy]\nstrict = true\n';
    const needed = (text: string) =>
      planOf({"pyproject.toml": text, "a/__init__.py": ""}).stages.map(({name, optional}) => ({name, optional}));
    expect(needed(manifest)).toContainEqual({name: "typecheck", optional: false});
    expect(needed(manifest.replace('"mypy", ', ""))).toContainEqual({name: "typecheck", optional: true});
  });

  test("mypy that knows its files is given none", () => {
    expect(stagesOf({"mypy.ini": "[mypy]\nfiles = a, b\n", "requirements-dev.txt": "mypy==1.9\n"})).toEqual([
      "typecheck: mypy",
    ]);
  });

  test("the config of a tool that nothing installs is no stage, but a note", () => {
    const tree = {"setup.py": "", "setup.cfg": "[flake8]\nmax-line-length = 100\n", ".pylintrc": ""};
    expect(stagesOf(tree)).toEqual([]);
    expect(planOf(tree).notes).toContainEqual({
      about: "setup.cfg flake8",
      text: "flake8 is configured, but nothing installs it",
    });
  });

  test("pytest from a section of setup.cfg; without test files a conftest alone is no test suite", () => {
    const configured = {"setup.py": "", "setup.cfg": "[tool:pytest]\naddopts = -q\n"};
    expect(stagesOf({...configured, "tests/test_a.py": ""})).toEqual(["test: pytest"]);
    expect(stagesOf({...configured, "setup.cfg": "[tool:pytest]\npython_files = check_*.py\n"})).toEqual([
      "test: pytest",
    ]);
    expect(stagesOf(configured)).toEqual([]);
    expect(stagesOf({"setup.py": "", "conftest.py": ""})).toEqual([]);
  });

  test("test files of a nested project or of material are not this project's", () => {
    const tree = {
      "requirements.txt": "pytest\n",
      "sub/pyproject.toml": "",
      "sub/tests/test_x.py": "",
      "templates/test_y.py": "",
    };
    expect(stagesOf(tree)).toEqual([]);
  });

  test("mypy looks at the package in src, and not at scripts beside it", () => {
    const manifest = '[project]\nname = "a"\n[dependency-groups]\ndev = ["mypy"]\n[tool.mypy]\nstrict = true\n';
    const types = (tree: Record<string, string>) =>
      planOf({"pyproject.toml": manifest, ...tree}).stages.find(({kind}) => kind === "typecheck")?.command;
    expect(types({"src/a/__init__.py": "", "show_off.py": "", "docs/conf.py": ""})).toBe("mypy src");
    expect(types({"show_off.py": ""})).toBe("mypy .");
  });

  test("the runner that a workflow starts, although the project installs another one", () => {
    const tree = {
      "pyproject.toml": `[project]\nname = "a"\n[project.optional-dependencies]\ntests = ["pytest"]\n`,
      "tox.ini": "[testenv]\nextras = tests\ncommands =\n  {envpython} -m pytest\n",
      "tests/test_a.py": "import pytest\n",
    };
    const ci = {
      ".github/workflows/a.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: uvx --with tox-uv tox -e py\n",
    };
    const planned = planOf({...tree, ...ci});
    expect(planned.stages.find(({kind}) => kind === "test")?.command).toBe("tox -e py");
    expect(planned.setup[0]?.command).toMatch(/-e '\.\[tests\]' tox$/);
    expect(planOf(tree).setup[0]?.command).not.toContain("tox");
  });

  test("unittest, tox and nox where there is no pytest", () => {
    expect(stagesOf({"setup.py": "", "tests/test_a.py": CASE})).toEqual(["test: python -m unittest discover -s tests"]);
    expect(stagesOf({"setup.py": "", "tests/test_a.py": CASE, "tests/__init__.py": ""})).toEqual([
      "test: python -m unittest discover -s tests -t .",
    ]);
    expect(stagesOf({"tox.ini": "[testenv]\ncommands = stestr run\n", "setup.py": ""})).toEqual(["test: tox -e py"]);
    expect(stagesOf({"noxfile.py": "@nox.session\ndef tests(session):\n", "setup.py": ""})).toEqual(["test: nox"]);
  });

  test("a target of make finds what the environment holds", () => {
    const plan = planOf({"pyproject.toml": UV, "uv.lock": "", "tests/test_a.py": "", Makefile: "test:\n\tpytest -x\n"});
    const stage = plan.stages.find((one) => one.kind === "test");
    expect([stage?.command, stage?.path]).toEqual(["make test", [".venv/bin"]]);
  });
});

describe("set-up", () => {
  const tests = {"tests/test_a.py": "import pytest"};
  test.each([
    ["uv", {"pyproject.toml": UV, "uv.lock": ""}, "uv sync --locked --group dev"],
    [
      "poetry",
      {"pyproject.toml": '[tool.poetry.group.dev.dependencies]\npytest = "^8"\n', "poetry.lock": ""},
      "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction",
    ],
    [
      "pdm",
      {"pyproject.toml": '[project.optional-dependencies]\ntest = ["pytest"]\n', "pdm.lock": ""},
      "pdm install --frozen-lockfile -G test",
    ],
    [
      "pipenv",
      {Pipfile: '[dev-packages]\npytest = "*"\n', "Pipfile.lock": "{}"},
      "PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev",
    ],
    [
      "pip with requirements",
      {"requirements.txt": "flask\n", "requirements-dev.txt": "pytest\n"},
      "python3 -m venv .venv && .venv/bin/python -m pip install -q -r requirements-dev.txt -r requirements.txt",
    ],
    [
      "pip, where the tests need what nothing declares",
      {"setup.py": "setup(name='a')"},
      "python3 -m venv .venv && .venv/bin/python -m pip install -q -e . pytest",
    ],
  ])("%s", (_, tree, command) => {
    expect(setupOf({...tree, ...tests})).toEqual([`.: ${command}`]);
  });

  test("the environment is made anew for each candidate, since it holds the project by its path", () => {
    expect(planOf({"pyproject.toml": UV, "uv.lock": "", ...tests}).setup[0]?.inputs).toEqual(["**"]);
  });

  test("a member of a uv workspace uses the environment of its root", () => {
    const plan = planOf({
      "pyproject.toml": '[tool.uv.workspace]\nmembers = ["packages/*"]\n',
      "uv.lock": "",
      "packages/a/pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-q"\n',
      "packages/a/tests/test_a.py": "",
    });
    expect(plan.stages.map((stage) => [stage.cwd, stage.command, stage.path])).toEqual([
      ["packages/a", "pytest", [".venv/bin"]],
    ]);
    expect(plan.setup.map((step) => [step.cwd, step.command])).toEqual([[".", "uv sync --locked --all-packages"]]);
  });
});

describe("what only looks like a tool in use", () => {
  const ci = {
    ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pytest\n",
  };
  const declared = {
    "pyproject.toml": '[project]\nname = "a"\n[dependency-groups]\ndev = ["pytest", "mypy", "black"]\n',
    "uv.lock": "",
    "a/__init__.py": "",
    "tests/test_a.py": "",
  };

  test("a checker that is a dependency, that nothing configures, and that CI does not speak of", () => {
    expect(stagesOf({...declared, ...ci})).toEqual(["test: pytest"]);
    expect(planOf({...declared, ...ci}).notes.map(({text}) => text)).toContain(
      "mypy is only a dependency: nothing configures it, and CI does not mention it",
    );
    // Without CI nobody has said that it is not required.
    expect(stagesOf(declared)).toEqual(["typecheck: mypy a", "lint: black --check .", "test: pytest"]);
    expect(stagesOf({...declared, ...ci, "CONTRIBUTING.md": "Run `mypy a` and `black .` first."})).toHaveLength(3);
  });

  test("a tool that a hook of pre-commit needs beside its own", () => {
    const hooks = (id: string) => ({
      ".pre-commit-config.yaml": `repos:\n- repo: x\n  hooks:\n  - id: ${id}\n    additional_dependencies: [black==24.1.0]\n`,
      "setup.py": "",
    });
    expect(stagesOf(hooks("blacken-docs"))).toEqual(["lint: pre-commit run --all-files"]);
    expect(stagesOf(hooks("black"))).toEqual(["lint: black --check ."]);
  });
});

test("a table that another manager has left does not choose the manager", () => {
  const backend = {
    "pyproject.toml":
      '[build-system]\nbuild-backend = "pdm.backend"\n[project]\nname = "a"\n[tool.pdm.build]\nsource-includes = ["tests/"]\n',
    "tests/test_a.py": "import pytest\n",
  };
  expect(setupOf(backend)).toEqual([".: python3 -m venv .venv && .venv/bin/python -m pip install -q -e . pytest"]);
});
