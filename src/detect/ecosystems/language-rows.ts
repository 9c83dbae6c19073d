/** Languages as rows of data: OCaml, R, Julia, Perl, Crystal, Nim, Gleam, Solidity, Bazel and Buck. */
import type {EcosystemRow} from "./row.ts";

const OTHER_BUILDS =
  "package.json go.mod Cargo.toml pyproject.toml setup.py pom.xml build.gradle build.gradle.kts CMakeLists.txt meson.build configure.ac Makefile Gemfile composer.json mix.exs Package.swift".split(
    " ",
  );
const OPAM = /\bopam exec\b/;
const OPAM_TOOL = {name: "opam", hint: "add the step `ocaml/setup-ocaml` before Assay"};
const R_CHECKS = /rcmdcheck|check-r-package|R CMD check/;
const CRYSTAL_TESTS = /(^|\/)spec\/.*_spec\.cr$/;

export const LANGUAGE_ROWS: readonly EcosystemRow[] = [
  {
    name: "ocaml",
    title: "OCaml",
    program: "dune",
    hint: "add the steps `ocaml/setup-ocaml` and `opam env` before Assay",
    manifests: ["dune-project"],
    why: "a dune project",
    coversBelow: true,
    checks: [
      {kind: "build", command: "dune build", notInCi: OPAM},
      {kind: "test", command: "dune runtest", below: /(^|\/)(tests?|t)\/|\.t$|_test\.ml$/, notInCi: OPAM},
      {kind: "build", command: "opam exec -- dune build", inCi: OPAM, tools: [OPAM_TOOL]},
      {
        kind: "test",
        command: "opam exec -- dune runtest",
        below: /(^|\/)(tests?|t)\/|\.t$|_test\.ml$/,
        inCi: OPAM,
        tools: [OPAM_TOOL],
      },
      {kind: "lint", command: "dune build @fmt", label: "format", configs: [".ocamlformat"], configured: "ocamlformat"},
    ],
    installs: [
      {
        command: "opam install . --deps-only --with-test --yes",
        inputs: ["dune-project", "*.opam"],
        below: /^[^/]+\.opam$/,
        tools: [OPAM_TOOL],
      },
    ],
  },
  {
    name: "r",
    title: "R",
    program: "Rscript",
    hint: "add the step `r-lib/actions/setup-r` before Assay",
    manifests: ["DESCRIPTION"],
    why: "an R package",
    says: /^Package:/m,
    checks: [
      {
        kind: "test",
        command: `Rscript -e 'rcmdcheck::rcmdcheck(args = "--no-manual", error_on = "warning")'`,
        inCi: R_CHECKS,
        timeout: 1200,
      },
      {
        kind: "test",
        command: "Rscript -e 'testthat::test_local(stop_on_failure = TRUE)'",
        below: /(^|\/)tests\/testthat\//,
        notInCi: R_CHECKS,
      },
      {
        kind: "lint",
        command: "Rscript -e 'quit(status = length(print(lintr::lint_package())) > 0)'",
        configs: [".lintr"],
        configured: "lintr",
      },
    ],
    installs: [{command: `Rscript -e 'remotes::install_deps(dependencies = TRUE)'`, inputs: ["DESCRIPTION"]}],
  },
  {
    name: "julia",
    title: "Julia",
    program: "julia",
    hint: "add the step `julia-actions/setup-julia` before Assay",
    manifests: ["Project.toml"],
    why: "a Julia package",
    says: /^uuid\s*=/m,
    beside: ["test/runtests.jl"],
    checks: [{kind: "test", command: "julia --project=. -e 'using Pkg; Pkg.test()'"}],
    installs: [
      {
        command: "julia --project=. -e 'using Pkg; Pkg.instantiate()'",
        inputs: ["Project.toml", "Manifest.toml"],
      },
    ],
  },
  {
    name: "perl",
    title: "Perl",
    program: "perl",
    hint: "add the step `shogo82148/actions-setup-perl` before Assay",
    manifests: ["Makefile.PL", "Build.PL", "cpanfile", "dist.ini"],
    why: "a Perl distribution",
    shared: {env: {PERL5LIB: "local/lib/perl5"}},
    checks: [
      {
        kind: "test",
        command: "prove -l -r t",
        below: /(^|\/)t\/.*\.t$/,
        tools: [{name: "prove", hint: "add the step `shogo82148/actions-setup-perl` before Assay"}],
      },
      {kind: "lint", command: "perlcritic lib", configs: [".perlcriticrc"]},
    ],
    installs: [
      {
        command: "cpanm --notest -L local --installdeps .",
        inputs: ["cpanfile", "Makefile.PL", "Build.PL"],
        provides: ["local"],
        tools: [{name: "cpanm", hint: "add the step `perl-actions/install-with-cpanm` before Assay"}],
        saysNot: /^\[/m,
      },
    ],
  },
  {
    name: "crystal",
    title: "Crystal",
    program: "crystal",
    hint: "add the step `crystal-lang/install-crystal` before Assay",
    manifests: ["shard.yml"],
    why: "a shard",
    checks: [
      {kind: "lint", command: "crystal tool format --check", label: "format"},
      {
        kind: "lint",
        command: "bin/ameba",
        configs: [".ameba.yml"],
        configured: "ameba",
        label: "ameba",
        says: /\bameba\b/,
      },
      {kind: "test", command: "crystal spec", below: CRYSTAL_TESTS},
      {kind: "build", command: "shards build", says: /^targets:/m},
    ],
    installs: [
      {
        command: "shards install",
        inputs: ["shard.yml", "shard.lock"],
        provides: ["lib"],
        says: /^(development_)?dependencies:/m,
        tools: [{name: "shards", hint: "add the step `crystal-lang/install-crystal` before Assay"}],
      },
    ],
  },
  {
    name: "nim",
    title: "Nim",
    program: "nimble",
    hint: "add the step `jiro4989/setup-nim-action` before Assay",
    manifests: ["*.nimble"],
    why: "a Nimble package",
    checks: [
      {kind: "test", command: "nimble -y test", below: /(^|\/)tests\/t[^/]*\.nim$/},
      {kind: "build", command: "nimble -y build", says: /^\s*(bin|namedBin)\b/m},
    ],
    installs: [{command: "nimble -y install --depsOnly", inputs: ["*.nimble"], says: /^\s*requires\b/m}],
  },
  {
    name: "gleam",
    title: "Gleam",
    program: "gleam",
    hint: "add the step `erlef/setup-beam` with `gleam-version` before Assay",
    manifests: ["gleam.toml"],
    why: "a Gleam project",
    checks: [
      {kind: "lint", command: "gleam format --check", label: "format", below: /(^|\/)test\/.*\.gleam$/},
      {kind: "test", command: "gleam test", below: /(^|\/)test\/.*\.gleam$/},
      {kind: "build", command: "gleam build"},
    ],
    installs: [{command: "gleam deps download", inputs: ["gleam.toml", "manifest.toml"], provides: ["build/packages"]}],
  },
  {
    name: "foundry",
    title: "Solidity (Foundry)",
    program: "forge",
    hint: "add the step `foundry-rs/foundry-toolchain` before Assay",
    manifests: ["foundry.toml"],
    why: "a Foundry project",
    checks: [
      {kind: "lint", command: "forge fmt --check", label: "format"},
      {kind: "test", command: "forge test", below: /\.t\.sol$/},
      {kind: "build", command: "forge build"},
    ],
  },
  {
    name: "bazel",
    title: "Bazel",
    program: "bazel",
    hint: "add the step `bazel-contrib/setup-bazel` before Assay",
    manifests: ["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"],
    why: "a Bazel workspace",
    unless: OTHER_BUILDS,
    coversBelow: true,
    checks: [
      {kind: "test", command: "bazel test //...", timeout: 1800},
      {kind: "build", command: "bazel build //...", timeout: 1800},
    ],
  },
  {
    name: "buck2",
    title: "Buck2",
    program: "buck2",
    hint: "add the step `dtolnay/install-buck2` before Assay",
    manifests: [".buckconfig"],
    why: "a Buck project",
    unless: OTHER_BUILDS,
    coversBelow: true,
    checks: [
      {kind: "test", command: "buck2 test //...", timeout: 1800},
      {kind: "build", command: "buck2 build //...", timeout: 1800},
    ],
  },
  {
    name: "moon",
    title: "moon",
    program: "moon",
    hint: "add the step `moonrepo/setup-toolchain` before Assay",
    manifests: [".moon/workspace.yml"],
    where: "beside",
    why: "a moon workspace; this runs every build and test task",
    checks: [
      {
        kind: "test",
        command: "moon check --all",
        timeout: 1200,
        notInCi: /\bmoon run\b(?![\s\S]*\bmoon\b.* (?:ci|check)\b)/,
      },
    ],
  },
];
