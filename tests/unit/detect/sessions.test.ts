/** The environments of tox, by the commands behind their names. */
import {expect, it} from "vitest";
import {toxSessionCommands} from "../../../src/detect/scripts/tox-sessions.ts";
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
const PYPROJECT = `[tool.tox.env_run_base]
commands = [["pytest", {replace = "posargs", default = ["tests"], extend = true}]]
[tool.tox.env.type]
commands = [["mypy", "src{/}a"]]
`;

it.each<[string, string, string[] | null]>([
  ["tox.ini", "tox -e docs", ["sphinx-build -W -b html docs {envtmpdir}/html"]],
  ["tox.ini", "python -m tox run --skip-pkg-install -e lint", ["ruff check src"]],
  ["tox.ini", "tox -e py39,py310", ["pytest tests", "pytest tests", "coverage xml"]],
  ["tox.ini", "tox", null],
  ["pyproject.toml", "tox -e type", ["mypy src/a"]],
  ["pyproject.toml", "tox -e py312", ["pytest tests"]],
  ["pyproject.toml", "hatch run tox -e type", ["mypy src/a"]],
  ["pyproject.toml", "echo tox -e type", null],
])("%s: %s", (file, line, commands) => {
  const text = {"tox.ini": TOX, "pyproject.toml": PYPROJECT}[file] ?? "";
  expect(toxSessionCommands(projectOf({[file]: text}), ".", line.split(" "))).toEqual(commands);
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
});
