/** What CI does before its checks: builds and generators become set-up steps; servers and containers make tests optional. */
import {expect, it} from "vitest";
import {notes, stages, steps, workflow} from "./placed.ts";
import {setupOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;

const npmCi = ".: npm ci --ignore-scripts --no-audit --no-fund";
/** A workspace whose package `b` imports the build of `a`. */
const workspace = (main = "dist/index.js", scripts: object = {}): Tree => ({
  "package.json": {workspaces: ["packages/*"], scripts},
  "package-lock.json": "",
  "packages/a/package.json": {name: "a", main, scripts: {compile: "tsc"}},
  "packages/a/index.ts": "",
  "packages/b/package.json": {name: "b", dependencies: {a: "*"}, scripts: {compile: "tsc", test: "mocha"}},
});

it.each<[string, Tree, string[]]>([
  [
    "builds the packages that the tests after it import",
    {
      ...workspace(),
      ...workflow(
        steps(
          "run: npm run compile --workspace=a",
          "run: npm run compile --workspace=a --workspace=b",
          "run: npm run compile --workspace=b",
          "run: npm test --workspace=b",
        ),
      ),
    },
    [
      ".: npm run compile --workspace=a",
      ".: npm run compile --workspace=a --workspace=b",
      ".: npm run compile --workspace=b",
    ],
  ],
  [
    "no entry is built",
    {...workspace("index.ts"), ...workflow(steps("run: npm run compile -w a", "run: npm test -w b"))},
    [],
  ],
  ["no test follows", {...workspace(), ...workflow(steps("run: npm test -w b", "run: npm run compile -w a"))}, []],
  [
    "the tests' runner builds first",
    {
      ...workspace("dist/index.js", {test: "turbo run test"}),
      ...workflow(steps("run: npm run compile -w a", "run: npm test")),
    },
    [],
  ],
  [
    "generates code by a script of that name, unless CI compares its output",
    {
      "package.json": {
        scripts: {codegen: "node gen.js", "gen:b": "node b.js", test: "mocha"},
        devDependencies: {mocha: "*"},
      },
      "package-lock.json": "",
      ...workflow(
        `${steps("run: npm run codegen", "run: npm test")}  other:\n    steps:\n      - run: npm run gen:b && git diff --exit-code\n      - run: npm test\n`,
      ),
    },
    [".: npm run codegen"],
  ],
])("%s", (_, tree, expected) => expect(setupOf(tree).filter((line) => line !== npmCi)).toEqual(expected));

it("runs go generate only if each directive starts a program of the module", () => {
  const tree = (directive: string): Tree => ({
    "go.mod": "module a\n",
    "a.go": `//go:generate ${directive}\npackage a\n`,
    ...workflow(steps("run: go generate ./...", "run: go test ./...")),
  });
  expect(setupOf(tree("go run ./gen"))).toContain(".: go generate ./...");
  expect(setupOf(tree("mockgen -source=a.go"))).not.toContain(".: go generate ./...");
});

it("installs the packages of a folder in which only CI starts checks", () => {
  const tree = {
    "composer.json": {"require-dev": {"phpunit/phpunit": "*"}},
    "phpunit.xml": "",
    "qa/psalm/composer.json": {require: {}},
    ...workflow(steps("run: vendor/bin/phpunit", "run: cd qa/psalm && php vendor/bin/psalm")),
  };
  expect(setupOf(tree)).toHaveLength(2);
  expect(stages(tree)).toContain("qa/psalm:typecheck: php vendor/bin/psalm @qa/psalm");
});

it("starts no tool that only a step of CI adds to the packages", () => {
  const added = steps("run: composer require --dev phpstan/phpstan:^2", "run: php vendor/bin/phpstan analyse");
  expect(stages({"composer.json": {}, ...workflow(added)})).toEqual([]);
});

it.each(["run: docker pull postgres:14", "uses: ikalnytskyi/action-setup-postgres@v8"])(
  "makes tests optional after `%s`, in the folders that CI's script enters too",
  (prepares) => {
    const tree = {
      "go.mod": "module a\n",
      "a_test.go": "package a\n",
      "b/go.mod": "module b\n",
      "b/b_test.go": "package b\n",
      "test.sh": "#!/bin/sh\ngo test ./...\n( cd b ; go test ./... )\n",
      ...workflow(steps(prepares, "run: go vet ./... && cd b && go vet ./...", "run: ./test.sh")),
    };
    const tests = planOf(tree).stages.filter(({kind}) => kind === "test");
    expect(tests.map(({cwd, optional}) => `${cwd} ${optional}`)).toEqual([". true", "b true"]);
    expect(stages(tree)).toContain("typecheck: go vet ./...");
  },
);

it("reports no command as skipped that a stage runs, and no called workflow as left out", () => {
  const tree = {
    "Cargo.toml": '[package]\nname = "a"\n',
    "src/lib.rs": "",
    ".github/workflows/tests.yml": "on: workflow_call\njobs:\n  a:\n    steps:\n      - run: cargo test\n",
    ...workflow(`  nightly:\n    steps:\n      - run: cargo test\n  b:\n    uses: ./.github/workflows/tests.yml\n`),
  };
  expect(stages(tree)).toContain("test: cargo test");
  expect(notes(tree)).toEqual([]);
});
