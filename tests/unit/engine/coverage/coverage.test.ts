/** Which stages read a changed path, by how their tools work and by the boundaries of the projects. */
import {describe, expect, it} from "vitest";
import {attribute, type Tree} from "./attribute.ts";

const GO: Tree = {
  "go.mod": "module example.org/a\n\ngo 1.24\n",
  "a.go": "package a\n",
  "testdata/in.txt": "x\n",
  "tools/run.py": "print()\n",
  "examples/b/go.mod": "module example.org/b\n\ngo 1.24\n",
  "examples/b/b.go": "package b\n",
  "_old/c.go": "package c\n",
};
const GO_COMMANDS = ["go vet ./...", "go test ./...", "go build ./..."];
const MAKEFILE =
  "test: vet\n\tgo test ./...\nvet:\n\tgo vet ./...\npart:\n\tgo test ./a/...\nown:\n\t$(GO) test ./a/...\n";
const GO_PARTS: Tree = {
  "go.mod": "module example.org/a\n\ngo 1.24\n",
  "a/a.go": "package a\n",
  "b/b.go": "package b\n",
  "test.sh": "set -e\ngo test ./a/...\n",
  Makefile: MAKEFILE,
};
const CRATES: Tree = {
  "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/left"]\n',
  "crates/a/Cargo.toml": '[package]\nname = "a"\n[dependencies]\nshared = {path = "../../shared"}\n',
  "crates/a/src/lib.rs": "",
  "crates/left/Cargo.toml": '[package]\nname = "left"\n',
  "crates/left/src/lib.rs": "",
  "shared/Cargo.toml": '[package]\nname = "shared"\n',
  "shared/src/lib.rs": "",
  "fuzz/Cargo.toml": '[package]\nname = "fuzz"\n[workspace]\n',
  "fuzz/fuzz_targets/a.rs": "",
  "site/package.json": {name: "site"},
  "site/index.js": "",
};
const NODE: Tree = {
  "package.json": {name: "root", scripts: {test: "vitest run", lint: "eslint .", all: "npm test && ./ci.sh"}},
  "src/a.ts": "",
  "examples/app/package.json": {name: "app"},
  "examples/app/main.ts": "",
  "plugins/tested/package.json": {name: "tested"},
  "plugins/tested/a.ts": "",
  "plugins/tested/a.test.ts": "",
  "test/run.test.ts": "",
  "test/fixtures/x/package.json": {name: "fixture"},
  "test/fixtures/x/index.js": "",
};
const MONOREPO: Tree = {
  "package.json": {name: "root", workspaces: ["packages/*"]},
  "scripts/release.js": "",
  "packages/a/package.json": {name: "a", scripts: {test: "jest"}, dependencies: {b: "*"}},
  "packages/a/a.js": "",
  "packages/b/package.json": {name: "b"},
  "packages/b/b.js": "",
  "packages/c/package.json": {name: "c"},
  "packages/c/c.js": "",
};
const TWO_MEMBERS: Tree = {
  ...MONOREPO,
  "package.json": {name: "root", workspaces: ["packages/*"], scripts: {ci: "npm run test --workspace=a"}},
  "packages/d/package.json": {name: "d", scripts: {test: "jest"}},
  "packages/d/d.js": "",
};
const PYTHON: Tree = {
  "pyproject.toml":
    '[project]\nname = "a"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n[tool.ruff]\nextend-exclude = ["gen"]\n',
  "src/a/__init__.py": "",
  "tests/test_a.py": "",
  "other/test_b.py": "",
  "other/helper.py": "",
  "examples/b/pyproject.toml": '[project]\nname = "b"\n',
  "examples/b/b.py": "",
  "examples/b/tests/test_b.py": "",
  "web/package.json": {name: "web"},
  "web/main.ts": "",
  "gen/x.py": "",
};
const MAVEN: Tree = {
  "pom.xml": "<project><modules><module>core</module></modules></project>",
  "core/pom.xml": "<project></project>",
  "core/src/main/java/A.java": "",
  "extra/pom.xml": "<project></project>",
  "extra/src/main/java/B.java": "",
};

describe("a source file in a project that no stage takes in", () => {
  it.each<[string, Tree, string[], string, string]>([
    ["a nested Go module", GO, GO_COMMANDS, "examples/b/b.go", "examples/b"],
    [
      "a module that comes with the change",
      {...GO, "new/go.mod": "module n\n", "new/n.go": ""},
      GO_COMMANDS,
      "new/n.go",
      "new",
    ],
    ["an excluded crate", CRATES, ["cargo test --workspace"], "crates/left/src/lib.rs", "crates/left"],
    [
      "a crate with a workspace of its own",
      CRATES,
      ["cargo check --workspace --all-targets"],
      "fuzz/fuzz_targets/a.rs",
      "fuzz",
    ],
    ["a site beside crates", CRATES, ["cargo test --workspace"], "site/index.js", "site"],
    ["a nested Go module by make", {...GO, Makefile: MAKEFILE}, ["make test"], "examples/b/b.go", "examples/b"],
    ["a package that the makefile leaves out", GO_PARTS, ["make part"], "b/b.go", "."],
    ["the same by a shell file", GO_PARTS, ["bash test.sh"], "b/b.go", "."],
    ["a package that is no member", NODE, ["npm test"], "examples/app/main.ts", "examples/app"],
    [
      "a member without the script",
      MONOREPO,
      ["npm run test --workspaces --if-present"],
      "packages/c/c.js",
      "packages/c",
    ],
    ["a member that npm does not choose", TWO_MEMBERS, ["npm test -w packages/a"], "packages/d/d.js", "packages/d"],
    ["the same by the script of the root", TWO_MEMBERS, ["npm run ci"], "packages/d/d.js", "packages/d"],
    ["a member that pnpm does not choose", TWO_MEMBERS, ["pnpm --filter a test"], "packages/d/d.js", "packages/d"],
    ["a member that yarn does not choose", TWO_MEMBERS, ["yarn workspace a test"], "packages/d/d.js", "packages/d"],
    [
      "a member that turbo does not choose",
      TWO_MEMBERS,
      ["turbo run test --filter=a"],
      "packages/d/d.js",
      "packages/d",
    ],
    ["the same through turbo", MONOREPO, ["turbo run test"], "packages/c/c.js", "packages/c"],
    ["a Python project outside of testpaths", PYTHON, ["pytest"], "examples/b/b.py", "examples/b"],
    ["a front end beside Python", PYTHON, ["pytest"], "web/main.ts", "web"],
    ["a pom that is no module", MAVEN, ["./mvnw -B -ntp test"], "extra/src/main/java/B.java", "extra"],
    ["a stage that reads nothing", NODE, ["echo ok"], "src/a.ts", "."],
    ["a stage that works elsewhere", NODE, ["cd examples/app && ./check.sh"], "src/a.ts", "."],
  ])("%s", (_name, tree, commands, path, project) => {
    expect(attribute(tree, commands, path)).toEqual({path, stages: [], takenIn: [], project});
  });
});

describe("a test file outside the folders of its runner", () => {
  it.each<[Tree, string, string, string[]]>([
    [PYTHON, "pytest", "other/test_b.py", []],
    [PYTHON, "pytest", "other/helper.py", ["0"]],
    [PYTHON, "pytest", "tests/test_a.py", ["0"]],
    [PYTHON, "pytest other", "other/test_b.py", ["0"]],
    [PYTHON, "pytest other/test_b.py", "other/test_b.py", ["0"]],
    [NODE, "vitest run src", "test/run.test.ts", []],
    [NODE, "vitest run", "test/run.test.ts", ["0"]],
    [NODE, "mocha --require src/a.ts", "test/run.test.ts", ["0"]],
    [NODE, "npx tsc --noEmit", "test/run.test.ts", ["0"]],
  ])("row %#", (tree, command, path, stages) => {
    expect(attribute(tree, [command], path)).toMatchObject({stages, takenIn: ["0"]});
  });
});

describe("a path that a stage reads", () => {
  it.each<[string, Tree, string[], string, string[]]>([
    ["a module's own file", GO, GO_COMMANDS, "a.go", ["0", "1", "2"]],
    ["data of Go tests", GO, ["go vet ./...", "go test ./..."], "testdata/in.txt", ["1"]],
    [
      "a replaced module",
      {...GO, "go.mod": "module a\nreplace example.org/b => ./examples/b\n"},
      ["go test ./..."],
      "examples/b/b.go",
      ["0"],
    ],
    ["a nested module by a stage of its own", GO, ["cd examples/b && go test ./..."], "examples/b/b.go", ["0"]],
    ["a package by make", GO_PARTS, ["make test"], "b/b.go", ["0"]],
    ["anything by a recipe with a program of its own", GO_PARTS, ["make own"], "b/b.go", ["0"]],
    ["a nested module by make", GO, ["make test"], "examples/b/b.go", ["0"]],
    ["a member crate", CRATES, ["cargo test --workspace"], "crates/a/src/lib.rs", ["0"]],
    ["a crate that a member names by its path", CRATES, ["cargo test --workspace"], "shared/src/lib.rs", ["0"]],
    ["a benchmark", CRATES, ["cargo check --workspace --all-targets"], "crates/a/benches/b.rs", ["0"]],
    ["a package by its tests", NODE, ["npm test"], "src/a.ts", ["0"]],
    ["an example by the linter", NODE, ["npm test", "npm run lint"], "examples/app/main.ts", ["1"]],
    ["a nested package with tests", NODE, ["npm test"], "plugins/tested/a.ts", ["0"]],
    ["a fixture of tests", NODE, ["npm test"], "test/fixtures/x/index.js", ["0"]],
    ["anything by a line with an unknown part", NODE, ["npm run all"], "examples/app/main.ts", ["0"]],
    ["anything by an unknown command", NODE, ["./ci.sh"], "examples/app/main.ts", ["0"]],
    [
      "a member that a tested one needs",
      MONOREPO,
      ["npm run test --workspaces --if-present"],
      "packages/b/b.js",
      ["0"],
    ],
    ["a member that is chosen", TWO_MEMBERS, ["npm -w ./packages/d test"], "packages/d/d.js", ["0"]],
    ["one of two members that are chosen", TWO_MEMBERS, ["pnpm -F a --filter=d run test"], "packages/d/d.js", ["0"]],
    ["a member that a chosen one needs", TWO_MEMBERS, ["npm test -w a"], "packages/b/b.js", ["0"]],
    ["anything by a choice with a pattern", TWO_MEMBERS, ["pnpm --filter 'a...' test"], "packages/d/d.js", ["0"]],
    ["anything by a program in a member", TWO_MEMBERS, ["pnpm --filter a check-it"], "packages/d/d.js", ["0"]],
    ["anything by all members", TWO_MEMBERS, ["pnpm --filter '*' test"], "packages/d/d.js", ["0"]],
    ["a project by its own tests", PYTHON, ["pytest"], "src/a/__init__.py", ["0"]],
    ["an example by ruff", PYTHON, ["pytest", "ruff check ."], "examples/b/b.py", ["1"]],
    ["an example that pytest is pointed at", PYTHON, ["pytest examples"], "examples/b/b.py", ["0"]],
    ["a module of a pom", MAVEN, ["mvn test"], "core/src/main/java/A.java", ["0"]],
  ])("%s", (_name, tree, commands, path, stages) => {
    expect(attribute(tree, commands, path)).toMatchObject({stages});
  });
});

describe("a path that is only listed", () => {
  it.each<[string, Tree, string[], string, string[], string | null]>([
    ["another language in a project that is read", GO, GO_COMMANDS, "tools/run.py", ["0", "1", "2"], "."],
    [
      "a benchmark that no command compiles",
      CRATES,
      ["cargo check --workspace --bins --examples --tests", "cargo test --workspace"],
      "crates/a/benches/b.rs",
      ["0", "1"],
      "crates/a",
    ],
    ["a file that ruff leaves out", PYTHON, ["ruff check src gen"], "gen/x.py", ["0"], "."],
    ["a file of a workspace's root", MONOREPO, ["turbo run test"], "scripts/release.js", [], null],
    ["a data file of a project without stages", NODE, ["vitest run"], "examples/app/data.json", [], null],
  ])("%s", (_name, tree, commands, path, takenIn, project) => {
    expect(attribute({...tree, [path]: ""}, commands, path)).toEqual({path, stages: [], takenIn, project});
  });
});

describe("Go files of other machines", () => {
  const tree: Tree = {
    "go.mod": "module example.org/a\n\ngo 1.24\n",
    ...Object.fromEntries(
      ["a", "a_linux", "a_windows", "a_amd64", "a_arm64", "a_linux_arm64", "windows", "a_windows_test", "x_unix"].map(
        (name) => [`${name}.go`, "package a\n"],
      ),
    ),
    "tagged.go": "// Text.\n\n//go:build integration && !windows\n\npackage a\n",
    "plain.go": "//go:build (linux || darwin) && go1.21 && cgo\n\npackage a\n",
    "ignored.go": "//go:build ignore\n\npackage main\n",
    "unix.go": "//go:build unix\n\npackage a\n",
    "late.go": "package a\n\n//go:build windows\n",
  };
  const readBy = (command: string, path: string) => attribute(tree, [command], path);
  it.each(["a", "a_linux", "a_amd64", "windows", "x_unix", "plain", "unix", "late"])("%s.go is read", (name) => {
    expect(readBy("go test ./...", `${name}.go`)).toMatchObject({stages: ["0"], takenIn: ["0"]});
  });
  it.each(["a_windows", "a_arm64", "a_linux_arm64", "a_windows_test", "tagged", "ignored"])(
    "%s.go is taken in, and not read",
    (name) => {
      expect(readBy("go test ./...", `${name}.go`)).toMatchObject({stages: [], takenIn: ["0"], project: "."});
    },
  );
  it.each([
    ["go test -tags=integration ./...", "tagged.go"],
    ["go test -tags 'a integration' ./...", "tagged.go"],
    ["GOOS=windows go vet ./...", "a_windows.go"],
    ["env GOARCH=arm64 go build ./...", "a_arm64.go"],
    ["make test", "a_windows.go"],
  ])("%s may read %s", (command, path) => {
    expect(readBy(command, path)).toMatchObject({stages: ["0"]});
  });
});
