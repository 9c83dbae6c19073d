/** The versions of tools in CI's jobs: the newest one, and others than those of this machine. */
import {expect, test} from "vitest";
import {newest, noteOtherVersions, versionsOfCi} from "../../../src/detect/ci/tool-versions.ts";
import {plannedStage} from "../../rig/plans.ts";
import {projectOf} from "./tree.ts";

test.each([
  // muesli/reflow, .github/workflows/build.yml
  [["~1.11", "^1"], "^1"],
  // pydantic/pydantic-settings
  [["3.10", "3.14", "3.9"], "3.14"],
  [["1.22", "oldstable", "stable"], "stable"],
  [["oldstable", "1.21"], "oldstable"],
  [["lts/*", "20", "latest"], "latest"],
  [["20", "lts/*"], "lts/*"],
  [["22.1", "22.x", "20"], "22.x"],
  [["1.60", "stable", "beta", "nightly"], "stable"],
  [["3.14", "3.15-dev", "pypy3.11"], "3.14"],
  [["17", "21", "25-ea"], "21"],
  [["~1.20.1", "1.19"], "~1.20.1"],
  [[">=1.20", "1.25"], ">=1.20"],
  [["nightly"], "nightly"],
  [[], null],
])("the newest of %j is %s", (versions, version) => {
  expect(newest(versions)).toBe(version);
});

const step = (uses: string, input = "", name = "x") =>
  `{name: ${name}, uses: ${uses}${input === "" ? "" : `, with: {${input}}`}}`;
const job = (matrix: string, steps: string, system = "ubuntu-latest") =>
  `{runs-on: "${system}", strategy: {matrix: ${matrix}}, steps: [${steps}]}`;
const workflow = (jobs: string, on = "[push, pull_request]") => ({
  ".github/workflows/ci.yml": `on: ${on}\njobs: {${jobs}}\n`,
});
const NODE = step("actions/setup-node@v4", 'node-version: "${{ matrix.v }}"');
const GO = step("actions/setup-go@v5", 'go-version: "${{ matrix.v }}"');
const RUST = step("dtolnay/rust-toolchain@master", 'toolchain: "${{ matrix.v }}"');
const notes = (tree: Record<string, string>, program: string, version: string, keys: readonly string[] = []) =>
  noteOtherVersions(
    versionsOfCi(
      projectOf(tree),
      keys.map((key) => plannedStage({name: `${key}-stage`, origin: {file: ".github/workflows/ci.yml", key, why: ""}})),
    ),
    new Map([[program, version]]),
  ).map(({text}) => text);

test.each([
  ["node", "20.11.1", workflow(`a: ${job("{v: [22, 24]}", NODE)}`), ["20.11.1 runs here, but CI uses 22, 24"]],
  ["node", "20.11.1", workflow(`a: ${job("{v: [20.x, 24]}", NODE)}`), []],
  [
    "node",
    "20.11.1",
    {
      ".github/workflows/ci.yml": `on: pull_request\nenv: {NODE: 18}\njobs: {a: ${job("{}", step("actions/setup-node@v4", 'node-version: "${{ env.NODE }}"'))}}\n`,
    },
    ["20.11.1 runs here, but CI uses 18"],
  ],
  [
    "node",
    "20.11.1",
    {...workflow(`a: ${job("{}", step("actions/setup-node@v4", "node-version-file: .nvmrc"))}`), ".nvmrc": "v18\n"},
    ["20.11.1 runs here, but CI uses v18"],
  ],
  [
    "go",
    "1.24.8",
    {
      ...workflow(`a: ${job("{}", step("actions/setup-go@v5", "go-version-file: go.mod"))}`),
      "go.mod": "module a\n\ngo 1.22\n",
    },
    ["1.24.8 runs here, but CI uses 1.22"],
  ],
  // Which version a name is, is not known here.
  ["node", "20.11.1", workflow(`a: ${job('{v: [24, "lts/*"]}', NODE)}`), []],
  ["go", "1.26.8", workflow(`a: ${job('{v: ["~1.11", "^1"]}', GO)}`), []],
  ["go", "2.0.0", workflow(`a: ${job('{v: ["~1.11", "^1"]}', GO)}`), ["2.0.0 runs here, but CI uses ~1.11, ^1"]],
  ["go", "1.19.8", workflow(`a: ${job('{v: [">=1.20"]}', GO)}`), ["1.19.8 runs here, but CI uses >=1.20"]],
  ["go", "1.24.8", workflow(`a: ${job('{v: [">=1.20"]}', GO)}`), []],
  ["cargo", "1.95.0", workflow(`a: ${job("{v: [nightly]}", RUST)}`), ["1.95.0 runs here, but CI uses nightly"]],
  ["cargo", "1.97.0-nightly", workflow(`a: ${job("{v: [nightly]}", RUST)}`), []],
  [
    "cargo",
    "1.95.0",
    workflow(`a: ${job("{}", step("dtolnay/rust-toolchain@1.85.0"))}`),
    ["1.95.0 runs here, but CI uses 1.85.0"],
  ],
  [
    "cargo",
    "1.95.0",
    workflow(`a: ${job("{}", step("dtolnay/rust-toolchain@4be9e76fd7c4901c61fb841f559994984270fce7"))}`),
    [],
  ],
  // Another program, another system, another event.
  [
    "python3",
    "2.7",
    workflow(
      `a: ${job('{v: ["pypy3.10", "3.12"]}', step("actions/setup-python@v6", 'python-version: "${{ matrix.v }}"'))}`,
    ),
    ["2.7 runs here, but CI uses 3.12"],
  ],
  [
    "node",
    "20.1.0",
    workflow(`a: ${job("{v: [22]}", NODE)}, b: ${job("{v: [20]}", NODE, "windows-latest")}`),
    ["20.1.0 runs here, but CI uses 22"],
  ],
  [
    "node",
    "20.1.0",
    {
      ...workflow(`a: ${job("{v: [22]}", NODE)}`),
      ".github/workflows/r.yml": `on: {push: {tags: ["v*"]}}\njobs: {a: ${job("{v: [20]}", NODE)}}\n`,
    },
    ["20.1.0 runs here, but CI uses 22"],
  ],
])("%s %s here: CI's row is named if it is another", (program, version, tree, expected) => {
  expect(notes(tree, program, version)).toEqual(expected);
});

test("a stage from a job with another version is named, because the other jobs have the installed one", () => {
  // mitsuhiko/similar, .github/workflows/tests.yml
  const jobs = `latest: ${job("{v: [stable]}", RUST)}, old: ${job("{v: [1.85.0]}", `${RUST}, ${step("a/b@v1", "", "Check")}`)}`;
  expect(notes(workflow(jobs), "cargo", "1.95.0", ["latest", "Check"])).toEqual([
    "1.95.0 runs here, but CI runs `Check-stage` with 1.85.0",
  ]);
});

test("a step of one name in several jobs counts with the version of the job that has its command", () => {
  // stleary/JSON-java, .github/workflows/pipeline.yml: a job for each version, and each calls its step the same
  const run = '{name: Run Tests, run: "mvn test -D release=${{ matrix.java }}"}';
  const jobs = [17, 21, 25].map((version) => {
    const java = step("actions/setup-java@v5", 'java-version: "${{ matrix.java }}"');
    return `build-${version}: ${job(`{java: [${version}]}`, `${java}, ${run}`)}`;
  });
  const origin = {file: ".github/workflows/ci.yml", key: "Run Tests", why: ""};
  const stages = [17, 21, 25].flatMap((version) =>
    ["a", "b"].map((name) =>
      plannedStage({name: `${name}-${version}`, command: `mvn test -D release=${version}`, origin}),
    ),
  );
  const found = noteOtherVersions(
    versionsOfCi(projectOf(workflow(jobs.join(", "))), stages),
    new Map([["java", "17.0.15"]]),
  );
  expect(found).toEqual([
    {about: "java version", text: "17.0.15 runs here, but CI runs `a-21`, `b-21` with 21", by: ["a-21", "b-21"]},
    {about: "java version", text: "17.0.15 runs here, but CI runs `a-25`, `b-25` with 25", by: ["a-25", "b-25"]},
  ]);
});
