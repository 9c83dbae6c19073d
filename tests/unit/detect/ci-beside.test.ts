/** What CI runs, next to what the rest of the tree says. */
import {describe, expect, it} from "vitest";
import {notes, stages, steps, workflow} from "./placed.ts";
import {planOf} from "./tree.ts";

describe("CI beside other evidence", () => {
  const scripts = {"package.json": {scripts: {test: "mocha", "test:ci": "mocha --forbid-only", lint: "eslint ."}}};
  it("runs each command of CI, and no test of a manifest next to them", () => {
    const of = (...lines: string[]) =>
      stages({...scripts, ...workflow(steps(...lines))}).filter((one) => /test/.test(one));
    expect(of("run: npx ava a.js", "run: npx ava --serial a.js", "run: npx ava b.js")).toEqual([
      "test: ava a.js",
      "test-2: ava --serial a.js",
      "test-3: ava b.js",
    ]);
    expect(of(...["a", "b", "c", "d", "e", "f"].map((way) => `run: npx ava ${way}.js`))).toHaveLength(6);
    expect(of("run: npx mocha slow.js")).toEqual(["test: mocha slow.js"]);
    expect(of("run: tox -e py314")).toEqual(["test: tox -e py314"]);
  });
  it("runs the targets of one call of nx together, without a recorder", () => {
    const tree = {
      "package.json": {scripts: {test: "nx run-many -t test"}},
      "nx.json": {},
      ...workflow(
        steps(
          "name: tests and e2e\n        run: pnpm nx affected -t test check-docs lint,e2e-ci --configuration ci",
          "run: pnpm nx-cloud record -- pnpm nx sync:check",
        ),
      ),
    };
    expect(stages(tree)).toEqual([
      "test: pnpm nx run-many -t test check-docs lint --configuration ci",
      "check: pnpm nx sync:check",
    ]);
  });
  it("takes a command for a check by its words, and no download, service or script of the pull request", () => {
    const tree = {
      "bin/console": "#!/usr/bin/env php\n",
      "tools/check-links.py": "",
      "tools/lint-change.sh": "git diff origin/main\n",
      Makefile: "test-ns:\n\t./ns.sh\ntest-%:\n\tdocker run x $*\n",
      ...workflow(
        steps(
          ...[
            "./bin/console lint:yaml config",
            "python tools/check-links.py",
            "tools/lint-change.sh",
            "./absent check",
          ],
          ...["fpb-lint books", "make test-ns", "make test-install", "twine check dist/*", "check-wheel-contents dist"],
          ...["git check-ignore x", "vitest run --shard=1/2", "vitest run --shard=2/2", "kubectl test x"],
        ).replaceAll("- ", "- run: "),
      ),
    };
    expect(stages(tree)).toEqual([
      "test: vitest run",
      "check: python tools/check-links.py",
      "check-2: fpb-lint books",
      "check-3: make test-ns",
    ]);
  });
  it("names services only for a stage that CI never runs without them", () => {
    const jobs = "  a:\n    services: {redis: {image: redis}}\n    steps: [{run: npm test}]\n";
    const servicesOf = (text: string) => planOf({...scripts, ...workflow(text)}).stages.map((stage) => stage.services);
    expect(servicesOf(jobs)).toContainEqual(["redis"]);
    expect(servicesOf(`${jobs}  b:\n    steps: [{run: npm test}]\n`)).not.toContainEqual(["redis"]);
  });
  it("adds nothing that looks at what the action of the repository has done", () => {
    const tree = {...scripts, "check.sh": "", "verify-node.sh": ""};
    const runs = ["run: ./check.sh", "uses: ./", "run: ./verify-node.sh 24"];
    expect(stages({...tree, ...workflow(steps(...runs))})).toEqual([
      "lint: npm run lint",
      "test: npm run test",
      "check: ./check.sh",
    ]);
  });
  it("builds with each task of Gradle that CI runs", () => {
    const tree = {"build.gradle": "", gradlew: "exec java\n"};
    const runs = ["run: ./gradlew -Pjava=8 build", "run: ./gradlew build"];
    expect(stages({...tree, ...workflow(steps(...runs))})).toEqual([
      "build: ./gradlew -Pjava=8 build",
      "build-2: ./gradlew build",
    ]);
  });
  it("runs a tool as often as CI starts it", () => {
    expect(stages({...scripts, ...workflow(steps("run: npm run lint", "run: npx eslint ."))})).toEqual([
      "lint: npm run lint",
      "lint:eslint: eslint .",
      "test: npm run test",
    ]);
  });
  it("starts no script that rewrites files, though CI does", () => {
    const tree = {
      "package.json": {scripts: {tidy: "prettier --write .", "lint:all": "eslint . --fix"}},
      ...workflow(steps("run: npm run tidy && git diff --exit-code", "run: npm run lint:all")),
    };
    expect(stages(tree)).toEqual(["lint: eslint ."]);
    expect(notes(tree).join("\n")).toMatch(/`npm run tidy` skipped: .* rewrites files/);
  });
  it("adds a linter that nothing else asks for", () => {
    expect(stages({...scripts, ...workflow(steps("run: codespell"))})).toContain("lint: codespell");
  });
  it("starts a program that CI has downloaded beside it by its name", () => {
    expect(stages({...scripts, ...workflow(steps("run: ./shfmt --diff ."))})).toContain("lint: shfmt --diff .");
    expect(stages({...scripts, shfmt: "#!/bin/sh\n", ...workflow(steps("run: ./shfmt --diff ."))})).toContain(
      "lint: ./shfmt --diff .",
    );
    expect(stages(workflow(steps("run: shellcheck-v0.7.1/shellcheck a.sh")))).toEqual(["lint: shellcheck a.sh"]);
  });
  it.each(["ninja -C made", "ctest --test-dir made", "bash utils/docker/build.sh", "./e2e/test.sh"])(
    "starts nothing that needs what an earlier step made, or a service: %s",
    (run) => {
      const tree = {
        "utils/docker/build.sh": "echo $X\n",
        "e2e/test.sh": "echo $X\n",
        ...workflow(steps(`run: ${run}`)),
      };
      expect(stages(tree)).toEqual([]);
      expect(notes(tree).join("\n")).toMatch(/an earlier step creates|needs a/);
    },
  );
  it("takes `make` alone for a build where it makes C, and nowhere else", () => {
    const ci = workflow(steps("run: make -j4"));
    const Makefile = "default: lib\nlib:\n\tcc -c lib/a.c\n";
    expect(stages({...ci, Makefile, "lib/a.c": ""})).toEqual(["build: make -j4"]);
    expect(stages({...ci, Makefile: "default:\n\t./deliver.sh\n"})).toEqual([]);
  });
  it("runs the tests once, where a target runs them and something else, and CI them alone", () => {
    const tree = {
      Gemfile: 'gem "rspec"\n',
      "spec/a_spec.rb": "",
      Makefile: "test:\n\tbundle exec rspec\n\tbrakeman -q\n",
    };
    expect(stages({...tree, ...workflow(steps("run: bundle exec rspec"))})).toEqual(["test: bundle exec rspec"]);
    expect(stages(tree)).toEqual(["test: make test"]);
  });
});

describe("what CI says in a roundabout way", () => {
  it("follows actions and workflows of the repository, also where they are named from its top by a dollar", () => {
    const tree = {
      ...workflow(
        "  call:\n    uses: $/.github/workflows/lint.yml\n  job:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: $/.github/actions/a\n",
      ),
      ".github/workflows/lint.yml":
        "on: workflow_call\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: flake8 src\n",
      ".github/actions/a/action.yml":
        "runs:\n  using: composite\n  steps:\n    - run: trial tests\n      shell: bash\n",
    };
    expect(stages(tree)).toEqual(["lint: flake8 src", "test: trial tests"]);
  });

  it("runs a script of CI as a whole", () => {
    const tree = {
      ...workflow(steps("run: scripts/check")),
      "scripts/check":
        '#!/bin/sh -e\nexport PREFIX=""\nexport SOURCES="a tests"\n${PREFIX}mypy $SOURCES\n${PREFIX}ruff check $SOURCES\n${PREFIX}ruff format --check $SOURCES\n',
      "pyproject.toml":
        '[project]\nname = "a"\n[dependency-groups]\ndev = ["mypy", "ruff"]\n[tool.mypy]\nstrict = true\n[tool.ruff.lint]\nselect = ["E"]\n',
      "uv.lock": "",
      "a/__init__.py": "",
    };
    expect(stages(tree)).toEqual(["check: scripts/check"]);
    expect(stages({...tree, "scripts/check": "#!/bin/sh\nruff check a\nruff check tests\n"})).toContain(
      "lint: scripts/check",
    );
  });

  it("reads the arguments that CI gives to a script", () => {
    const scripts = {"package.json": {scripts: {fmt: "oxfmt -c x.json"}}, "bun.lock": ""};
    expect(stages({...scripts, ...workflow(steps("run: bun fmt --check"))})).toEqual(["lint: bun fmt --check"]);
    expect(stages({...scripts, ...workflow(steps("run: bun fmt"))})).toEqual([]);
  });

  it("does not take a workflow that renews and commits files for one that asks for a check", () => {
    const tree = (name: string, last: string) => ({
      ...workflow(steps("run: pytest")),
      "pytest.ini": "",
      "tests/test_a.py": "",
      [`.github/workflows/${name}.yml`]: `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm run build --prefix src/ui\n      - uses: ${last}\n`,
      "src/ui/package.json": {scripts: {build: "vite build"}},
    });
    expect(stages(tree("update-assets", "stefanzweifel/git-auto-commit-action@v5"))).toEqual(["test: pytest"]);
    expect(stages(tree("update-assets", "actions/upload-artifact@v5"))).toHaveLength(2);
    expect(stages(tree("build", "stefanzweifel/git-auto-commit-action@v5"))).toHaveLength(2);
  });
});

it.each([
  ["mvn verify -DskipTests", "build: mvn verify -DskipTests"],
  ["mvn verify", "test: mvn verify"],
  ["gradle check -x test", "build: gradle check -x test"],
  ["cargo test --no-run", "build: cargo test --no-run"],
])("a command that switches its tests off is no test: %s", (run, stage) => {
  expect(stages(workflow(steps(`run: ${run}`)))).toEqual([stage]);
});
