/** Languages as rows of data, with the documented command for each kind of check. */
import type {EcosystemRow} from "./row.ts";

const OTHER_BUILDS =
  "package.json go.mod Cargo.toml pyproject.toml setup.py pom.xml build.gradle build.gradle.kts CMakeLists.txt meson.build configure.ac Makefile Gemfile composer.json mix.exs Package.swift".split(
    " ",
  );
const OPAM_TOOL = {name: "opam", hint: "add the step `ocaml/setup-ocaml` before Assay"};

const toolNamed = (name: string) => ({name, hint: `install ${name} before Assay`});

export const LANGUAGE_ROWS: readonly EcosystemRow[] = [
  {
    name: "haskell",
    title: "Haskell",
    program: "cabal",
    hint: "add the step `haskell-actions/setup` before Assay",
    manifests: ["cabal.project", "*.cabal"],
    why: "a Cabal project",
    coversBelow: true,
    shared: {timeout: 900},
    checks: [
      {kind: "lint", command: "hlint .", configs: [".hlint.yaml"], tools: [toolNamed("hlint")]},
      {kind: "test", command: "cabal test all", below: /(^|\/)(tests?|spec)\/.*\.hs$/},
      {kind: "build", command: "cabal build all"},
    ],
    installs: [
      {
        command: "cabal update && cabal build all --only-dependencies --enable-tests",
        timeout: 1800,
        inputs: ["/**/*.cabal", "cabal.project*"],
      },
    ],
  },
  {
    name: "lua",
    title: "Lua",
    program: "busted",
    hint: "install busted with luarocks before Assay",
    manifests: [".busted", ".luacheckrc", "*.rockspec"],
    why: "a Lua project",
    checks: [
      {kind: "lint", command: "luacheck .", configs: [".luacheckrc"], tools: [toolNamed("luacheck")]},
      {kind: "test", command: "busted", below: /(^|\/)spec\/.*_spec\.lua$/},
    ],
  },
  {
    name: "terraform",
    title: "Terraform",
    program: "terraform",
    hint: "add the step `hashicorp/setup-terraform` before Assay",
    manifests: ["main.tf", "versions.tf", "*.tf"],
    why: "Terraform files",
    coversBelow: true,
    // Only the checks that need no account and no state.
    checks: [
      {kind: "lint", command: "terraform fmt -check -recursive", label: "format"},
      {kind: "typecheck", command: "terraform validate"},
    ],
    installs: [
      {
        command: "terraform init -backend=false -input=false",
        inputs: ["**/*.tf", ".terraform.lock.hcl"],
        provides: [".terraform"],
      },
    ],
  },
  {
    name: "scala",
    title: "Scala",
    program: "sbt",
    hint: "add the steps `actions/setup-java` and `sbt/setup-sbt` before Assay",
    manifests: ["build.sbt"],
    why: "an sbt build",
    coversBelow: true,
    checks: [
      {kind: "test", command: "sbt test", timeout: 900},
      {kind: "build", command: "sbt Test/compile", timeout: 600},
    ],
  },
  {
    name: "dart",
    title: "Dart",
    program: "dart",
    hint: "add the step `dart-lang/setup-dart` before Assay",
    manifests: ["pubspec.yaml"],
    why: "a Dart package",
    says: /^name:(?![\s\S]*\n {4}sdk: flutter)/m,
    checks: [
      {kind: "typecheck", command: "dart analyze"},
      {kind: "test", command: "dart test", below: /^(?:.*\/)?test\/.*_test\.dart$/},
    ],
    installs: [{command: "dart pub get", inputs: ["pubspec.yaml", "pubspec.lock"], provides: [".dart_tool"]}],
  },
  {
    name: "flutter",
    title: "Flutter",
    program: "flutter",
    hint: "add the step `subosito/flutter-action` before Assay",
    manifests: ["pubspec.yaml"],
    why: "a Flutter package",
    says: /^ {4}sdk: flutter$/m,
    checks: [
      {kind: "typecheck", command: "flutter analyze"},
      {kind: "test", command: "flutter test", below: /^(?:.*\/)?test\/.*_test\.dart$/},
    ],
    installs: [{command: "flutter pub get", inputs: ["pubspec.yaml", "pubspec.lock"], provides: [".dart_tool"]}],
  },
  {
    name: "erlang",
    title: "Erlang",
    program: "rebar3",
    hint: "add the step `erlef/setup-beam` with `rebar3-version` before Assay",
    manifests: ["rebar.config"],
    why: "a rebar3 project",
    coversBelow: true,
    checks: [
      {kind: "test", command: "rebar3 ct", label: "ct", below: ["_SUITE.erl"]},
      {kind: "test", command: "rebar3 eunit", label: "eunit", below: ["_test.erl", "_tests.erl"]},
      {kind: "build", command: "rebar3 compile"},
    ],
  },
  {
    name: "clojure",
    title: "Clojure",
    program: "lein",
    hint: "add the step `DeLaGuardo/setup-clojure` before Assay",
    manifests: ["project.clj"],
    why: "a Leiningen project with tests",
    checks: [{kind: "test", command: "lein test", below: /(^|\/)test\/.*\.clj[cs]?$/}],
  },
  {
    name: "zig",
    title: "Zig",
    program: "zig",
    hint: "add the step `mlugg/setup-zig` before Assay",
    manifests: ["build.zig"],
    why: "a Zig build file",
    checks: [
      {kind: "lint", command: "zig fmt --check .", label: "format"},
      // Without the summary, Zig prints nothing about tests that pass.
      {kind: "test", command: "zig build test --summary all", says: /\bstep\(\s*"test"/},
      {kind: "build", command: "zig build"},
    ],
  },
  {
    name: "ocaml",
    title: "OCaml",
    program: "dune",
    hint: "add the steps `ocaml/setup-ocaml` and `opam env` before Assay",
    manifests: ["dune-project"],
    why: "a dune project",
    coversBelow: true,
    checks: [
      {kind: "build", command: "dune build"},
      {kind: "test", command: "dune runtest", below: /(^|\/)(tests?|t)\/|\.t$|_test\.ml$/},
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
        command: "Rscript -e 'testthat::test_local(stop_on_failure = TRUE)'",
        below: /(^|\/)tests\/testthat\//,
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
];
