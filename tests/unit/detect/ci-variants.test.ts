/** Commands of CI that differ from the other stages in what they select, and names of jobs that do not stop a check. */
import {expect, it} from "vitest";
import {notes, stages, steps, workflow} from "./placed.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;
const manifest = (scripts: object) => ({"package.json": {scripts, devDependencies: {vitest: "*"}}});
const crate = {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""};
const tests = (tree: Tree): string[] => stages(tree).filter((line) => /^(test|check)/.test(line));

it.each<[string, Tree, string[]]>([
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
    ["test: cargo test", "test-2: cargo test -p a --features x"],
  ],
  [
    "the features that a pattern rule of make selects",
    {
      ...crate,
      Makefile:
        "ARGS?=--workspace\nTARGET ?=\nifneq ($(TARGET),)\nARGS+=--target $(TARGET)\nendif\nF_full = --features x\ntest-%:\n\tcargo test ${F_${@:test-%=%}} ${ARGS}\n",
      ...workflow(steps("run: make test-full")),
    },
    ["test: cargo test", "test-2: make test-full"],
  ],
  [
    "a project of Vitest that the other script leaves out, in a form that ends",
    {
      ...manifest({test: "vitest run --project unit", "test:exports": "vitest --project exports"}),
      ...workflow(steps("run: npm test", "run: npm run test:exports")),
    },
    ["test: vitest run --project unit", "test-2: vitest run --project exports"],
  ],
  [
    "a group of PHPUnit that the whole run contains, and that may need a service",
    {
      "composer.json": {"require-dev": {"phpunit/phpunit": "*"}},
      "phpunit.xml": "",
      ...workflow(steps("run: vendor/bin/phpunit", "run: vendor/bin/phpunit --group Elastica")),
    },
    ["test: phpunit"],
  ],
  [
    "a part of what the other script runs",
    {
      ...manifest({test: "vitest run", "test:exports": "vitest --project exports"}),
      ...workflow(steps("run: npm test", "run: npm run test:exports")),
    },
    ["test: vitest run"],
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

it("takes the linters of a job with a database, and those that an autofix job only starts", () => {
  const job = (name: string, rest: string) =>
    `  ${name}:\n${rest}    steps:\n      - run: flake8\n      - run: black .\n`;
  expect(stages(workflow(job("db", "    services: {redis: {image: redis}}\n")))).toEqual([
    "lint: flake8",
    "lint:black: black --check .",
  ]);
  expect(stages(workflow(job("autofix", "")))).toEqual(["lint: flake8"]);
});

it("takes tasks called build-…, prek, and tools packed as .phar", () => {
  const tree = {
    "deno.json": {tasks: {"build-www": "deno run -A build.ts", "check:types": "deno check --allow-import"}},
    ...workflow(steps("run: deno task build-www", "run: prek run --all-files", "run: vendor/bin/psalm.phar")),
  };
  expect(stages(tree).filter((line) => !/deno (lint|fmt)/.test(line))).toEqual([
    "typecheck: deno task check:types",
    "typecheck-2: vendor/bin/psalm.phar",
    "lint:prek: prek run --all-files",
    "build: deno task build-www",
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
    "pom.xml project: `mvn -B -ntp test` skipped: `mvn --batch-mode -Ddoclint=all` already runs it",
  );
});

it("leaves out what needs macOS, a package that no manifest declares, or an archive of another job", () => {
  const mac = "  robo:\n    runs-on: macos-14\n    steps:\n      - run: ./gradlew robovmTest\n";
  const linux = steps("run: npm i -D @typescript/native-preview", "run: tsgo --noEmit", "run: attw ./package.tgz");
  const tree = {"package.json": {scripts: {}}, gradlew: "", ...workflow(mac + linux)};
  expect(stages(tree)).toEqual([]);
  expect(notes(tree).map((note) => note.replace(/.* passed over: /, ""))).toEqual([
    "CI runs it on macOS only",
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
    "lint: tox -e lint --skip-pkg-install",
    "test: tox -e docs-check --skip-pkg-install",
  ]);
});
