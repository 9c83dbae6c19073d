/** Every reason of a plan names a stage of it: two rules must not drop each other's replacement. */
import {describe, expect, it} from "vitest";
import {unfoundedReasons} from "../../../../src/detect/selection/dropped.ts";
import type {Plan} from "../../../../src/record/plan.ts";
import {stages, steps, workflow} from "../placed.ts";
import {planOf} from "../tree.ts";

type Tree = Record<string, string | object>;

const CRATE = {
  "Cargo.toml": '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": "#[cfg(test)]\nmod tests { #[test] fn one() {} }\n",
};
const MODULE = {"go.mod": "module example.com/sums\n\ngo 1.21\n", "sums_test.go": "package sums\n"};
const UNITTEST = {"tests/test_x.py": "import unittest\nclass T(unittest.TestCase):\n    def test_x(self): pass\n"};

describe("CI's line is the stage", () => {
  it("replaces the manifest's tests of the same language, and no others", () => {
    const tree = {...CRATE, ...MODULE, ...workflow(steps("run: cargo test --all-features"))};
    expect(stages(tree)).toEqual(expect.arrayContaining(["test: cargo test --all-features", "test-2: go test ./..."]));
    expect(planOf(tree).stages.find(({command}) => command === "go test ./...")).toMatchObject({
      optional: true,
      origin: {why: expect.stringContaining("no line of CI")},
    });
    expect(planOf(tree).notes).toContainEqual({
      about: "Cargo.toml package",
      text: "`cargo test` skipped: CI runs `cargo test --all-features`",
      by: ["test"],
    });
  });

  it("a task without a test runner does not replace the tests of a manifest", () => {
    // DaveGamble/cJSON: `make test` only starts a demo.
    const cmake = {"CMakeLists.txt": "project(x C)\nenable_testing()\nadd_test(a a)\n", "a.c": ""};
    const ofTests = (recipe: string) =>
      stages({...cmake, Makefile: `test:\n\t${recipe}\n`}).filter((line) => line.startsWith("test"));
    expect(ofTests("./demo").join()).toMatch(/ctest.*make test/);
    expect(ofTests("ctest --test-dir build").join()).not.toContain("cmake");
  });

  it("is required by a known kind, and optional if no tool file knows it", () => {
    const tree = {...CRATE, ...workflow(steps("run: cargo test", "run: cargo xtask readme"))};
    expect(planOf(tree).stages.map(({command, optional}) => [command, optional])).toEqual(
      expect.arrayContaining([
        ["cargo test", false],
        ["cargo xtask readme", true],
      ]),
    );
  });

  it("leaves the manifest's tests required if there is no CI", () => {
    expect(planOf(CRATE).stages.find(({command}) => command === "cargo test")?.optional).toBe(false);
  });

  it("keeps the manifest's tests as optional ones if CI only runs its own next to a service", () => {
    const jobs = "  a:\n    services: {db: {image: postgres}}\n    steps: [{run: cargo test --all}]\n";
    const made = planOf({...CRATE, ...workflow(jobs)});
    expect(made.stages.find(({kind}) => kind === "test")).toMatchObject({command: "cargo test", optional: true});
    expect(made.ci?.[0]?.outcome).toMatchObject({kind: "listed", why: "CI starts db next to it"});
  });

  it("runs one version of a matrix, and the steps that only another one has", () => {
    const jobs =
      "  a:\n    runs-on: ubuntu-latest\n    strategy: {matrix: {py: ['3.9', '3.14', '3.10']}}\n    steps:\n      - {uses: actions/setup-python@v6, with: {python-version: '${{ matrix.py }}'}}\n      - run: pytest --py ${{ matrix.py }}\n      - if: matrix.py == '3.9'\n        run: flake8\n";
    expect(stages(workflow(jobs))).toEqual(["lint: flake8", "test: pytest --py 3.14"]);
  });
});

describe("a change that leaves projects out", () => {
  it("says nothing of a stage that is not in the plan", () => {
    const made = planOf(
      {
        "a/package.json": {scripts: {test: "node --test"}},
        "b/package.json": {scripts: {test: "node --test"}},
        ...workflow(steps("run: cd a && npm test", "run: cd b && npm test")),
      },
      {changed: ["a/index.js"]},
    );
    expect(made.stages.map(({name}) => name)).toEqual(["a:test"]);
    expect(unfoundedReasons(made)).toEqual([]);
    expect(made.ci?.map(({outcome}) => outcome)).toEqual([
      {kind: "stage", stage: "a:test"},
      {kind: "listed", role: "check", why: "the change does not affect its project", fix: ""},
    ]);
  });
});

/** Park and Miller's generator, so that a failing case can be repeated. */
function randomFrom(seed: number): <T>(items: readonly T[]) => T {
  let state = seed * 2654435761 + 1;
  return (items) => {
    state = (state * 48271) % 2147483647;
    return items[Math.abs(state) % items.length] as (typeof items)[number];
  };
}

const LANGUAGES: readonly Tree[] = [CRATE, MODULE, UNITTEST, {"pyproject.toml": "[tool.pytest.ini_options]\n"}];
const LINES = [
  ...["cargo test", "cargo test --all-features", "cargo nextest run", "go test ./...", "go test -race ./...", "pytest"],
  ...[
    "python3 -m unittest discover tests",
    "npm test",
    "npm run check",
    "npm run test:unit",
    "node --test",
    "vitest run",
  ],
  ...["make test", "make check", "make lint", "just test", "cargo clippy", "golangci-lint run", "tox", "cargo build"],
];
const NAMES = ["test", "check", "lint", "test:unit", "build", "ci", "test-all"];

function treeOf(seed: number): Tree {
  const pick = randomFrom(seed);
  const some = (most: number) => Array.from({length: pick(Array.from({length: most}, (_, i) => i))});
  const targets = () => [...new Set(some(4).map(() => pick(NAMES)))];
  return {
    ...pick(LANGUAGES),
    ...pick(LANGUAGES),
    "package.json": {scripts: Object.fromEntries(targets().map((name) => [name, pick(LINES)]))},
    Makefile: targets()
      .map((name) => `${name.replace(":", "-")}:\n\t${pick(LINES)}\n`)
      .join("\n"),
    justfile: targets()
      .map((name) => `${name.replace(":", "-")}:\n  ${pick(LINES)}\n`)
      .join("\n"),
    ...workflow(steps(...["uses: actions/checkout@v4", ...some(5).map(() => `run: ${pick(LINES)}`)])),
  };
}

/** The stages that the sentences of a plan name, read from their text. */
const namedIn = ({notes: texts}: Plan): string[] =>
  texts.flatMap(
    ({text}) => /skipped: `(.*)` (?:already runs it|runs instead|is already a check)/.exec(text)?.[1] ?? [],
  );

it("names a stage of the plan in each reason, for generated projects", () => {
  let reasons = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const tree = treeOf(seed);
    const made = planOf(tree);
    const commands = made.stages.map(({command}) => command);
    const named = namedIn(made);
    reasons += named.length;
    expect({tree, missing: named.filter((one) => !commands.includes(one))}).toEqual({tree, missing: []});
    expect({tree, unfounded: unfoundedReasons(made)}).toEqual({tree, unfounded: []});
  }
  expect(reasons).toBeGreaterThan(50);
}, 60_000);
