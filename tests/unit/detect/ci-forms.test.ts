/** Forms in which CI starts a check: a shell, hatch, uvx, a program of the project, a task file, a choice by a variable. */
import {describe, expect, it} from "vitest";
import {notes, stages, steps, workflow} from "./placed.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;
const node = (scripts: object): Tree => ({"package.json": {scripts, devDependencies: {mocha: "*"}}});

describe("a check is found", () => {
  it.each<[string, Tree, string, string]>([
    [
      "in a text for bash",
      {"go.mod": "module a\n"},
      `bash -euo pipefail -c "cd . && staticcheck ./..."`,
      "lint: staticcheck ./...",
    ],
    ["as a tool of uvx", {"tox.ini": "[testenv:lint]\ncommands = x\n"}, "uvx tox -e lint", "lint: tox -e lint"],
    [
      "as a program that the project provides",
      {"composer.json": {bin: ["bin/a"]}, "bin/a": "", "src/a.php": ""},
      "bin/a src",
      "check: bin/a src",
    ],
    ["as a task of a script", {"Makefile.js": ""}, "node Makefile checkFiles", "check: node Makefile checkFiles"],
    [
      "as the build of a release",
      node({"release:build": "rollup -c"}),
      "npm run release:build",
      "build: npm run release:build",
    ],
    ["as a formatter of hatch that rewrites", {"pyproject.toml": ""}, "hatch fmt", "lint: hatch fmt --check"],
  ])("%s", (_, tree, run, expected) =>
    expect(stages({...tree, ...workflow(steps(`run: ${run}`))})).toContain(expected),
  );

  it("in the branch of a script that a variable of its user does not select", () => {
    const test = 'if test "$BROWSERS" = "1" ; then cypress run; else mocha; fi';
    expect(stages({...node({test}), ...workflow(steps("run: npm test"))})).toEqual(["test: npm test"]);
  });

  it("with the words that CI always gives a script, in another mode of its tool, and in a step with a seldom name", () => {
    const scripts = {build: "node cli.mjs", test: "vitest run"};
    const tree = {
      ...node(scripts),
      "package-lock.json": "",
      "check_a.py": "",
      ...workflow(
        steps(
          "run: npm run build all",
          "run: npm test",
          "run: npx vitest --typecheck.only --run",
          "{name: scan tags, run: python check_a.py}",
        ),
      ),
    };
    expect(stages(tree)).toEqual([
      "test: npm test",
      "test-2: vitest --typecheck.only --run",
      "build: npm run build all",
      "check: python check_a.py",
    ]);
  });

  it("in the packages of a workspace, where the script stays the package manager's", () => {
    const tree = {
      "package.json": {workspaces: ["p/*"]},
      "package-lock.json": "",
      "p/a/package.json": {scripts: {"test:unit": "vitest --coverage run"}},
      ...workflow(steps("run: npm run -ws test:unit")),
    };
    expect(stages(tree)).toEqual(["test: npm run -ws test:unit"]);
  });

  it.each<[string, string]>([
    ["a tool of the system is given a file", "file tests example"],
    ["a program of the project is given no file", "bin/a serve"],
    ["npx starts another version", "npx -p typescript@5.3 -y -- tsc -p ."],
    ["a script needs a variable of CI's machine", "./test.sh"],
  ])("but none where %s", (_, run) => {
    const tree = {"composer.json": {bin: ["bin/a"]}, "bin/a": "", "test.sh": "sbt -java-home $JAVA_HOME_11_X64 test\n"};
    expect(stages({...tree, ...workflow(steps(`run: ${run}`))})).toEqual([]);
  });
});

it("tests with hatch where CI does, and runs each check of a matrix once", () => {
  const tree = {
    "hatch.toml": '[envs.hatch-test]\nextra-dependencies = ["x"]\n[envs.types.scripts]\ncheck = "mypy src"\n',
    "pyproject.toml": "[tool.pytest]\n",
    "tests/test_a.py": "",
    ...workflow(
      `  a:\n    strategy: {matrix: {py: ['3.11', '3.12']}}\n    steps:\n      - run: 'hatch test --python \${{ matrix.py }}'\n      - run: 'hatch run +py=\${{ matrix.py }} types:check'\n`,
    ),
  };
  expect(stages(tree)).toEqual(["typecheck: hatch run +py=3.12 types:check", "test: hatch test --python 3.12"]);
});

describe("selection", () => {
  it("prefers the script that CI starts, and keeps two type checkers that it starts", () => {
    const scripts = {
      "test:all": "npm run test:ci && npm run e2e",
      "test:ci": "vitest --run",
      e2e: "cypress run",
      "test:types": "tstyche",
      "lint:types": "tsc --noEmit",
    };
    const tree = {
      ...node(scripts),
      ...workflow(steps("run: npm run test:ci", "run: npm run test:types", "run: npm run lint:types")),
    };
    expect(stages(tree)).toEqual([
      "typecheck: npm run test:types",
      "typecheck-2: npm run lint:types",
      "test: npm run test:ci",
    ]);
  });

  it("leaves out a list of checks and a test task that CI does not start", () => {
    const tree = {
      Makefile: "test:\n\tsh notify.sh\nci:\n\truff check\n\tpytest\n\t./other\n",
      "pyproject.toml": "[tool.ruff]\n[tool.pytest.ini_options]\n",
      "tests/test_a.py": "",
      ...workflow(steps("run: pytest", "run: ruff check .")),
    };
    expect(stages(tree)).toEqual(["lint: ruff check .", "test: pytest", "check: make ci"]);
    expect(notes(tree)).toContain("Makefile test: `make test` skipped: CI runs `pytest`");
  });
});

it("accounts for commands as they are: conditions, variables, verbose runs, members of a workspace, pub", () => {
  const tree = {
    "package.json": {workspaces: ["p/*"], scripts: {test: "mocha"}, devDependencies: {mocha: "*"}},
    "package-lock.json": "",
    "all.sh": "for dir in a b; do npm test $dir; done\n",
    "p/a/package.json": {scripts: {"test:dts": "tsc -p ./test-dts/tsconfig.json"}},
    ...workflow(
      steps(
        'run: "if [[ $A == 1 ]]; then\\n  npm test\\nfi"',
        "run: npm test",
        "run: INTEGRATION=1 npm test",
        "run: CI=1 npm test",
        "run: yarn",
        "run: dart pub global activate coverage",
        "run: npm run test:dts -ws",
        "run: ./all.sh",
        "uses: acme/cache-action@v1",
      ),
    ),
  };
  const entries = (planOf(tree).ci ?? []).map(
    ({command, outcome}) => `${command}: ${outcome.kind === "listed" ? outcome.role : outcome.kind}`,
  );
  expect(entries).toEqual([
    "npm test: stage",
    "INTEGRATION=1 npm test: stage",
    "CI=1 npm test: stage",
    "yarn: covered",
    "dart pub global activate coverage: setup",
    "npm run test:dts -ws: stage",
    "./all.sh: stage",
  ]);
});
