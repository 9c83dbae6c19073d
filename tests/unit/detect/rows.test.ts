/** The ecosystems that are rows of data, as plans. `tests/ecosystems` runs Perl's tools; the others are not on the machines of the tests. */
import {describe, expect, it} from "vitest";
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
      "R",
      {DESCRIPTION: "Package: a\n", "tests/testthat/test-a.R": "", ".lintr": ""},
      [
        "lint: Rscript -e 'quit(status = length(print(lintr::lint_package())) > 0)'",
        "test: Rscript -e 'testthat::test_local(stop_on_failure = TRUE)'",
      ],
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
    ["Bazel", {"MODULE.bazel": ""}, ["test: bazel test //...", "build: bazel build //..."], []],
    [
      "Bazel next to another build that CI uses",
      {"MODULE.bazel": "", "go.mod": "", "a.go": ""},
      ["typecheck: go vet ./...", "build: go build ./..."],
      [],
    ],
    ["buf", {"buf.yaml": ""}, ["lint: buf lint", "build: buf build"], []],
    ["Helm", {"c/Chart.yaml": "apiVersion: v2\n", "c/values.yaml": ""}, ["c:lint: helm lint ."], []],
  ])("%s", (_, tree, stages, setup) => {
    expect(stagesOf(tree).sort()).toEqual([...stages].sort());
    expect(setupOf(tree)).toEqual(setup);
  });

  it.each([[{"A.xcodeproj/project.pbxproj": ""}, "macOS only"]])("says why it has no stage: %j", (tree, why) => {
    expect(
      planOf(tree)
        .notRun.map((one) => one.why)
        .join(),
    ).toContain(why);
  });
});
