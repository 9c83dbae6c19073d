/** What a maintainer would run, where scripts and targets leave a choice. */
import {describe, expect, it} from "vitest";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;

/** `kind: command` of each stage, with the folder where it is not the root. */
const stages = (tree: Tree) =>
  planOf(tree).stages.map((stage) => `${stage.kind}: ${stage.command}${stage.cwd === "." ? "" : ` @${stage.cwd}`}`);
const scripts = (entries: Record<string, string>, more: object = {}): Tree => ({
  "package.json": {scripts: entries, ...more},
});
const ci = (...runs: string[]): Tree => ({
  ".github/workflows/ci.yml": JSON.stringify({
    on: "push",
    jobs: {ci: {"runs-on": "ubuntu-latest", steps: runs.map((run) => ({run}))}},
  }),
});

describe("what a maintainer would run, from what the scripts do", () => {
  it.each<[string, Tree, string[]]>([
    [
      "an orchestrated script stays one, however many it depends on",
      scripts(
        {test: "wireit", "test:a": "wireit", "test:b": "wireit", build: "wireit", "test:watch": "wireit"},
        {
          wireit: {
            test: {dependencies: ["test:a", "test:b"]},
            "test:a": {command: "uvu a"},
            "test:b": {command: "uvu b"},
            "test:watch": {command: "nodemon uvu"},
            build: {command: "tsc"},
          },
        },
      ),
      ["test: npm run test", "build: npm run build"],
    ],
    [
      "CI chooses another script than the composite, and the part of that goes",
      {
        ...scripts({test: "npm run lint && mocha", lint: "eslint .", "test:ci": "nyc mocha -R dot"}),
        ...ci("npm run lint", "npm run test:ci"),
      },
      ["lint: npm run lint", "test: npm run test:ci"],
    ],
    [
      "CI chooses a script that watches at a terminal",
      {...scripts({test: "vitest", "test-unit": "vitest --project unit"}), ...ci("npm run test-unit")},
      ["test: vitest run --project unit"],
    ],
    ["a formatter that only looks", scripts({lint: "eslint .", format: "prettier --check ."}), ["lint: npm run lint"]],
    ["a formatter that writes, or prints", scripts({format: "prettier --write .", prettier: "prettier **/*.md"}), []],
    ["a compiler under a name that tells nothing is a build", scripts({dts: "tsc -p dts"}), []],
    ["what stays in the background", scripts({lint: "eslint a & eslint b", test: "mocha"}), ["test: npm run test"]],
    [
      "CI asks for all at once, and that holds more than the parts",
      {...scripts({check: "node all.js", test: "mocha"}), ...ci("npm run check", "npm test")},
      ["test: npm test", "check: npm run check"],
    ],
    [
      "CI asks for all at once, and the parts are that",
      {...scripts({check: "npm run lint && npm test", lint: "eslint .", test: "mocha"}), ...ci("npm run check")},
      ["check: npm run check"],
    ],
    [
      "all at once, and CI does not ask for it",
      {...scripts({check: "node all.js", test: "mocha"}), ...ci("npm test")},
      ["test: npm test", "check: npm run check"],
    ],
    [
      "unit tests and those in a browser in one script",
      scripts({
        test: "vitest run && vitest run -c vitest.config.e2e.ts",
        "test:unit": "vitest run --exclude '**/e2e/**'",
      }),
      ["test: npm run test:unit"],
    ],
    [
      "tests in a browser, and what leaves them out",
      scripts({test: "jest -c jest.e2e.config.js", "test:unit": "jest --testPathIgnorePatterns e2e"}),
      ["test: npm run test:unit"],
    ],
    [
      "a script of another package under the same name",
      scripts({test: "npm run test -w core", lint: "pnpm --filter core lint"}),
      ["lint: npm run lint", "test: npm run test"],
    ],
    [
      "what a manager does itself is no circle",
      {...scripts({build: "bun build ./a.ts"}), "bun.lock": ""},
      ["build: bun run build"],
    ],
    [
      "names about a server or a page, and what they check",
      scripts({test: "playwright test", "test:run": "mocha", "lint:ui": "x"}),
      ["test: npm run test:run"],
    ],
  ])("%s", (_, tree, wanted) => expect(stages(tree)).toEqual(wanted));
});

describe("C with nothing but a makefile", () => {
  it.each<[string, Tree, string[]]>([
    ["a goal of its own", {Makefile: "all: a\na:\n\tcc a.c\n", "a.c": ""}, []],
    ["the first target", {Makefile: "a:\n\tcc a.c\ntest: a\n\t./a\n", "src/a.c": ""}, ["test: make test"]],
    [
      "goals of another makefile, and tests of a script that CI starts",
      {
        Makefile: "default: all\n.DEFAULT:\n\tcd src && $(MAKE) $@\n",
        "src/a.c": "",
        runtest: "#!/bin/sh\ntclsh x",
        ...ci("make", "./runtest --verbose"),
      },
      ["test: ./runtest --verbose", "build: make"],
    ],
    ["a goal that only talks", {Makefile: "all:\n\t@echo run configure first\n", "a.c": ""}, []],
    ["a goal that installs", {Makefile: "all:\n\tsudo make install\n", "a.c": ""}, []],
    ["no sources", {Makefile: "all: a\na:\n\tcc a.c\n", "README.md": ""}, []],
    ["a language that builds itself", {Makefile: "all:\n\tcargo build\n", "src/a.c": "", "setup.py": ""}, []],
  ])("%s", (_, tree, wanted) => expect(stages(tree)).toEqual(wanted));
});

describe("nothing runs twice", () => {
  const GO = {"go.mod": "module x\n", "x.go": "package x\n", "x_test.go": "package x\n"};
  it.each<[string, Tree, string[]]>([
    [
      "a target with a loop around the tool",
      {...GO, Makefile: "test:\n\tfor d in a b; do \\\n\t  go test $$d; \\\n\tdone\n"},
      ["test: make test"],
    ],
    [
      "a target that starts a script of the tree",
      {...GO, Makefile: "unit:\n\tMODE=unit hack/test.sh\n", "hack/test.sh": "#!/bin/sh\nset -e\ngo test ./...\n"},
      ["test: make unit"],
    ],
    [
      "CI starts the tool itself, not the target",
      {...GO, Makefile: "test:\n\tgo test ./...\n", ...ci("go test -race ./...")},
      ["test: go test -race ./..."],
    ],
    [
      "a script that starts a target, and the target that CI starts",
      {...scripts({test: "make test"}), Makefile: "test:\n\tnode all.mjs\n", ...ci("make test")},
      ["test: make test"],
    ],
    ["CI starts the target", {...GO, Makefile: "test:\n\tgo test ./...\n", ...ci("make test")}, ["test: make test"]],
    [
      "a test config whose tool is not declared",
      {"composer.json": {}, "phpunit.xml.dist": "<phpunit/>"},
      ["test: phpunit"],
    ],
    [
      "a test config of a tool that another starts",
      {"composer.json": {"require-dev": {"symfony/phpunit-bridge": "1"}}, "phpunit.xml.dist": "<phpunit/>"},
      ["test: simple-phpunit"],
    ],
    [
      "a target whose script does something else",
      {...GO, Makefile: "unit:\n\thack/test.sh\n", "hack/test.sh": "#!/bin/sh\npytest\n"},
      ["test: go test ./...", "test: make unit"],
    ],
    [
      "a target that installs on the way, and the tool",
      {...GO, Makefile: "test:\n\tif true; then go get x; fi\n\tgo test ./...\n"},
      ["test: go test ./..."],
    ],
    [
      "a command that is another tool's way to start",
      {
        "composer.json": {
          scripts: {test: ["@php artisan config:clear", "@php artisan test"]},
          "require-dev": {"phpunit/phpunit": "1"},
        },
        "phpunit.xml": "<phpunit/>",
      },
      ["test: composer run-script test"],
    ],
  ])("%s", (_, tree, wanted) => expect(stages(tree).filter((stage) => stage.startsWith("test"))).toEqual(wanted));
});

it("keeps a task whose check stands behind a command that prints", () => {
  const justfile = "test:\n    just lint\n    echo tests && pytest -q\nlint:\n    ruff check .\n";
  expect(stages({justfile})).toEqual(["lint: ruff check .", "test: just test"]);
});
