/** The environments of tox, the sessions of nox and the tasks of poe and PDM, by the commands behind their names. */
import {expect, it} from "vitest";
import {sessionCommands} from "../../../src/detect/scripts/python-sessions.ts";
import {stages, steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";
import {projectOf} from "./tree.ts";

const TOX = `[tox]
envlist = py{39,310}, lint

[testenv]
commands =
    pytest {posargs:tests}
    py310: coverage xml

[testenv:docs]
commands =
    pip install -r docs/requirements.txt
    - sphinx-build -W -b html docs \\
        {envtmpdir}/html

[testenv:{lint,pkg_meta}]
commands =
    lint: ruff check {toxinidir}/src
    pkg_meta: python -m build
`;
const NOX = `@nox.session
def docs(session):
    session.install("-r", "docs/requirements.txt")
    session.run("sphinx-build", "-W", "docs", "out", *session.posargs)

@nox.session(python=["3.9"], name="type-check")
def mypy(session):
    session.run("mypy", "src", env={"A": "b"})
`;
const PYPROJECT = `[tool.pdm.scripts]
test = "pytest tests"
[tool.poe.tasks]
check = ["lint", "types"]
lint = "ruff check"
types = {cmd = "mypy a"}
[tool.hatch.envs.test.scripts]
default = "pytest {args:tests}"
all = ["ruff check", "pytest {args}"]
[tool.tox.env_run_base]
commands = [["pytest", {replace = "posargs", default = ["tests"], extend = true}]]
[tool.tox.env.type]
commands = [["mypy", "src{/}a"]]
`;

it.each<[string, string, string[] | null]>([
  ["tox.ini", "tox -e docs", ["sphinx-build -W -b html docs {envtmpdir}/html"]],
  ["tox.ini", "python -m tox run --skip-pkg-install -e lint", ["ruff check src"]],
  ["tox.ini", "tox -e py39,py310", ["pytest tests", "pytest tests", "coverage xml"]],
  ["tox.ini", "tox", null],
  ["noxfile.py", "nox -s docs", ["sphinx-build -W docs out"]],
  ["noxfile.py", "nox --session=type-check-3.9", ["mypy src"]],
  ["noxfile.py", "nox -s other", null],
  ["pyproject.toml", "tox -e type", ["mypy src/a"]],
  ["pyproject.toml", "tox -e py312", ["pytest tests"]],
  ["pyproject.toml", "poe check", ["ruff check", "mypy a"]],
  ["pyproject.toml", "pdm run test", ["pytest tests"]],
  ["pyproject.toml", "hatch run +py=3.13 test:default --color=yes", ["pytest tests"]],
  ["pyproject.toml", "hatch run test:all", ["ruff check", "pytest"]],
  ["pyproject.toml", "hatch run tox -e type", ["mypy src/a"]],
  ["pyproject.toml", "hatch run other:all", null],
  ["pyproject.toml", "echo tox -e type", null],
])("%s: %s", (file, line, commands) => {
  const text = {"tox.ini": TOX, "noxfile.py": NOX, "pyproject.toml": PYPROJECT}[file] ?? "";
  expect(sessionCommands(projectOf({[file]: text}), ".", line.split(" "))).toEqual(commands);
});

it("accounts for what CI runs by these commands", () => {
  const ci = workflow(steps("run: tox -e docs", "run: tox -e lint", "run: tox -e pkg_meta", "run: tox -e py310"));
  const tree = {"tox.ini": TOX, "docs/index.rst": "", ...ci};
  expect(stages(tree)).toEqual([
    "lint: tox -e docs",
    "lint:tox: tox -e lint",
    "test: tox -e py310",
    "check: tox -e pkg_meta",
  ]);
  expect(accountOf(tree)).toContain("stage tox -e docs → lint");
  const nox = {"noxfile.py": NOX, ...workflow(steps("run: nox -s docs"))};
  expect(accountOf(nox)).toEqual(["stage nox -s docs → lint"]);
});

it("takes a task called `test` for a check", () => {
  expect(accountOf({"pyproject.toml": PYPROJECT, ...workflow(steps("run: pdm run test", "run: poe check"))})).toEqual([
    "stage pdm run test → test",
    "stage poe check → check",
  ]);
});
