/** Commands of CI for other targets, builds and subcommands of a tool that stages already run. */
import {expect, it} from "vitest";
import {mayBeMissing} from "../../../src/tools/stage-kind.ts";
import {notes, stages, steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;

const ERLANG = {"rebar.config": "", "test/a_SUITE.erl": ""};

it.each<[string, Tree, string[], string[]]>([
  [
    "the subcommands of rebar3",
    ERLANG,
    ["rebar3 ct --cover", "rebar3 xref", "rebar3 dialyzer"],
    ["typecheck: rebar3 dialyzer", "lint: rebar3 xref", "test: rebar3 ct", "build: rebar3 compile"],
  ],
  [
    "a cargo workspace below the root, and another machine",
    {
      "Cargo.toml": '[workspace]\nmembers = ["a"]\n',
      "a/Cargo.toml": '[package]\nname = "a"\n',
      "examples/Cargo.toml": "[workspace]\n",
      "x/Cargo.toml": "[workspace]\n",
    },
    [
      "cargo test --workspace --manifest-path ./Cargo.toml",
      "cargo test --workspace --manifest-path a/Cargo.toml",
      "cargo test --workspace --all-features --manifest-path x/Cargo.toml",
      "cargo test --workspace --manifest-path examples/Cargo.toml",
      "cargo check --workspace --target wasm32-unknown-unknown",
    ],
    [
      "typecheck: cargo check --workspace --all-targets",
      "typecheck:cargo: cargo check --workspace --target wasm32-unknown-unknown",
      "lint: cargo clippy --workspace --all-targets",
      "lint:format: cargo fmt --all --check",
      "test: cargo test --workspace",
      "test-2: cargo test --workspace --manifest-path examples/Cargo.toml",
      "x:test: cargo test --workspace --all-features @x",
      "build: cargo build --workspace",
    ],
  ],
  [
    "a build tag of Go, with the race detector",
    {"go.mod": "module a\n", "a_test.go": "package a\n"},
    ["go test --tags batch ./...", "go test -race --tags batch ./..."],
    [
      "typecheck: go vet ./...",
      "test: go test ./...",
      "test-2: go test -race --tags batch ./...",
      "build: go build ./...",
    ],
  ],
  [
    "the stricter option of a run that records coverage",
    {"go.mod": "module a\n", "a_test.go": "package a\n"},
    ["go test -race -v -coverpkg=./... ./..."],
    ["typecheck: go vet ./...", "test: go test -race ./...", "build: go build ./..."],
  ],
  [
    "the other target of Zig",
    {"build.zig": ""},
    ["zig build test", "zig build test -Dtarget=wasm32-wasi -fwasmtime"],
    [
      "lint: zig fmt --check .",
      "test: zig build test",
      "test-2: zig build test -Dtarget=wasm32-wasi -fwasmtime",
      "build: zig build",
    ],
  ],
  [
    "the other target of Gleam",
    {"gleam.toml": 'name = "a"\n', "test/a_test.gleam": ""},
    ["gleam test --target erlang", "gleam test --target javascript"],
    ["test: gleam test", "test-2: gleam test --target javascript"],
  ],
  [
    "the release build of Swift",
    {"Package.swift": "", "Tests/ATests/a.swift": ""},
    ["swift test --parallel", "swift test -c release --parallel"],
    ["test: swift test", "test-2: swift test -c release --parallel"],
  ],
  [
    "a further alias of dune",
    {"dune-project": "", "test/dune": "(test (name a))"},
    ["dune build @install @check @runtest", "dune build @runtest @runtest-js"],
    ["test: dune runtest", "test-2: dune build @runtest @runtest-js"],
  ],
  [
    "a test that the compiler of Nim starts, and another garbage collector",
    {"a.nimble": "", "tests/all.nim": "", "src/a.nim": ""},
    ["nimble test -y", "nimble test --gc:orc -y", "nim js -r tests/all.nim", "nim c src/a.nim"],
    ["test: nimble test -y", "test-2: nimble test --gc:orc -y", "test-3: nim js -r tests/all.nim"],
  ],
  [
    "a crate without its default features, next to one with others",
    {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""},
    ["cargo test --lib --no-default-features", "cargo test --features=serde"],
    ["test: cargo test --features=serde", "test-2: cargo test --lib --no-default-features"],
  ],
  [
    "the binary compatibility that Mill checks",
    {"build.mill": "", mill: ""},
    ["./mill -i __.mimaReportBinaryIssues"],
    ["test: ./mill __.test", "check: ./mill -i __.mimaReportBinaryIssues"],
  ],
  [
    "what mix only compares, and a build that fails on warnings",
    {"mix.exs": "project", "test/a_test.exs": ""},
    ["mix deps.unlock --check-unused", "mix compile --warning-as-errors", "mix test"],
    ["lint: mix deps.unlock --check-unused", "test: mix test", "build: mix compile --warning-as-errors"],
  ],
])("%s", (_, tree, runs, expected) => {
  const planned = stages({...tree, ...workflow(steps(...runs.map((run) => `run: "${run}"`)))});
  const isTest = (line: string): boolean => line.startsWith("test");
  expect(planned).toEqual(expect.arrayContaining(expected));
  expect(planned.filter(isTest)).toEqual(expected.filter(isTest));
});

it("type-checks a package that the root's command does not name", () => {
  const tree = (projects: string): Tree => ({
    "package.json": {scripts: {typecheck: projects}, devDependencies: {typescript: "*"}},
    "packages/a/package.json": {scripts: {tsc: "tsc -b"}},
    "pnpm-workspace.yaml": "packages: [packages/*]\n",
    "pnpm-lock.yaml": "",
    ...workflow(steps("run: pnpm typecheck", "run: pnpm -C packages/a tsc")),
  });
  const own = "packages/a:typecheck: pnpm tsc @packages/a";
  expect(stages(tree("tsc -p scripts && tsc -p packages/b"))).toContain(own);
  expect(stages(tree("tsc -p packages"))).not.toContain(own);
});

it("leaves a mix.exs without Elixir to the projects that depend on it", () => {
  const tree = {...ERLANG, "mix.exs": "project", "src/a.erl": ""};
  expect(stages(tree)).toEqual(["test: rebar3 ct", "build: rebar3 compile"]);
  expect(stages({...tree, "lib/a.ex": ""})).toContain("build: mix compile");
});

it("reads the environments that `tox run` is given", () => {
  const tree = {"tox.toml": "", "pyproject.toml": "[tool.ty]\n[tool.pytest.ini_options]\n", "tests/test_a.py": ""};
  const runs = ["type", "pkg_meta", "docs", "dev"].map((name) => `run: tox run --skip-pkg-install -e ${name}`);
  const planned = {...tree, ...workflow(steps(...runs))};
  expect(stages(planned)).toContain("check: tox run -e pkg_meta");
  expect(accountOf(planned).join("\n")).not.toContain("of the kind `test`");
  expect(accountOf(planned)[0]).toContain("the plan has another stage of the kind `typecheck`: `ty check`");
});

it("keeps a check whose step is named after the lock file", () => {
  const step = "{name: Check lock file, run: poetry check --lock}";
  expect(stages({"pyproject.toml": "", ...workflow(steps(step))})).toContain("check: poetry check --lock");
});

it("starts a recipe that runs the check it is given", () => {
  const recipes =
    "full-check:\n    just _run-with-status spell-check\n\nspell-check:\n    misspell .\n\n_run-with-status task:\n    just {{ task }}\n";
  const tree = {justfile: recipes, ...workflow(steps("run: just full-check"))};
  expect(stages(tree).map((line) => line.replace(/^\S+ /, ""))).toEqual(["just full-check"]);
});

it("needs the folders that CI mounts", () => {
  const tree = {"tasks/verify_files.py": "", ...workflow(steps("run: python tasks/verify_files.py /mnt/a /mnt/b"))};
  expect(stages(tree)).toEqual([]);
  expect(notes(tree)[0]).toContain("it needs `/mnt/a`, which is not in the tree");
});

it("says that an audit asks a registry", () => {
  const run = "run: npm audit --audit-level=moderate";
  expect(accountOf({"package.json": {}, ...workflow(steps(run))}).join()).toContain("`npm audit` needs a service");
});

const CRATE = {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""};

it.each<[string, Tree, string[], string[]]>([
  ["each feature, by a program that may be missing", CRATE, ["cargo hack check"], ["check: cargo hack check"]],
  [
    "tests with a tag that is excluded by default",
    {"mix.exs": "defmodule A do def project do [] end end", "test/a_test.exs": ""},
    ["mix test --include distributed"],
    ["test: mix test", "test-2: mix test --include distributed"],
  ],
  [
    "the rehearsal of a release, and no release",
    CRATE,
    ["cargo publish --dry-run", "cargo publish", "npx pkg-pr-new publish"],
    ["check: cargo publish --dry-run"],
  ],
])("checks %s", (_, tree, runs, expected) => {
  const planned = stages({...tree, ...workflow(steps(...runs.map((run) => `run: ${run}`)))});
  expect(planned.filter((line) => /^(test|check)/.test(line) && !line.endsWith(": cargo test"))).toEqual(expected);
});

it("requires no check for another machine, and covers no other workspace", () => {
  const tree = {
    "Cargo.toml": '[workspace]\nmembers = ["a"]\n',
    "a/Cargo.toml": '[package]\nname = "a"\n',
    "examples/Cargo.toml": "[workspace]\n",
    ...workflow(
      steps(
        "run: cargo check --target x",
        "run: cargo-sort --check",
        "{run: cargo-sort --check, working-directory: examples}",
      ),
    ),
  };
  const optional = planOf(tree).stages.flatMap((stage) => (stage.command.includes("--target") ? [stage.optional] : []));
  expect(optional).toEqual([true]);
  expect(mayBeMissing("cmake --build build --target check".split(" "))).toBe(false);
  expect(accountOf(tree).at(-1)).toBe("check cargo-sort --check: its folder holds examples, fixtures or the like");
});
