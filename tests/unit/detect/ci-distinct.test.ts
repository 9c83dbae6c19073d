/** Commands of CI that start one tool in different ways, each of which is a check of its own. */
import {expect, it} from "vitest";
import {stages, steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;
const outcomes = (tree: Tree): string[] =>
  (planOf(tree).ci ?? []).map(({command, outcome}) =>
    outcome.kind === "listed" ? `${command}: ${outcome.why}` : `${command} → ${JSON.stringify(outcome)}`,
  );

it.each<[string, Tree, string[]]>([
  [
    "the same tests in a later step with another variable",
    {
      "mix.exs": "project",
      ...workflow(
        steps(
          "run: mix test",
          "run: mix test\n        env: {SCHEMA: term, CI: 1}",
          "run: mix test\n        env: {PIP_INDEX: a}",
        ),
      ),
    },
    ["test: mix test", "test-2: mix test", "build: mix compile"],
  ],
  [
    "a target that checks another folder with the same options",
    {
      Makefile:
        "check:\n\tcd a; cargo check --no-default-features\ncheck-b:\n\tcd b; cargo check --no-default-features\n",
      ...workflow(steps("run: make check", "run: make check-b")),
    },
    ["typecheck: make check", "typecheck-2: make check-b"],
  ],
  [
    "tests that a tool skips without an option",
    {
      "pubspec.yaml": "name: a",
      "test/a.dart": "",
      ...workflow(steps("run: dart test", "run: dart test --run-skipped -t slow")),
    },
    ["typecheck: dart analyze", "test: dart test", "test-2: dart test --run-skipped -t slow"],
  ],
  [
    "a property of Gradle that switches something on, and a build with linters",
    {
      gradlew: "",
      "build.gradle.kts": "",
      ...workflow(
        steps(
          "run: ./gradlew ktlintCheck build",
          "run: ./gradlew -PnewKotlin ktlintCheck build",
          "run: ./gradlew -Pv=1 ktlintCheck build",
        ),
      ),
    },
    [
      "test: ./gradlew ktlintCheck build",
      "test-2: ./gradlew -PnewKotlin ktlintCheck build",
      "test-3: ./gradlew -Pv=1 ktlintCheck build",
      "build: ./gradlew assemble",
    ],
  ],
  [
    "the sessions of nox by their names",
    workflow(steps('run: nox -s "tests-3.12"', "run: nox --session lint", "run: nox -s docs")),
    ["lint: nox --session lint", 'test: nox -s "tests-3.12"', "build: nox -s docs"],
  ],
  [
    "tasks of sbt by their names, and not the usual task in their place",
    {
      "build.sbt": "",
      ...workflow(steps("run: sbt testJVM", "run: sbt +plugin/testFull", "run: sbt mimaReportBinaryIssues")),
    },
    [
      "test: sbt testJVM",
      "test-2: sbt +plugin/testFull",
      "build: sbt Test/compile",
      "check: sbt mimaReportBinaryIssues",
    ],
  ],
  [
    "the alias of dune for tests",
    workflow(steps("run: opam exec -- dune build @check @runtest")),
    ["test: opam exec -- dune build @check @runtest"],
  ],
  [
    "a workspace of Cabal, by the former names of its commands",
    {
      "cabal.project": "packages: a/*.cabal",
      "stack.yaml": "",
      "a/a.cabal": "test-suite t\n",
      ...workflow(steps("run: cabal v2-build all 2>&1 | tee log", "run: cabal v2-test all")),
    },
    ["test: cabal v2-test all", "build: cabal v2-build all"],
  ],
  [
    "the tests of mix under coverage, and Cucumber's task",
    workflow(steps("run: mix coveralls.json", "run: bundle exec rake cuke")),
    ["test: mix coveralls.json", "check: bundle exec rake cuke"],
  ],
  [
    "no script that reads the history",
    {"ci/check-titles.sh": "git --no-pager log --pretty=format:%s\n", ...workflow(steps("run: ci/check-titles.sh"))},
    [],
  ],
])("takes %s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));

it("lists a check that CI runs without the packages for development", () => {
  const jobs = `${steps("run: npm ci", "run: npm test")}${steps("run: npm ci --omit=dev", "run: node scripts/smoke.js").replace("job:", "smoke:")}`;
  const manifest = '{"scripts": {"test": "node --test"}}';
  const tree = {"package.json": manifest, "package-lock.json": "{}", "scripts/smoke.js": "", ...workflow(jobs)};
  expect(stages(tree)).toEqual(["test: npm test"]);
  expect(JSON.stringify(planOf(tree).ci)).toContain("`npm ci --omit=dev`, without the packages for development");
  const removed = (after: string) =>
    workflow(steps("run: npm ci", "run: npm test", "run: rm -rf dist ./node_modules", after));
  expect(JSON.stringify(planOf({...tree, ...removed("run: node smoke.js")}).ci)).toContain(
    "`rm -rf dist ./node_modules`, without the packages",
  );
  expect(accountOf({...tree, ...removed("run: npm ci && npm run lint")}).join()).not.toContain("without the packages");
  // What only looks like an install puts no packages back.
  expect(accountOf({...tree, ...removed("run: node smoke.js -i")}).join()).toContain("without the packages");
});

it("copies a new file as CI does, and lists a check that CI runs after it has replaced a file", () => {
  const tree = (...copies: string[]) => {
    const files = {"package.json": '{"scripts": {"test": "node --test"}}', "a.json": "{}", "b.json": "{}"};
    return {...files, ...workflow(steps(...copies, "run: npm test"))};
  };
  const setUp = (...copies: string[]) => planOf(tree(...copies)).setup.map(({command}) => command);
  // t3-oss/create-t3-turbo, mitsuhiko/minijinja
  expect(setUp("run: cp a.json .env")).toEqual(["cp a.json .env"]);
  expect(setUp("run: cp a.json b.json")).toEqual([]);
  expect(accountOf(tree("run: cp a.json b.json")).join()).toContain(
    "`cp a.json b.json`, which replaces a file of the tree",
  );
  // servo/rust-url: the lock file of the oldest version is not that of the others.
  const old = "{run: cp a.json c.json, if: \"matrix.v == '1.63'\"}";
  const rust = "{uses: dtolnay/rust-toolchain@v1, with: {toolchain: '${{ matrix.v }}'}}";
  const rows = "strategy: {matrix: {v: [stable, '1.63']}}\n    steps:";
  const files = {"Cargo.toml": "[package]\nname = 'x'", "a.json": "{}"};
  const workflows = workflow(steps(rust, old, "run: cargo test").replace("steps:", rows));
  expect(planOf({...files, ...workflows}).setup.map(({command}) => command)).not.toContain("cp a.json c.json");
});

it("counts a command of another folder as covered only where that folder is checked", () => {
  const tree = {
    Makefile: "test:\n\tcd a; cargo test\n\tmake -C lib test\nb:\n\tcd b; cargo test\n",
    "lib/Makefile": "test:\n\tprove t\n",
    ...workflow(steps("run: make test", "run: make -C lib test", "run: make b")),
  };
  expect(outcomes(tree)).toEqual([
    'make test → {"kind":"stage","stage":"test"}',
    'make -C lib test → {"kind":"stage","stage":"test-2"}',
    'make b → {"kind":"stage","stage":"test-3"}',
  ]);
});

it("runs tests with each variant of a matrix, and those of another job with other variables", () => {
  const job = (name: string, rest: string) => `  ${name}:\n    runs-on: ubuntu-latest\n${rest}`;
  const own =
    "    steps:\n      - uses: actions/setup-python@v6\n        with: {python-version: '${{ matrix.python }}'}\n" +
    "      - run: pytest\n        env: {BACKEND: '${{ matrix.backend }}', PY: '${{ matrix.python }}'}\n";
  const matrix = "    strategy: {matrix: {backend: [sqlite, memory], python: ['3.9', '3.12']}}\n";
  const commands = (jobs: string) => planOf(workflow(jobs)).stages.map(({command, env}) => [command, env["BACKEND"]]);
  expect(commands(job("a", matrix + own))).toEqual([
    ["pytest", "sqlite"],
    ["pytest", "memory"],
  ]);
  const inJob = (backend: string) => `    env: {BACKEND: ${backend}}\n    steps:\n      - run: pytest\n`;
  const twoJobs = job("a", inJob("sqlite")) + job("b", inJob("memory"));
  expect(commands(twoJobs)).toEqual([
    ["pytest", "sqlite"],
    ["pytest", "memory"],
  ]);
  expect(accountOf(workflow(twoJobs))).toEqual(["stage pytest → test", "stage BACKEND=memory pytest → test-2"]);
});
