/** Commands of CI for other targets, builds and subcommands of a tool that stages already run. */
import {expect, it} from "vitest";
import {mayBeMissing} from "../../../src/tools/stage-kind.ts";
import {stages, steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;

const ERLANG = {"rebar.config": "", "test/a_SUITE.erl": ""};

it.each<[string, Tree, string[], string[]]>([
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
    "the binary compatibility that Mill checks",
    {"build.mill": "", mill: ""},
    ["./mill -i __.mimaReportBinaryIssues"],
    ["check: ./mill -i __.mimaReportBinaryIssues"],
  ],
])("%s", (_, tree, runs, expected) => {
  const planned = stages({...tree, ...workflow(steps(...runs.map((run) => `run: "${run}"`)))});
  const isTest = (line: string): boolean => line.startsWith("test");
  expect(planned).toEqual(expect.arrayContaining(expected));
  expect(planned.filter(isTest)).toEqual(expected.filter(isTest));
});

it("leaves a mix.exs without Elixir to the projects that depend on it", () => {
  const tree = {...ERLANG, "mix.exs": "project", "src/a.erl": ""};
  expect(stages(tree)).toEqual(["test: rebar3 ct", "build: rebar3 compile"]);
  expect(stages({...tree, "lib/a.ex": ""})).toContain("build: mix compile");
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
  expect(accountOf(tree)).toEqual([
    "check python tasks/verify_files.py /mnt/a /mnt/b: it needs `/mnt/a`, which is not in the tree",
  ]);
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
    ["test: mix test --include distributed"],
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

it("requires no check for another machine, and runs one in each folder where CI does", () => {
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
  expect(accountOf(tree).at(-1)).toMatch(/^stage cargo-sort --check → examples:/);
});
