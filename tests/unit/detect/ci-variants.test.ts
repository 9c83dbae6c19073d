/** Commands of CI that differ from the other stages in what they select, and names of jobs that do not stop a check. */
import {describe, expect, it} from "vitest";
import {notes, stages, steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;
const manifest = (scripts: object) => ({"package.json": {scripts, devDependencies: {vitest: "*"}}});
const crate = {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""};
const tests = (tree: Tree): string[] => stages(tree).filter((line) => /^(test|check)/.test(line));

it.each<[string, Tree, string[]]>([
  [
    // pallets/itsdangerous
    "the newest interpreter of a matrix whose rows name the environment of tox, or leave it to the version",
    {
      "tox.ini": "",
      "test_a.py": "",
      ".github/workflows/ci.yml": {
        on: "pull_request",
        jobs: {
          tests: {
            name: "${{ matrix.name || matrix.python }}",
            "runs-on": "${{ matrix.os || 'ubuntu-latest' }}",
            strategy: {
              matrix: {
                include: [
                  {python: "3.13"},
                  {python: "3.12"},
                  {name: "PyPy", python: "pypy-3.11", tox: "pypy311"},
                  {name: "Without", python: "3.13", tox: "plain"},
                  {name: "Mac", python: "3.14", tox: "py314", os: "macos-latest"},
                ],
              },
            },
            steps: [
              {uses: "actions/setup-python@v5", with: {"python-version": "${{ matrix.python }}"}},
              {run: "tox run -e ${{ matrix.tox || format('py{0}', matrix.python) }}"},
            ],
          },
        },
      },
    },
    ["test: tox run -e py3.13", "test-2: tox run -e plain"],
  ],
  [
    "other features of a crate, but not on another toolchain",
    {
      ...crate,
      ...workflow(
        steps(
          "run: cargo test --verbose",
          "run: cargo test -p a --features x",
          "run: cargo +nightly test --features y",
        ),
      ),
    },
    ["test: cargo test --verbose", "test-2: cargo test -p a --features x", "test-3: cargo +nightly test --features y"],
  ],
  [
    "the features that a pattern rule of make selects",
    {
      ...crate,
      Makefile:
        "ARGS?=--workspace\nTARGET ?=\nifneq ($(TARGET),)\nARGS+=--target $(TARGET)\nendif\nF_full = --features x\ntest-%:\n\tcargo test ${F_${@:test-%=%}} ${ARGS}\n",
      ...workflow(steps("run: make test-full")),
    },
    ["test: make test-full"],
  ],
  [
    "a project of Vitest that the other script leaves out, in a form that ends",
    {
      ...manifest({test: "vitest run --project unit", "test:exports": "vitest --project exports"}),
      ...workflow(steps("run: npm test", "run: npm run test:exports")),
    },
    ["test: npm test", "test-2: vitest run --project exports"],
  ],
  [
    "a group of PHPUnit that the whole run contains, and that may need a service",
    {
      "composer.json": {"require-dev": {"phpunit/phpunit": "*"}},
      "phpunit.xml": "",
      ...workflow(steps("run: vendor/bin/phpunit", "run: vendor/bin/phpunit --group Elastica")),
    },
    ["test: vendor/bin/phpunit", "test-2: vendor/bin/phpunit --group Elastica"],
  ],
  [
    "a part of what the other script runs",
    {
      ...manifest({test: "vitest run", "test:exports": "vitest --project exports"}),
      ...workflow(steps("run: npm test", "run: npm run test:exports")),
    },
    ["test: npm test", "test-2: vitest run --project exports"],
  ],
  [
    "a command that must fail, with all of its pipeline",
    {...workflow(steps("run: '! find . -xtype l | grep .'", "run: |\n          ! grep x a\n          true")), a: ""},
    ["check: ! find . -xtype l | grep ."],
  ],
  [
    "a job that is named after a package, or has a database",
    workflow(
      `  package-traits:\n    steps:\n      - run: swift test --disable-default-traits\n  db:\n    services: {redis: {image: redis}}\n    steps:\n      - run: flake8\n      - run: pytest\n`,
    ),
    ["test: swift test --disable-default-traits"],
  ],
  [
    "a variable without a value",
    workflow("  a:\n    env:\n      FLAGS:\n    steps:\n      - run: 'pytest ${{ env.FLAGS }}'\n"),
    ["test: pytest"],
  ],
])("%s", (_, tree, expected) => expect(tests(tree)).toEqual(expected));

const rows = (matrix: string, ...lines: string[]): Tree =>
  workflow(steps(...lines).replace("ubuntu-latest\n", `ubuntu-latest\n    strategy: {matrix: ${matrix}}\n`));
const setUp = (action: string, input: string) => `uses: ${action}\n        with: {${input}}`;
const placed = (tree: Tree) =>
  planOf(tree).stages.map(({command, cwd}) => (cwd === "." ? command : `${cwd}$ ${command}`));
const commandsOfCi = (tree: Tree) => (planOf(tree).ci ?? []).map(({command}) => command);

describe("a matrix gives", () => {
  it.each<[string, Tree, string[]]>([
    [
      "a line for each shard",
      rows("{n: [1, 2]}", "run: 'pytest t${{ matrix.n }}.py'"),
      ["pytest t1.py", "pytest t2.py"],
    ],
    [
      "a line for each row",
      rows("{include: [{n: 1}, {n: 2}]}", "run: 'pytest t${{ matrix.n }}.py'"),
      ["pytest t1.py", "pytest t2.py"],
    ],
    [
      "a line for each name of a channel that selects no tool",
      rows("{s: [stable, dev]}", "run: 'pytest ${{ matrix.s }}'"),
      ["pytest stable", "pytest dev"],
    ],
    [
      "a line for each folder, whose packages an action caches",
      {
        ...rows(
          "{d: [m-1, m-2]}",
          setUp("actions/setup-node@v4", "cache-dependency-path: '${{ matrix.d }}/x.lock'"),
          "run: pytest\n        working-directory: ${{ matrix.d }}",
        ),
        "m-1/a": "",
        "m-2/a": "",
      },
      ["m-1$ pytest", "m-2$ pytest"],
    ],
    [
      "one line for the versions that an action of the tree passes on",
      {
        ...rows(
          "{v: ['3.11', '3.12']}",
          setUp("./set-up", "python: '${{ matrix.v }}'"),
          "run: 'pytest -k${{ matrix.v }}'",
        ),
        "set-up/action.yml":
          "runs: {steps: [{uses: actions/setup-python@v5, with: {python-version: '${{ inputs.python }}'}}]}",
      },
      ["pytest -k3.12"],
    ],
    [
      "one line for the toolchains that another line selects",
      rows("{v: [1, 2]}", "run: 'rustup default ${{ matrix.v }}'", "run: 'pytest -k${{ matrix.v }}'"),
      ["pytest -k2"],
    ],
  ])("%s", (_, tree, expected) => expect(placed(tree)).toEqual(expected));

  it("one line for the versions of an image", () => {
    const job =
      "  a:\n    strategy: {matrix: {v: [1, 2]}}\n    container: 'python:${{ matrix.v }}'\n    steps: [{run: 'pytest -k${{ matrix.v }}'}]\n";
    expect(commandsOfCi(workflow(job))).toEqual(["pytest -k2"]);
  });
  it("a list of the lines that are too many for stages", () => {
    const letters = Array.from({length: 24}, (_, i) => `p${i}x`);
    const tree = rows(`{n: [${letters.join(", ")}]}`, "run: 'pytest ${{ matrix.n }}'");
    expect(placed(tree)).toHaveLength(20);
    expect(commandsOfCi(tree)).toEqual(letters.map((name) => `pytest ${name}`));
    const many = Array.from({length: 300}, (_, i) => i).join(", ");
    expect(notes(rows(`{n: [${many}]}`, "run: 'pytest ${{ matrix.n }}'"))).toContain(
      ".github/workflows/ci.yml job: of its matrix, at most 256 rows were looked at",
    );
  });
});

it("reads the steps after the hundredth", () =>
  expect(placed(workflow(steps(...Array<string>(100).fill("run: echo"), "run: pytest x")))).toEqual(["pytest x"]));

it.each(["merge_group", "[pull_request, merge_group]"])("runs what only the merge queue of `on: %s` runs", (on) => {
  const queued = "  queue:\n    if: github.event_name == 'merge_group'\n    steps:\n      - run: pytest queued\n";
  const pull = "  pull:\n    if: github.event_name == 'pull_request'\n    steps:\n      - run: pytest pull\n";
  const tagged = "  tag:\n    if: startsWith(github.ref, 'refs/tags/')\n    steps:\n      - run: pytest tagged\n";
  const isBoth = on.includes("pull_request");
  expect(placed(workflow(pull + queued + tagged, `on: ${on}`))).toEqual([
    ...(isBoth ? ["pytest pull"] : []),
    "pytest queued",
  ]);
});

it("takes the linters of a job with a database, and of a job that fixes, in their read-only form", () => {
  const job = (name: string, rest: string) =>
    `  ${name}:\n${rest}    steps:\n      - run: flake8\n      - run: black .\n`;
  expect(stages(workflow(job("db", "    services: {redis: {image: redis}}\n")))).toEqual([
    "lint: flake8",
    "lint:black: black --check .",
  ]);
  expect(stages(workflow(job("autofix", "")))).toEqual(["lint: flake8", "lint:black: black --check ."]);
});

it("takes tasks called build-…, prek, and tools packed as .phar", () => {
  const tree = {
    "deno.json": {tasks: {"build-www": "deno run -A build.ts", "check:types": "deno check --allow-import"}},
    ...workflow(steps("run: deno task build-www", "run: prek run --all-files", "run: vendor/bin/psalm.phar")),
  };
  expect(stages(tree).filter((line) => !/deno (lint|fmt)/.test(line))).toEqual([
    "typecheck: vendor/bin/psalm.phar",
    "lint: prek run --all-files",
    "check: deno task build-www",
  ]);
});

it("runs `mvn` alone where CI does, with the goals that the project names", () => {
  const tree = {
    "pom.xml": "<project><defaultGoal>clean verify checkstyle:check</defaultGoal></project>",
    ...workflow(steps("run: mvn --batch-mode -Ddoclint=all")),
  };
  expect(stages(tree)).toEqual(["test: mvn --batch-mode -Ddoclint=all", "build: mvn -B -ntp -DskipTests package"]);
  expect(planOf(tree).notRun).toEqual([]);
  expect(notes(tree)).toContain(
    "pom.xml project: `mvn -B -ntp test` skipped: CI runs `mvn --batch-mode -Ddoclint=all`",
  );
});

it("leaves out what needs macOS, a package that no manifest declares, or an archive of another job", () => {
  const mac = "  robo:\n    runs-on: macos-14\n    steps:\n      - run: ./gradlew robovmTest\n";
  const linux = steps("run: npm i -D @typescript/native-preview", "run: tsgo --noEmit", "run: attw ./package.tgz");
  const tree = {"package.json": {scripts: {}}, gradlew: "", ...workflow(mac + linux)};
  expect(stages(tree)).toEqual([]);
  expect(notes(tree).map((note) => note.replace(/.* skipped: /, ""))).toEqual([
    "CI installs `@typescript/native-preview` before it, which no manifest declares",
    "CI installs `@typescript/native-preview` before it, which no manifest declares",
  ]);
  expect(stages(workflow(mac.replace("./gradlew robovmTest", "pytest")))).toEqual(["test: pytest"]);
  expect(notes(workflow(steps("run: attw ./package.tgz")))[0]).toContain("it needs `./package.tgz`");
  expect(stages(workflow(steps("run: cargo test --target x86_64-unknown-linux-gnu -p a")))).toEqual([
    "test: cargo test -p a",
  ]);
});

it("names the environments of tox that a matrix selects by TOXENV", () => {
  const matrix = "    strategy: {matrix: {env: [lint, docs-check]}}\n    env:\n      TOXENV: ${{ matrix.env }}\n";
  expect(stages(workflow(`  qa:\n${matrix}    steps:\n      - run: tox --skip-pkg-install\n`))).toEqual([
    "lint: tox -e lint",
    "test: tox -e docs-check",
  ]);
});

it("makes a test optional that CI only runs beside a process in the background, and keeps the linters", () => {
  const tree = (...runs: string[]) => ({
    "composer.json": {"require-dev": {"phpunit/phpunit": "*"}},
    "phpunit.xml": "",
    ...workflow(steps(...runs)),
  });
  const beside = tree('run: "node tests/server.js &"', "run: vendor/bin/phpunit", "run: vendor/bin/phpstan analyze");
  expect(planOf(beside).stages.map(({command, optional}) => `${command} ${optional}`)).toEqual([
    "vendor/bin/phpstan analyze false",
    "phpunit true",
  ]);
  expect(accountOf(beside)[1]).toContain("CI starts `node tests/server.js` in the background before it");
  const alone = tree('run: "node a.js && node b.js 2>&1"', "run: vendor/bin/phpunit");
  expect(planOf(alone).stages.find(({kind}) => kind === "test")?.optional).toBe(false);
});

it("adds no type check with other settings of the compiler beside the project's own", () => {
  const tree = {
    "package.json": {scripts: {"type-tests": "tsc -p tsconfig.test.json"}, devDependencies: {typescript: "*"}},
    ...workflow(steps("run: npm run type-tests", "run: npx tsc -p tsconfig.test.json --module ESNext")),
  };
  expect(stages(tree)).toEqual([
    "typecheck: npm run type-tests",
    "typecheck:tsc: tsc -p tsconfig.test.json --module ESNext",
  ]);
});

it("runs each command that sbt is given as a stage, unless one changes the others", () => {
  const tree = (run: string) => ({"build.sbt": "", ...workflow(steps(`run: ${run}`))});
  expect(stages(tree(`sbt scalafmtCheckAll "scalafixAll --check" test scripted`))).toEqual([
    'test: sbt scalafmtCheckAll "scalafixAll --check" test scripted',
    "build: sbt Test/compile",
  ]);
  expect(stages(tree("sbt ++2.13 scripted"))).not.toContain("test: sbt scripted");
});

it("runs a command of one package in its folder", () => {
  const tree = {
    "package.json": {workspaces: ["packages/*"]},
    "package-lock.json": "",
    "packages/a/package.json": {name: "@x/a", scripts: {"test:unit": "mocha"}},
    "packages/b/package.json": {name: "b", scripts: {"test:b": "mocha"}},
    "packages/b/dist/package.json": {name: "b"},
    ...workflow(steps("run: npm run test:unit -w @x/a", "run: npm --workspace=b run test:b")),
  };
  expect(stages(tree).filter((line) => line.includes("test"))).toEqual([
    "test: npm run test:unit -w @x/a",
    "test-2: npm --workspace=b run test:b",
    "test-3: npm run test:unit --workspaces --if-present",
  ]);
});

it("adds the wider check of a tool, and takes scripts in test folders and installed tools behind npx", () => {
  const scripts = {
    lint: "biome lint .",
    "lint:scss": "npx stylelint '**/*.scss'",
    changed: "vitest --changed origin/main",
  };
  const tree = {
    "package.json": {scripts, devDependencies: {"@biomejs/biome": "*", vitest: "*"}},
    "scripts/test/tz.sh": "TZ=utc node a.js\n",
    "scripts/test/setup.sh": "node b.js\n",
    ...workflow(
      steps(
        "run: npx biome check .",
        "run: npm run lint:scss",
        "run: ./scripts/test/setup.sh",
        "run: ./scripts/test/tz.sh",
        "run: npm run changed",
      ).replace("  job:", "  release:"),
    ),
  };
  expect(stages(tree)).toEqual([
    "lint: stylelint '**/*.scss'",
    "lint:biome: biome check .",
    "check: ./scripts/test/tz.sh",
  ]);
  expect(notes(tree).join()).toContain("it compares with `origin/main`, which a fresh checkout may lack");
});

it("takes no configuration of a build for a check, and no Apple framework for Linux", () => {
  expect(stages(workflow(steps("run: cmake --preset=ci-sanitize")))).toEqual([]);
  expect(stages(workflow(steps("run: cmake --build made")))).toEqual([]);
  const view = {"Package.swift": ".testTarget(", "Sources/A.swift": "import SwiftUI\n"};
  expect(stages(view)).toEqual([]);
  expect(planOf(view).notRun[0]?.why).toContain("`Sources/A.swift` needs a framework that only Apple's systems have");
  expect(stages({...view, "Sources/A.swift": "#if canImport(SwiftUI)\nimport SwiftUI\n#endif\n"})).toHaveLength(2);
});

it.each([
  ["docker compose up -d db", "CI starts `docker compose up -d` in the background before it"],
  ["sudo apt-get install -y rabbitmq-server", "CI starts `rabbitmq-server` in the background before it"],
  ["apt-get install postgresql-client", null],
])("adds no test, but a linter, after `%s`", (step, why) => {
  const tree = workflow(steps(`run: ${step}`, "run: gulp unitTest", "run: codespell -w docs"));
  expect(stages(tree)).toEqual(["lint: codespell docs", ...(why === null ? ["test: gulp unitTest"] : [])]);
  expect(
    notes(tree)
      .join()
      .includes(why ?? "skipped: "),
  ).toBe(why !== null);
});

it("takes the tests under coverage, and of a task of moon", () => {
  const django = {
    "manage.py": "import django",
    "conftest.py": "",
    "pyproject.toml": "[tool.pytest.ini_options]",
    "test_a.py": "",
  };
  expect(stages({...django, ...workflow(steps("run: coverage run manage.py test"))})).toContain(
    "test: coverage run manage.py test",
  );
  const moon = {".moon/workspace.yml": ""};
  expect(stages({...moon, ...workflow(steps("run: moon run :test-unit"))})).toEqual(["test: moon run :test-unit"]);
  const browser = workflow("  e2e:\n    steps:\n      - run: moon run :unit\n      - run: moon run :test\n");
  expect(stages({...moon, ...browser})).toEqual(["test: moon run :unit", "test-2: moon run :test"]);
});

it("generates code in the set-up where CI does, after the install", () => {
  const tree = (run: string) => ({
    "package.json": {scripts: {test: "vitest run", gen: "prisma generate"}, devDependencies: {vitest: "*"}},
    "package-lock.json": "",
    ...workflow(
      `  db:\n    services: {db: {image: postgres}}\n${steps(`run: ${run}`, "run: npm test").replace("  job:\n", "")}`,
    ),
  });
  for (const run of ["npx prisma generate", "npm run gen"]) {
    const {setup, ci = []} = planOf(tree(run));
    expect(setup.map(({command}) => command)).toEqual(["npm ci --ignore-scripts --no-audit --no-fund", run]);
    expect(setup[1]?.inputs).toEqual(["**/*.prisma"]);
    expect(ci[0]?.outcome).toEqual({kind: "covered", by: ["setup"]});
  }
  expect(planOf(tree("npx prisma generate && npx prisma db push")).setup).toHaveLength(2);
  expect(planOf(tree("if true; then npx prisma generate; fi")).setup).toHaveLength(1);
});

it("starts an installed program by its name", () => {
  const tree = {
    "web/package.json": {scripts: {"type-check": "tsc"}},
    ...workflow(steps("run: $(go env GOPATH)/bin/staticcheck ./...", "run: $HOME/.cargo/bin/typos")),
  };
  expect(stages(tree)).toEqual([
    "web:typecheck: npm run type-check @web",
    "lint: staticcheck ./...",
    "lint:typos: typos",
  ]);
});
