/** Go modules. */
import {expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const MODULE = {"go.mod": "module a\n", "a.go": "package a\n"};

test("a module with tests and a configured linter", () => {
  const tree = {...MODULE, "go.sum": "", "a_test.go": "package a\n", ".golangci.yml": "version: 2\n"};
  expect(stagesOf(tree)).toEqual([
    "typecheck: go vet ./...",
    "lint: golangci-lint run",
    "test: go test ./...",
    "build: go build ./...",
  ]);
  expect(setupOf(tree)).toEqual([".: go mod download"]);
});

test("no test files, no test; vendored modules are there already", () => {
  const tree = {...MODULE, "go.sum": "", "vendor/modules.txt": ""};
  expect(stagesOf(tree)).toEqual(["typecheck: go vet ./...", "build: go build ./..."]);
  expect(setupOf(tree)).toEqual([]);
});

test("a linter's config that it does not find by itself is named to it", () => {
  expect(stagesOf({...MODULE, "golangci.toml": ""})).toContain("lint: golangci-lint run -c golangci.toml");
});

test.each([
  ["version 1 in YAML", ".golangci.yml", "linters: {enable: [errcheck]}\n", ""],
  ["version 1 in TOML", ".golangci.toml", "[linters]\n", ""],
  ["version 2 in YAML", ".golangci.yaml", 'version: "2"\n', "/v2"],
  ["version 2 in TOML", ".golangci.toml", 'version = "2"\n', "/v2"],
  ["version 2 in JSON", ".golangci.json", '{"version": "2"}', "/v2"],
])("the hint for a missing linter installs the version of its settings: %s", (_, file, text, path) => {
  const {stages} = planOf({...MODULE, [file]: text});
  const hints = stages.flatMap(({tools}) => tools).filter(({name}) => name === "golangci-lint");
  expect(hints.map(({hint}) => hint)).toEqual([
    expect.stringContaining(`\`go install github.com/golangci/golangci-lint${path}/cmd/golangci-lint@latest\``),
  ]);
});

test("each module by itself; those that pin tools, hold test data or begin with `_` are none", () => {
  const plan = planOf({
    ...MODULE,
    "sub/go.mod": "module b\n",
    "sub/b_test.go": "package b\n",
    "tools/go.mod": "module t\n",
    "tools/tools.go": "package t\n",
    "testdata/x/go.mod": "module x\n",
    "testdata/x/x.go": "package x\n",
    "_tools/go.mod": "module y\n",
    "_tools/y.go": "package y\n",
  });
  expect(plan.stages.map((stage) => `${stage.cwd} ${stage.kind}`)).toEqual([
    ". typecheck",
    "sub typecheck",
    "sub test",
    ". build",
    "sub build",
  ]);
});

test("vet is required where CI runs it, and without CI", () => {
  const vet = (run: string) => {
    const ci = {".github/workflows/a.yml": `on: push\njobs:\n  a:\n    steps:\n      - run: ${run}\n`};
    const {stages} = planOf({"go.mod": "module a\n", "a.go": "", "a_test.go": "", ...(run === "" ? {} : ci)});
    return stages.find(({command}) => command === "go vet ./...")?.optional;
  };
  const mayRunVet = [
    "",
    "go test ./... && go vet ./...",
    "make test",
    "golangci-lint run && go test ./...",
    "go build ./... && ./ci/check.sh",
    "go test ./... && ./check",
  ];
  expect(mayRunVet.map(vet)).toEqual(mayRunVet.map((run) => !/^$|vet/.test(run)));
  expect(["go test -race ./...", "go test -race ./cmd/..."].map(vet)).toEqual([true, true]);
});

test("Assay's own workflow is no CI: the plan is the same with and without it", () => {
  const own = {
    ".github/workflows/assay.yml":
      "on:\n  issue_comment:\n    types: [created]\njobs:\n  assay:\n    uses: assay-run/assay/.github/workflows/separated.yml@main\n",
  };
  const ci = {
    ".github/workflows/ci.yml": "on: [push, pull_request]\njobs:\n  a:\n    steps:\n      - run: go test ./...\n",
  };
  const mixed = {".github/workflows/assay.yml": own[".github/workflows/assay.yml"].replace("on:\n", "on:\n  push:\n")};
  const isVetOptional = (tree: Readonly<Record<string, string>>) =>
    planOf({...MODULE, ...tree}).stages.find(({kind}) => kind === "typecheck")?.optional;
  expect([isVetOptional(ci), isVetOptional({...ci, ...own}), isVetOptional({...ci, ...mixed})]).toEqual([
    true,
    true,
    true,
  ]);
  const tree = {"package.json": '{"scripts": {"test": "vitest"}}', "biome.json": "{}", "eslint.config.js": ""};
  expect(stagesOf({...tree, ...own})).toEqual(stagesOf(tree));
});
