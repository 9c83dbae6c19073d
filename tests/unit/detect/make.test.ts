/** Which targets of a makefile are checks, and how make is started. */
import {expect, it} from "vitest";
import {planOf} from "./tree.ts";

const commands = (text: string) => planOf({Makefile: text}).stages.map((stage) => `${stage.kind}: ${stage.command}`);

it.each<[string, string, string[]]>([
  [
    "known targets with what they run",
    "PY := python3\ntest: deps\n\t@$(PY) -m pytest\nlint:\n\truff check .\ndeps:\n\techo deps\n",
    ["lint: make lint", "test: make test"],
  ],
  ["only packaging", "all: build-deb\nbuild-deb:\n\tdpkg-buildpackage\ninstall:\n\tcp x /usr/bin\n", []],
  ["a target that installs first", "test: install\n\tgo test ./...\ninstall:\n\tgo get ./...\n", []],
  ["a target that writes", "fmt:\n\tgofmt -w .\nlint:\n\teslint --fix .\n", []],
  ["a check called fmt", "fmt:\n\ttest -z $(shell gofmt -l .) || (gofmt -d .; exit 1)\n", ["lint: make fmt"]],
  ["a target that starts another make", "test:\n\t$(MAKE) unit\nunit:\n\tctest\n", ["test: make test"]],
  ["a check that gathers nothing", "check:\n", []],
  [
    "an all-in-one whose parts are there",
    "check: lint test\nlint:\n\truff check\ntest:\n\tpytest\n",
    ["lint: make lint", "test: make test"],
  ],
  ["a cycle", "test: check\n\tpytest\ncheck: test\n\ttrue\n", ["test: make test"]],
  ["services", "test:\n\tdocker compose up -d\n\tpytest\n", []],
  ["special and pattern targets", ".PHONY: test\n%.o: %.c\n\tcc $<\ntest: ; ctest\n", ["test: make test"]],
  ["windows line ends and continued lines", "test:\r\n\tpytest \\\r\n\t  -q\r\n", ["test: make test"]],
])("%s", (_, text, expected) => expect(commands(text)).toEqual(expected));

it("starts make only at the root, or beside a project", () => {
  expect(planOf({"docs/Makefile": "test:\n\tpytest\n"}).stages).toEqual([]);
  expect(
    planOf({"api/package.json": {}, "api/Makefile": "test:\n\tpytest\n"}).stages.map((stage) => stage.name),
  ).toEqual(["api:test"]);
});

it("sees through the pattern rules by which one target goes through many folders", () => {
  const text = (recipe: string) =>
    `GO = go\nlint: tidy run\ntidy: $(MODULES:%=tidy/%)\ntidy/%: DIR=$*\ntidy/%:\n\t@${recipe}\nrun:\n\tgolangci-lint run\n`;
  expect(commands(text("cd $(DIR) && $(GO) mod tidy"))).toEqual([]);
  expect(commands(text("cd $(DIR) && $(GO) vet ./..."))).toEqual(["lint: make lint"]);
});

it("takes the first of several names for the tests, and one with a report last", () => {
  expect(commands("unit:\n\tpytest unit\ntest:\n\tpytest\n")).toEqual(["test: make unit"]);
  expect(commands("test-coverage:\n\tpytest --cov\ntest:\n\tpytest\n")).toEqual(["test: make test"]);
});

it.each<[string, Record<string, string>, string[]]>([
  [
    "installs through its own script",
    {Makefile: "vet: deps\n\t./vet.sh\ndeps:\n\t./vet.sh -install\n", "vet.sh": "#!/bin/sh\ngo vet ./...\n"},
    [],
  ],
  [
    "overwrites a file of the tree",
    {Makefile: "build:\n\techo x > a/channel.py\n\tpython -m build\n", "a/channel.py": ""},
    [],
  ],
  [
    "removes a file of the tree",
    {Makefile: "test: clean\n\tgo test ./...\nclean:\n\trm -f a.y.go\n", "a.y.go": ""},
    [],
  ],
  ["writes what is not in the tree", {Makefile: "test:\n\tgo test ./... > report.txt\n"}, ["test: make test"]],
  ["builds documentation", {Makefile: "build: docs\n\tpoetry build\ndocs:\n\tpoetry run mkdocs build\n"}, []],
  ["starts a virtual environment of its own", {Makefile: "V = venv\ntest:\n\t$(V)/bin/python -m pytest\n"}, []],
])("a target that %s", (_, tree, expected) => {
  expect(planOf(tree).stages.map((stage) => `${stage.kind}: ${stage.command}`)).toEqual(expected);
});

it("reads the makefiles that one includes, and chains of targets", () => {
  const included = {
    "a_test.go": "",
    "go.mod": "module a\n",
    Makefile: "include common.mk\ntest: common-test\n",
    "common.mk": "common-test:\n\tgo test ./...\n",
  };
  const tests = (tree: Record<string, string>) =>
    planOf(tree)
      .stages.filter(({kind}) => kind === "test")
      .map(({command}) => command);
  expect(tests(included)).toEqual(["make test"]);
  // What is only in the included file is there for whoever wants it.
  expect(tests({...included, Makefile: "include common.mk\n", "common.mk": "test:\n\tgo test ./b\n"})).toEqual([
    "go test ./...",
  ]);
  expect(
    tests({
      "a_test.go": "",
      "go.mod": "module a\n",
      Makefile: "test:\n\tgo clean -testcache && $(MAKE) a && $(MAKE) b\na:\n\tgo test .\nb:\n\tgo test ./b\n",
    }),
  ).toEqual(["make test"]);
});

it("sees the tools behind messages and loops of make, so that no tool runs twice", () => {
  const tree = {
    "a_test.go": "",
    "go.mod": "module a\n",
    ".golangci.yml": "",
    Makefile: [
      "lint:",
      "\t$(info *** running (all) linters ***)",
      "\tgolangci-lint run -v",
      "test:",
      "\t@$(foreach dir,$(filter-out x,$(MODULES)),(cd $(dir) && go test -race ./...) &&) true",
      "",
    ].join("\n"),
    ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: make lint\n      - run: make test\n",
  };
  const {stages, notes} = planOf(tree);
  expect(stages.map(({name, command}) => `${name}: ${command}`)).toEqual([
    "typecheck: go vet ./...",
    "lint: make lint",
    "test: make test",
    "build: go build ./...",
  ]);
  expect(notes.map(({text}) => text)).toContain("`golangci-lint run` skipped: CI runs `make lint`");
});
