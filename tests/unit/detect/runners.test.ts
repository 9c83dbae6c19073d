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

describe("Task, mise", () => {
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
    [
      "mise",
      {"mise.toml": "[tasks.lint]\nrun = 'flake8'\n[tasks]\ntest = 'pytest'\n"},
      ["lint: flake8", "test: pytest"],
    ],
    [
      "mise, not plain",
      {".mise.toml": "[tasks.test]\ndepends = ['prepare']\nrun = 'pytest'\n[tasks.prepare]\nrun = 'touch x'\n"},
      ["test: mise run test"],
    ],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));
});

describe("what is only there in case of need", () => {
  const hooks = {".pre-commit-config.yaml": "repos:\n  - repo: x\n    hooks: [{id: y}]\n"};
  it.each<[string, Tree, string[]]>([
    ["pre-commit, alone", hooks, ["lint: pre-commit run --all-files"]],
    ["pre-commit, without hooks", {".pre-commit-config.yaml": "repos: []"}, []],
    ["pre-commit beside a linter", {...hooks, "package.json": {scripts: {lint: "eslint ."}}}, ["lint: eslint ."]],
    [
      "pre-commit that CI runs",
      {
        ...hooks,
        "package.json": {scripts: {lint: "eslint ."}},
        ".github/workflows/ci.yml": "on: push\njobs:\n  a: {steps: [{uses: pre-commit/action@v3}]}",
      },
      ["lint: pre-commit run --all-files", "lint:eslint: eslint ."],
    ],
    [
      "lefthook",
      {
        "lefthook.yml":
          "pre-push:\n  commands:\n    unit: {run: pytest}\n    style: {run: 'flake8 {staged_files}'}\n    fix: {run: black ., stage_fixed: true}\n",
      },
      ["test: pytest"],
    ],
    [
      "a script folder",
      {"script/test": "#!/bin/bash\nset -e\npytest -q\n", "script/deploy": "pytest\n"},
      ["test: bash script/test"],
    ],
    [
      "tests that something else runs",
      {
        "scripts/test": '#!/bin/sh\nnvim -l tests/minit.lua "$@"\n',
        "tests/minit.lua": "",
        "scripts/lint": "#!/bin/sh\nnvim -l tests/minit.lua\n",
      },
      ["test: sh scripts/test"],
    ],
    [
      "a script of which nothing can be told",
      {"script/test": "#!/usr/bin/env ruby\nputs 1\n", "scripts/lint.sh": "./other\n"},
      [],
    ],
    ["a script that starts containers", {"scripts/test.sh": "docker compose up -d\npytest\n"}, []],
    [
      "a script beside the tool itself",
      {"scripts/test.sh": "mocha\n", "package.json": {scripts: {test: "mocha"}}},
      ["test: mocha"],
    ],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));
});

describe("fledge, middle, spec-sync", () => {
  const lanes =
    "[tasks]\nfmt = 'cargo fmt --check'\ntest = 'cargo test'\n[lanes.verify]\nsteps = ['fmt', {parallel = ['test', {run = 'cargo build'}]}]\n";
  it.each<[string, Tree, string[]]>([
    [
      "the steps of the lane `verify`, so that fledge need not be there",
      {"fledge.toml": lanes},
      ["lint: cargo fmt --check", "test: cargo test", "build: cargo build"],
    ],
    [
      "a step that needs another task runs after it, in one stage",
      {
        "fledge.toml":
          "[tasks]\ngen = 'mkdir -p out'\n[tasks.suite]\ncmd = 'pytest'\ndeps = ['gen']\n[lanes.verify]\nsteps = ['suite']\n",
      },
      ["check: (mkdir -p out) && (pytest)"],
    ],
    [
      "a step of no known kind keeps the lane together, and in its order",
      {
        "fledge.toml":
          "[tasks.suite]\ncmd = 'pytest'\ndir = 'py'\nenv = {A = 'b c'}\n[lanes.verify]\nsteps = ['suite', {run = 'test -e a'}, {run = 'test -e b'}]\n",
      },
      ["check: (export A='b c'; cd ./py && pytest) && (test -e a) && (test -e b)"],
    ],
    [
      "the lane that CI starts, too",
      {
        "fledge.toml": lanes,
        ".github/workflows/ci.yml": "on: push\njobs:\n  a: {steps: [{run: fledge lanes run verify --ni}]}",
      },
      ["lint: cargo fmt --check", "test: cargo test", "build: cargo build", "check: fledge lanes run verify --ni"],
    ],
    [
      "what the lane starts is not run twice",
      {"fledge.toml": lanes, "Cargo.toml": "[package]\nname='x'", "src/lib.rs": ""},
      [
        "typecheck: cargo check --all-targets",
        "lint: cargo clippy --all-targets",
        "lint:fmt: cargo fmt --check",
        "test: cargo test",
        "build: cargo build",
      ],
    ],
    ["a lane that releases", {"fledge.toml": "[lanes.verify]\nsteps = [{run = 'cargo publish'}]\n"}, []],
    ["no such lane", {"fledge.toml": "[lanes.ci]\nsteps = ['x']\n"}, []],
    [
      "gates of middle",
      {
        ".middle/verify.toml":
          "[[gate]]\nname = 'style'\ncommand = 'eslint . --fix'\n[[gate]]\nname = 'unit'\ncommand = 'vitest run'\ntimeout_seconds = 90\n[[gate]]\nname = 'later'\ncommand = 'vitest run x'\nphases = [3]\n",
      },
      ["lint:style: eslint .", "test:unit: vitest run"].map((line) => line.replace(/^(\w+):\w+:/, "$1:")),
    ],
    ["spec-sync", {".specsync/config.toml": "x = 1"}, ["lint: specsync check"]],
    ["fledge's specs", {"fledge.toml": "x = 1", "specs/a/a.spec.md": "x"}, ["lint: fledge spec check"]],
    ["fledge without specs", {"fledge.toml": "x = 1"}, []],
    [
      "openspec as a dependency",
      {"openspec/config.yaml": "x: 1", "package.json": {devDependencies: {"@fission-ai/openspec": "1"}}},
      ["lint: openspec validate --all --strict"],
    ],
    ["openspec without its program", {"openspec/config.yaml": "x: 1", "package.json": {}}, []],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));

  it("keeps a gate's time and that it is required", () => {
    const [gate] = planOf({
      ".middle/verify.toml": "[[gate]]\nname = 'style'\ncommand = 'eslint .'\ntimeout_seconds = 90\n",
    }).stages;
    expect(gate).toMatchObject({timeout: 90, optional: false});
  });
  it("takes folder, environment and time of a step", () => {
    const suite = "[tasks.suite]\ncmd = 'pytest'\ndir = 'py'\nenv = {A = 'b'}\n";
    const steps = "steps = [{task = 'suite', timeout = 90}]\n";
    expect(planOf({"fledge.toml": `${suite}[lanes.verify]\n${steps}`}).stages).toMatchObject([
      {command: "pytest", cwd: "py", env: {A: "b"}, timeout: 90, optional: false},
    ]);
  });
  it.each<[string, Tree, string, RegExp]>([
    [
      "a gate without a command",
      {".middle/verify.toml": "[[gate]]\nname = 'a'\n"},
      ".middle/verify.toml a",
      /no command/,
    ],
    [
      "a gate without a name or a command",
      {".middle/verify.toml": "[[gate]]\nname = 'a'\ncommand = 'pytest'\n[[gate]]\n"},
      ".middle/verify.toml gate 2",
      /no command/,
    ],
    [
      "a gate of certain phases",
      {".middle/verify.toml": "[[gate]]\nname = 'a'\ncommand = 'pytest'\nphases = [3]\n"},
      ".middle/verify.toml a",
      /certain phases only/,
    ],
    ["no gate", {".middle/verify.toml": "x = 1\n"}, ".middle/verify.toml", /no gate/],
    ["no lane `verify`", {"fledge.toml": "[lanes.ci]\nsteps = ['x']\n"}, "fledge.toml", /is called `verify`/],
    ["a lane without steps", {"fledge.toml": "[lanes.verify]\n"}, "fledge.toml", /no steps/],
    ["a step of an unknown task", {"fledge.toml": "[lanes.verify]\nsteps = ['x']\n"}, "fledge.toml x", /no command/],
    [
      "a step on a condition",
      {"fledge.toml": "[lanes.verify]\nsteps = [{run = 'pytest', when = '!CI'}]\n"},
      "fledge.toml pytest",
      /only if `!CI`/,
    ],
  ])('lists under "not run": %s', (_, tree, about, why) => {
    expect(planOf(tree).notRun).toMatchObject([
      {about, why: expect.stringMatching(why), fix: expect.stringMatching(/./)},
    ]);
  });
});

describe("CONTRIBUTING", () => {
  const scripts = {"package.json": {scripts: {test: "mocha slow", "test:unit": "mocha fast"}}};
  const told = {"CONTRIBUTING.md": "Please run:\n```sh\n$ npm run test:unit\npytest\n```\nand `flake8`.\n"};
  it("chooses between candidates", () => {
    expect(stages(scripts)).toEqual(["test: mocha slow"]);
    expect(stages({...scripts, ...told})).toEqual(["test: mocha fast"]);
  });
  it("does not say more than CI", () => {
    const ci = {".github/workflows/ci.yml": "on: push\njobs:\n  a: {steps: [{run: npm test}]}"};
    expect(stages({...scripts, ...told, ...ci})).toEqual(["test: npm test"]);
  });
  it("adds no stage of its own", () => expect(stages(told)).toEqual([]));
});

it("every origin names a file of the tree, and text that stands in it or in its name", () => {
  const tree: Record<string, string> = {
    justfile: "lint:\n    flake8\n",
    "Taskfile.yml": "tasks: {typecheck: mypy .}",
    ".middle/verify.toml": "[[gate]]\nname = 'unit'\ncommand = 'vitest run'\n",
    ".specsync.toml": "",
    "fledge.toml": "[lanes.verify]\nsteps = [{run = 'cargo build'}]\n",
    ".github/workflows/ci.yml":
      "on: push\njobs:\n  more:\n    steps:\n      - name: Spell\n        run: codespell\n      - {uses: ./a}\n",
    "a/action.yml": "runs: {steps: [{run: yamllint .}]}",
    ".gitlab-ci.yml": "words: {script: [markdownlint .]}",
    ".circleci/config.yml": "jobs: {x: {steps: [{run: shellcheck y}]}}",
    "azure-pipelines.yml": "steps: [{script: hadolint z}]",
    ".travis.yml": "script: actionlint",
  };
  const {stages: planned} = planOf(tree);
  expect(planned.length).toBeGreaterThanOrEqual(11);
  for (const {origin} of planned) expect(`${origin.file}\n${tree[origin.file]}`).toContain(origin.key);
});
