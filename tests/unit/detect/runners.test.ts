/** Task runners other than make, and what is only there in case of need. */
import {describe, expect, it} from "vitest";
import {recipesOf} from "../../../src/detect/scripts/just-recipes.ts";
import {cpuClock} from "../report/cpu-time.ts";
import {stages} from "./placed.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;

describe("just", () => {
  it.each<[string, string, string[]]>([
    ["a plain recipe is given as its command", "test:\n    pytest -q\n", ["test: pytest -q"]],
    [
      "a recipe of plain checks is taken apart",
      "lint:\n    @ruff check .\n    mypy src\n",
      ["typecheck:mypy: mypy src", "lint:ruff: ruff check ."].map((line) =>
        line.replace(/(typecheck|lint):\w+:/, "$1:"),
      ),
    ],
    [
      "recipes of other systems",
      "[linux]\ntest:\n    pytest\n[windows]\ntest:\n    py -m pytest\n[macos]\nlint:\n    flake8\n",
      ["test: pytest"],
    ],
    ["what runs in a shell of Nix", "test:\n    nix-shell --run 'cargo test'\n", []],
    ["what must stay together is started by its name", "test:\n    mkdir -p out\n    pytest\n", ["test: just test"]],
    [
      "dependencies come first",
      "check: fmt-check\n    pytest\nfmt-check:\n    black --check .\n",
      ["lint: black --check .", "test: pytest"],
    ],
    [
      "variables and default arguments",
      "flags := '-q'\ntest *args:\n    pytest {{flags}} {{args}}\n",
      ["test: pytest -q"],
    ],
    [
      "several recipes in one call, an alias, and a recipe of checks that other recipes have",
      "check: l\n    mkdir -p out\n    {{just_executable()}} fmt lint\nalias l := lint\nlint:\n    ruff check .\nfmt:\n    black --check .\nci: l\n    just -q fmt test\ntest:\n    pytest\n",
      ["lint: ruff check .", "lint:black: black --check .", "test: pytest"],
    ],
    ["a recipe that wants arguments", "test name:\n    pytest {{name}}\n", []],
    ["a writer", "fmt:\n    black .\n", []],
    ["a formatter that only looks", "fmt:\n    black --check .\n", ["lint: black --check ."]],
    ["a watcher", "test:\n    cargo watch -x test\n", []],
    ["a release behind a check", "check: push\npush:\n    git push\n", []],
    ["a recipe that needs itself", "test: test\n    pytest\n", ["test: pytest"]],
    ["a script of another language", "test:\n    #!/usr/bin/env python\n    import os\n", []],
  ])("%s", (_, text, expected) => expect(stages({justfile: text})).toEqual(expected));

  it("reads the files that a justfile imports, and leaves a module to just", () => {
    const tree = {
      justfile: "import 'just/test.just'\nmod web\nlint: web::lint\n    ruff check .\n",
      "just/test.just": "import '../justfile'\ntest:\n    pytest\n",
      "web/mod.just": "lint:\n    flake8\n",
    };
    expect(stages(tree)).toEqual(["lint: just web::lint", "lint:ruff: ruff check .", "test: pytest"]);
  });

  it("leaves out a command of cargo that only its author has", () => {
    const tree = {justfile: "build:\n    cargo lbuild\n"};
    expect(stages(tree)).toEqual([]);
    expect(stages({...tree, ".cargo/config.toml": '[alias]\nlbuild = "build"\n'})).toEqual(["build: cargo lbuild"]);
  });

  it("reads a hostile justfile in time", () => {
    const started = cpuClock();
    recipesOf(`${"a ".repeat(50_000)}\n${"x=".repeat(50_000)}:\n${"[".repeat(50_000)}`, ".");
    expect(cpuClock() - started).toBeLessThan(1000);
  });
});

describe("Task", () => {
  it.each<[string, Tree, string[]]>([
    [
      "Task",
      {
        "Taskfile.yml":
          "version: '3'\nvars: {P: ./...}\ntasks:\n  test: {cmds: ['flake8', {task: unit}]}\n  unit: {cmd: 'pytest {{.P}}'}\n  lint: flake8\n",
      },
      ["lint: flake8", "test: pytest ./..."],
    ],
    [
      "a task in a folder",
      {"Taskfile.yml": "tasks: {test: {dir: api, cmds: [pytest]}}", "api/x": ""},
      ["api:test: pytest @api"],
    ],
    ["a task that watches", {"Taskfile.yml": "tasks: {test: {watch: true, cmds: [pytest]}}"}, []],
    ["tasks in a circle", {"Taskfile.yml": "tasks: {test: {cmds: [{task: test}, pytest]}}"}, ["test: pytest"]],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));
});

describe("what is only there in case of need", () => {
  const hooks = {".pre-commit-config.yaml": "repos:\n  - repo: x\n    hooks: [{id: y}]\n"};
  it.each<[string, Tree, string[]]>([
    ["pre-commit, alone", hooks, ["lint: pre-commit run --all-files"]],
    ["pre-commit, without hooks", {".pre-commit-config.yaml": "repos: []"}, []],
    ["pre-commit beside a linter", {...hooks, "package.json": {scripts: {lint: "eslint ."}}}, ["lint: npm run lint"]],
    [
      "pre-commit that CI runs",
      {
        ...hooks,
        "package.json": {scripts: {lint: "eslint ."}},
        ".github/workflows/ci.yml": "on: push\njobs:\n  a: {steps: [{uses: pre-commit/action@v3}]}",
      },
      ["lint: pre-commit run --all-files", "lint-2: npm run lint"],
    ],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));
});

it("every origin names a file of the tree, and text that stands in it or in its name", () => {
  const tree: Record<string, string> = {
    justfile: "lint:\n    flake8\n",
    "Taskfile.yml": "tasks: {typecheck: mypy .}",
    ".github/workflows/ci.yml":
      "on: push\njobs:\n  more:\n    steps:\n      - name: Spell\n        run: codespell\n      - {uses: ./a}\n",
    "a/action.yml": "runs: {steps: [{run: yamllint .}]}",
    ".gitlab-ci.yml": "words: {script: [markdownlint .]}",
    ".circleci/config.yml": "jobs: {x: {steps: [{run: shellcheck y}]}}",
    "azure-pipelines.yml": "steps: [{script: hadolint z}]",
    ".travis.yml": "script: actionlint",
  };
  const {stages: planned} = planOf(tree);
  expect(planned.length).toBeGreaterThanOrEqual(8);
  for (const {origin} of planned) expect(`${origin.file}\n${tree[origin.file]}`).toContain(origin.key);
});
