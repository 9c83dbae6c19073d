/** Every reason of a plan names a stage of it: two rules must not drop each other's replacement. */
import {describe, expect, it} from "vitest";
import {unfoundedReasons} from "../../../../src/detect/selection/dropped.ts";
import type {Plan} from "../../../../src/record/plan.ts";
import {notes, stages, steps, workflow} from "../placed.ts";
import {planOf} from "../tree.ts";

type Tree = Record<string, string | object>;

const CRATE = {
  "Cargo.toml": '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": "#[cfg(test)]\nmod tests { #[test] fn one() {} }\n",
};
const MODULE = {"go.mod": "module example.com/sums\n\ngo 1.21\n", "sums_test.go": "package sums\n"};
const UNITTEST = {"tests/test_x.py": "import unittest\nclass T(unittest.TestCase):\n    def test_x(self): pass\n"};

describe("two rules that would cancel each other", () => {
  it("runs `cargo test` if `make test` gives way to other tests of CI", () => {
    const tree = {
      ...CRATE,
      ...UNITTEST,
      Makefile: "test:\n\tcargo test\n",
      ...workflow(steps("run: cargo llvm-cov", "run: python3 -m unittest discover tests")),
    };
    expect(stages(tree)).toEqual(expect.arrayContaining(["test: cargo test"]));
    expect(notes(tree).filter((note) => note.includes("cargo test"))).toEqual([]);
    expect(planOf(tree).notes).toContainEqual({
      about: "Makefile test",
      text: "`make test` skipped: CI runs `python3 -m unittest discover tests`, and not this",
      by: ["test-2"],
    });
  });

  it("runs `go test` if CI starts mage and other tests", () => {
    const tree = {
      ...MODULE,
      ...UNITTEST,
      Makefile: "test:\n\tgo test ./...\n",
      ...workflow(steps("uses: magefile/mage-action@v3", "run: python3 -m unittest discover tests")),
    };
    expect(stages(tree).filter((stage) => stage.includes("go test"))).toHaveLength(1);
  });

  it("keeps `make test` if CI's other tests only run in another form", () => {
    const tree = {...CRATE, Makefile: "test:\n\tcargo test\n", ...workflow(steps("run: cargo test --all-features"))};
    expect(unfoundedReasons(planOf(tree))).toEqual([]);
    expect(stages(tree).some((stage) => stage.includes("cargo test"))).toBe(true);
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
      {kind: "covered", by: ["a:test"]},
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
    ({text}) => /skipped: `(.*)` (?:already runs it|runs instead|is already a stage)/.exec(text)?.[1] ?? [],
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
