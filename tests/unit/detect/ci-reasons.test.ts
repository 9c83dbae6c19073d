/** Why a command of CI is no stage: the reason is true for the command itself. */
import {describe, expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {plan} from "../../../src/detect/plan.ts";
import {stages, steps, workflow} from "./placed.ts";
import {planOf, projectOf} from "./tree.ts";

type Tree = Readonly<Record<string, string | object>>;

/** The result of each command, without the command. */
function outcomes(tree: Tree, ...runs: readonly string[]): string[] {
  const {ci = []} = planOf({...tree, ...workflow(steps(...runs.map((run) => `run: ${JSON.stringify(run)}`)))});
  return ci.map(({outcome}) => {
    if (outcome.kind === "stage") return `stage ${outcome.stage}`;
    return outcome.kind === "covered" ? `covered ${outcome.by.join(", ")}` : `${outcome.role}: ${outcome.why}`;
  });
}

const RUST = {"Cargo.toml": '[workspace]\nmembers = ["a"]\n', "a/Cargo.toml": '[package]\nname = "a"\n'};
const NPM = {"package.json": {scripts: {ci: "mocha", test: "mocha"}, devDependencies: {karma: "*"}}};

it("starts a script in all packages once, whichever runner starts it", () => {
  const tree = {
    "package.json": {packageManager: "pnpm@9.0.0", scripts: {test: "turbo run test"}, devDependencies: {turbo: "1"}},
    "pnpm-workspace.yaml": "packages: [a]",
    "turbo.json": {tasks: {test: {}}},
    "a/package.json": {name: "a", scripts: {test: "vitest run"}},
  };
  expect(outcomes(tree, "pnpm turbo run test", "pnpm -r test")).toEqual(["stage test", "stage test-2"]);
});

it("proposes no release, and knows which commands of Go only compare", () => {
  expect(outcomes({"go.mod": "module a"}, "npx pkg-pr-new publish", "go mod tidy", "go mod tidy -diff")).toEqual([
    "check: `pkg-pr-new publish` releases or pushes",
    "setup: it configures what later steps of CI build",
    "stage lint",
  ]);
  const {ci = []} = planOf({...workflow(steps("run: npx pkg-pr-new publish"))});
  expect(ci.map(({outcome}) => outcome)).toMatchObject([{fix: ""}]);
});

describe("the reason for a command that is no stage", () => {
  it.each<[string, Tree, string, string]>([
    [
      "an argument that a command computes",
      {},
      "shellcheck <(deno run a.ts)",
      "check: one of its arguments is the output of another command",
    ],
    ["a value of CI", {}, 'pytest "$SHARD"', "check: it depends on `$SHARD`, whose value only CI knows"],
    [
      "a script that clones",
      {"ci/build-tool.sh": "git clone https://example.org/a\nmake -C a\n"},
      "bash ci/build-tool.sh",
      "check: its script runs `git clone`, which downloads",
    ],
    [
      "a script that reads the history",
      {"ci/build-files.sh": "git log --oneline | head\n"},
      "bash ci/build-files.sh",
      "setup: it prepares the machine of CI",
    ],
    [
      "npx of a declared package in a script: what it needs itself",
      {...NPM, "scripts/test.sh": "npx karma start --single-run\n"},
      "./scripts/test.sh",
      "check: `karma start` needs a browser, an emulator or a desktop",
    ],
    ["corepack, which prepares", {}, "corepack enable pnpm", "setup: it prepares the machine of CI"],
    ["a built archive", {}, "cpanm A-*.tar.gz", "setup: it prepares the machine of CI"],
    ["a version", {}, "perl -v", "setup: it only shows versions or settings"],
    ["a search", {}, "egrep -q Done a.log", "check: `egrep` only reads files, which earlier steps of CI may have made"],
    // prometheus/client_golang and nvm-sh/nvm check files by `make check-crlf` and `npm run test:check-exec`.
    [
      "a script that only searches",
      {"verify-docs.sh": "grep -q '^# A' README.md\n"},
      "bash verify-docs.sh",
      "stage check",
    ],
    [
      "a linter that passes whatever it finds",
      {"go.mod": "module a"},
      "golangci-lint run --issues-exit-code=0",
      "check: its option lets it pass whatever it finds",
    ],
    ["the version of a linter", {".tflint.hcl": ""}, "tflint -v", "setup: it only shows versions or settings"],
    ["a freeze, which writes", {"a.cabal": ""}, "cabal v2-freeze", "check: `cabal v2-freeze` rewrites files"],
    ["another check by cargo hack", RUST, "cargo hack --workspace check-external-types", "stage check"],
    [
      "tests in a folder without a configuration",
      {"CMakeLists.txt": "", "a.c": ""},
      "ctest --output-on-failure -C Release",
      "check: it runs in a folder that an earlier step configures",
    ],
    ["a build without tests", {"pom.xml": "<project/>"}, "mvn clean package -D maven.test.skip=true", "stage build"],
    ["a pipe", {}, "./gen | bash", "check: its output goes to `bash`"],
    ["tox, which only prepares", {"tox.ini": ""}, "tox -e docs --notest", "setup: it prepares the machine of CI"],
    ["documents by tox", {"tox.ini": ""}, "tox -e build-docs", "stage check"],
    ["a target of a Docker build", {}, "docker buildx bake test", "check: `docker buildx` builds or starts containers"],
    [
      "a flake, which is no preparation",
      {},
      "nix-shell --run 'make check'",
      "check: `nix-shell` works in the store of Nix, which downloads what is missing",
    ],
    [
      "a program of the project",
      {},
      "dart run tool/check.dart",
      "check: `dart run` starts a program that Assay does not know",
    ],
    ["code that starts tests", {}, "Rscript -e 'devtools::test()'", "stage test"],
    ["code that builds documents", {}, "julia -e 'using Documenter'", "stage check"],
    ["cargo's former name of an option", RUST, "cargo test --all", "stage test"],
  ])("%s", (_, tree, run, outcome) => {
    expect(outcomes(tree, run)).toEqual([outcome]);
  });

  it("keeps the script `ci` apart from npm's own command of that name", () => {
    const [install = "", script = ""] = outcomes(NPM, "npm ci", "npm run ci");
    expect(install).not.toBe(script);
  });

  it("knows a script by its arguments", () => {
    const tree = {"test.sh": "#!/bin/sh\nsbt ++$1 scripted\n"};
    expect(outcomes(tree, "./test.sh 3.3", "./test.sh 2.13")).toEqual(["stage test", "stage test-2"]);
  });

  it("compares what nx finds affected with all projects", () => {
    const tree = {
      "nx.json": {},
      "package.json": {scripts: {test: "nx run-many -t test", pr: "nx affected -t test"}, devDependencies: {nx: "*"}},
      "a/project.json": {name: "a", targets: {test: {}}},
    };
    expect(outcomes(tree, "npm run pr")).toEqual(["stage test"]);
  });
});

describe("a script of a package", () => {
  const tree = (root: string): Tree => ({
    "package.json": {workspaces: ["a", "b"], scripts: {test: root}},
    "pnpm-lock.yaml": "",
    "pnpm-workspace.yaml": "packages: [a, b]\n",
    "a/package.json": {name: "a", scripts: {test: "node --test"}},
    "b/package.json": {name: "b", scripts: {test: "node --test lib"}},
  });
  it("is covered by the stage that starts it in all packages, unless that selects some", () => {
    const run = "pnpm --filter a run test";
    expect(outcomes(tree("pnpm -r run test"), run)).toEqual(["stage test"]);
    expect(outcomes(tree("pnpm -r --filter b run test"), run).join()).not.toContain("covered");
    expect(outcomes(tree("pnpm -r run other"), run).join()).not.toContain("covered");
  });
});

it("names the owner's configuration where it disables a stage", () => {
  const project = projectOf({...NPM, ...workflow(steps("run: npm test"))});
  const result = plan({project, config: {...DEFAULT_CONFIG, overrides: {test: false}}});
  expect(result.ok && result.value.ci?.[0]?.outcome).toEqual({
    kind: "listed",
    role: "check",
    why: "verify.json disables the stage `test`",
    fix: 'remove "test": false from "overrides"',
  });
});

it("reads a document in quotes as one argument", () => {
  const body = Array.from({length: 30}, (_, i) => `          "key${i}": "it",`).join("\n");
  const script = `run: |\n          curl --data '{\n${body}\n          }' https://example.org\n          pytest`;
  const {ci = []} = planOf(workflow(steps(script)));
  expect(ci.map(({command}) => command.slice(0, 6))).toEqual(["curl -", "pytest"]);
});

describe("a path below the checkout of CI", () => {
  const run = 'cargo --config "$GITHUB_WORKSPACE/.cargo/ci.toml" test --workspace';
  it("is relative to the folder of the command", () => {
    expect(outcomes(RUST, run)).toEqual(["stage test"]);
    const inFolder = {...workflow(steps('run: ruff check "$GITHUB_WORKSPACE/src"\n        working-directory: py'))};
    expect(stages({"py/ruff.toml": "", ...inFolder})).toContain('py:lint: ruff check "../src" @py');
  });
});

describe("sbt", () => {
  const sbt = {"build.sbt": ""};
  it("runs an alias for everything on the JVM", () => {
    const run = (alias: string) => stages({...sbt, ...workflow(steps(`run: sbt '++ 3' ${alias}`))});
    expect(run("ciJVM")).toContain("check: sbt '++ 3' ciJVM");
  });
});
