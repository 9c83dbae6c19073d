/** Commands of compilers, package managers and test runners of less common languages, by kind of stage. */
import type {ToolCommand} from "./tool-command.ts";

const IN_STORE = "works in the store of Nix, which downloads what is missing";

/** Programs that run the code after `-e`, and code that starts a check. */
export const CODE_PROGRAMS = ["Rscript", "R", "julia"];
export const TEST_CODE =
  /\b(?:testthat::test_|devtools::(?:test|check)\(|rcmdcheck(?:::rcmdcheck)?\(|tinytest::|Pkg\.test\()/;
export const LINT_CODE = "lintr::lint";

export const otherLanguageCommands: readonly ToolCommand[] = [
  {
    programs: "dune esy crystal shards nim nimble forge hardhat bazel bazelisk buf dbt".split(" "),
    traits: ["subcommands"],
  },
  {
    kinds: {
      lint: [
        ...[
          "dune fmt",
          "crystal tool format",
          "forge fmt",
          "forge lint",
          "solhint",
          "helm lint",
          "perlcritic",
          "perltidy",
        ],
        ...["mkdocs build", "sphinx-build", "mdbook build", "zizmor *", "ct lint", "lychee", "interrogate", "bandit"],
      ],
      test: ["dune test", "dune runtest", "crystal spec", "nimble test", "forge test", "hardhat test"],
      build: ["dune build", "shards build", "nimble build", "forge build", "hardhat compile", "buf build"],
    },
    compiles: {family: "native", commands: ["dune *"]},
    readOnly: [{commands: ["forge fmt"], with: ["--check"]}],
    unsafe: [
      {match: "dune fmt", swap: {fmt: "build @fmt"}},
      {match: "dune promote|clean|release"},
      {match: "dune build|runtest|test --auto-promote", drop: ["--auto-promote"]},
      {match: "dune build|runtest|test -w|--watch", kind: "watch", drop: ["-w", "--watch"]},
      {match: "crystal tool format !--check", add: ["--check"]},
      {match: "forge fmt !--check", add: ["--check"]},
      {match: "forge script|create|publish|install|update", kind: "release"},
      {match: "hardhat verify|run|ignition|deploy|node", kind: "release"},
      {match: "mike deploy|delete|alias|set-default", kind: "release"},
      {match: "mkdocs gh-deploy", kind: "release"},
      {match: "gleam publish|docs|hex", kind: "release"},
      {match: "perltidy -b"},
      {match: "buf push|registry", kind: "release"},
      {match: "dbt run|seed|build|test|snapshot", kind: "service"},
    ],
  },
  {programs: CODE_PROGRAMS},
  {programs: ["nimble", "nim", "dune"]},
  {
    kinds: {test: ["bazel test", "bazelisk test"], build: ["bazel build", "bazelisk build"]},
    unsafe: [
      {match: "bazel|bazelisk run", kind: "server", why: "starts a program that Assay does not know"},
      {match: "ibazel", kind: "watch"},
    ],
    compiles: {family: "native", commands: ["bazel *", "bazelisk *"]},
  },
  {
    kinds: {check: ["nix flake check"], build: ["nix build", "nix-build"]},
    unsafe: [
      {match: "nix flake|build|run|shell|profile|fmt", kind: "download", why: IN_STORE},
      {match: "nix-build|nix-shell", kind: "download", why: IN_STORE},
    ],
  },
];
