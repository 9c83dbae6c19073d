/** Buildkite's steps as candidates, and lists of words in the scripts of any CI. */
import {expect, it} from "vitest";
import {stages, steps, workflow} from "./placed.ts";
import {planOf} from "./tree.ts";

const pipeline = (text: string) => ({".buildkite/pipeline.yml": text});

it("reads the commands of steps and groups, for pull requests on Linux", () => {
  const tree = pipeline(`
steps:
  - label: Tests
    command: ["cd lib", "pytest -q"]
  - wait
  - group: Linters
    steps:
      - commands: ["shellcheck $$EXTRA a.sh", "ruff check ."]
  - {label: Publish, command: ./publish.sh}
  - {command: cargo test, branches: main}
  - {command: make check, agents: {os: windows}}
`);
  expect(stages({...tree, "lib/test_a.py": ""})).toEqual(
    expect.arrayContaining(["lint: ruff check .", "lib:test: pytest -q @lib"]),
  );
  const reasons = (planOf({...tree, "lib/test_a.py": ""}).ci ?? []).map(({command, outcome}) =>
    outcome.kind === "listed" ? `${command}: ${outcome.why}` : command,
  );
  expect(reasons).toEqual([
    "pytest -q",
    "shellcheck $EXTRA a.sh: it depends on `$EXTRA`, whose value only CI knows",
    "ruff check .",
  ]);
});

it("reads a pipeline that is a list, and no pipeline", () => {
  expect(stages(pipeline("- command: ruff check .\n"))).toEqual(["lint: ruff check ."]);
  for (const text of ["", "steps: 3", "[1, {steps: [2]}]"]) expect(stages(pipeline(text))).toEqual([]);
});

it("starts no check without the files that its script adds to a list", () => {
  const script = (list: string) => `targets=(${list})\nwhile read -r file; do targets+=("$file"); done < files\n`;
  const tree = (list: string) => ({
    "shellcheck.sh": `#!/bin/bash\n${script(list)}shellcheck -x "\${targets[@]}"\n`,
    ...workflow(steps("run: ./shellcheck.sh")),
  });
  for (const list of ["", "a.sh"]) expect(stages(tree(list))).toEqual(["lint: ./shellcheck.sh"]);
});
