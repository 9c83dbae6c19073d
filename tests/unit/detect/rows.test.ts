/** The ecosystems that are rows of data, as plans. `tests/ecosystems` runs Perl's tools; the others are not on the machines of the tests. */
import {describe, expect, it} from "vitest";
import {steps, workflow} from "./placed.ts";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Readonly<Record<string, string | object>>;

describe("ecosystems as rows", () => {
  it.each<[string, Tree, string[], string[]]>([
    [
      "OCaml",
      {"dune-project": "(lang dune 3.0)", "a.opam": "", ".ocamlformat": "", "test/dune": "(test (name a))"},
      ["lint: dune build @fmt", "test: dune runtest", "build: dune build"],
      [".: opam install . --deps-only --with-test --yes"],
    ],
    [
      "OCaml whose CI uses opam",
      {"dune-project": "", "test/dune": "", ...workflow(steps("run: opam exec -- dune build @runtest"))},
      ["test: opam exec -- dune build @runtest", "build: opam exec -- dune build ?"],
      [],
    ],
    [
      "R",
      {DESCRIPTION: "Package: a\n", "tests/testthat/test-a.R": "", ".lintr": ""},
      [
        "lint: Rscript -e 'quit(status = length(print(lintr::lint_package())) > 0)'",
        "test: Rscript -e 'testthat::test_local(stop_on_failure = TRUE)'",
      ],
      [".: Rscript -e 'remotes::install_deps(dependencies = TRUE)'"],
    ],
    [
      "R whose CI checks the package",
      {DESCRIPTION: "Package: a\n", ...workflow(steps("uses: r-lib/actions/check-r-package@v2"))},
      [`test: Rscript -e 'rcmdcheck::rcmdcheck(args = "--no-manual", error_on = "warning")'`],
      [".: Rscript -e 'remotes::install_deps(dependencies = TRUE)'"],
    ],
    [
      "Julia",
      {"Project.toml": 'name = "A"\nuuid = "x"\n', "test/runtests.jl": ""},
      ["test: julia --project=. -e 'using Pkg; Pkg.test()'"],
      [".: julia --project=. -e 'using Pkg; Pkg.instantiate()'"],
    ],
    ["a Julia environment that is no package", {"Project.toml": "[deps]\n", "test/runtests.jl": ""}, [], []],
    [
      "Perl",
      {cpanfile: "requires 'A';", "t/a.t": "", ".perlcriticrc": ""},
      ["lint: perlcritic lib", "test: prove -l -r t"],
      [".: cpanm --notest -L local --installdeps ."],
    ],
    [
      "Crystal",
      {"shard.yml": "name: a\ndevelopment_dependencies:\n  b: {}\ntargets:\n  a: {}\n", "spec/a_spec.cr": ""},
      ["lint: crystal tool format --check", "test: crystal spec", "build: shards build"],
      [".: shards install"],
    ],
    ["a shard without tests", {"shard.yml": "name: a\n"}, ["lint: crystal tool format --check"], []],
    [
      "Nim",
      {"a.nimble": 'requires "nim"\nbin = @["a"]\n', "tests/ta.nim": ""},
      ["test: nimble -y test", "build: nimble -y build"],
      [".: nimble -y install --depsOnly"],
    ],
    [
      "Gleam",
      {"gleam.toml": 'name = "a"\n', "test/a_test.gleam": ""},
      ["lint: gleam format --check", "test: gleam test", "build: gleam build"],
      [".: gleam deps download"],
    ],
    [
      "Foundry",
      {"foundry.toml": "", "test/A.t.sol": ""},
      ["lint: forge fmt --check", "test: forge test", "build: forge build"],
      [],
    ],
    ["Bazel", {"MODULE.bazel": ""}, ["test: bazel test //...", "build: bazel build //..."], []],
    [
      "Bazel next to another build that CI uses",
      {"MODULE.bazel": "", "go.mod": "", "a.go": ""},
      ["typecheck: go vet ./...", "build: go build ./..."],
      [],
    ],
    ["Buck2", {".buckconfig": ""}, ["test: buck2 test //...", "build: buck2 build //..."], []],
    ["buf", {"buf.yaml": ""}, ["lint: buf lint", "build: buf build"], []],
    ["Helm", {"c/Chart.yaml": "apiVersion: v2\n", "c/values.yaml": ""}, ["c:lint: helm lint ."], []],
    [
      "linters by their configuration",
      {".hadolint.yaml": "", Dockerfile: "", ".github/actionlint.yaml": "", ".sqlfluff": "", "a.sql": ""},
      ["lint:hadolint: hadolint Dockerfile", "lint:actionlint: actionlint", "lint: sqlfluff lint ."],
      [],
    ],
  ])("%s", (_, tree, stages, setup) => {
    expect(stagesOf(tree).sort()).toEqual([...stages].sort());
    expect(setupOf(tree)).toEqual(setup);
  });

  it.each([
    [{"A.xcodeproj/project.pbxproj": ""}, "macOS only"],
    [{"go.mod": "", "a.go": "", Earthfile: ""}, "containers"],
    [{"go.mod": "", "a.go": "", "flake.nix": "{ checks = {}; }"}, "nix flake check"],
  ])("says why it has no stage: %j", (tree, why) => {
    expect(
      planOf(tree)
        .notRun.map((one) => one.why)
        .join(),
    ).toContain(why);
  });
});
