/** What CI adds to, and chooses among, what the rest of the tree says. */
import {describe, expect, it} from "vitest";
import {notes, stages, steps, workflow} from "./placed.ts";
import {planOf} from "./tree.ts";

describe("CI beside other evidence", () => {
  const scripts = {"package.json": {scripts: {test: "mocha", "test:ci": "mocha --forbid-only", lint: "eslint ."}}};
  it("chooses between candidates", () => {
    expect(stages({...scripts, ...workflow(steps("run: npm run test:ci"))})).toContain("test: mocha --forbid-only");
    expect(stages(scripts)).toContain("test: mocha");
  });
  it("adds a command whose tool or files no stage has, at most four of one tool", () => {
    const of = (...lines: string[]) =>
      stages({...scripts, ...workflow(steps(...lines))}).filter((one) => /test/.test(one));
    expect(of("run: npx ava a.js", "run: npx ava --serial a.js", "run: npx ava b.js")).toEqual([
      "test: mocha",
      "test-2: ava a.js",
      "test-3: ava b.js",
    ]);
    expect(of(...["a", "b", "c", "d", "e", "f"].map((way) => `run: npx ava ${way}.js`))).toHaveLength(5);
    expect(of("run: npx mocha slow.js")).toEqual(["test: mocha"]);
    expect(of("run: tox -e py314")).toEqual(["test: mocha"]);
  });
  it("adds each target of one call of nx, also in a step whose name speaks of another, and no recorder", () => {
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
      "lint: pnpm nx run-many -t lint --configuration ci",
      "test: npm run test",
      "check: pnpm nx run-many -t check-docs --configuration ci",
      "check-2: pnpm nx sync:check",
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
          ...["git check-ignore x", "vp test --shard=1/2", "vp test --shard=2/2", "kubectl test x"],
        ).replaceAll("- ", "- run: "),
      ),
    };
    expect(stages(tree)).toEqual([
      "lint: ./bin/console lint:yaml config",
      "lint:fpb-lint: fpb-lint books",
      "test: make test-ns",
      "test-2: vp test",
      "check: python tools/check-links.py",
    ]);
  });
  it("adds nothing beside a stage of the kind that only a push starts", () => {
    const push = workflow(steps("run: npx ava a.js"), "on: push");
    const pull = {".github/workflows/pull.yml": workflow(steps("run: npm test"))[".github/workflows/ci.yml"]};
    expect(stages({...scripts, ...push, ...pull})).not.toContain("test-2: ava a.js");
    expect(stages({...push, ...pull})).toContain("test: ava a.js");
  });
  it("names services only for a stage that CI never runs without them", () => {
    const jobs = "  a:\n    services: {redis: {image: redis}}\n    steps: [{run: npm test}]\n";
    const servicesOf = (text: string) => planOf({...scripts, ...workflow(text)}).stages.map((stage) => stage.services);
    expect(servicesOf(jobs)).toContainEqual(["redis"]);
    expect(servicesOf(`${jobs}  b:\n    steps: [{run: npm test}]\n`)).not.toContainEqual(["redis"]);
  });
  it("adds a tool with a configuration of its own, another task of rake, and what an option says to check", () => {
    const tree = {
      "package.json": {scripts: {test: "jest", "test:build": "jest --config jest.config.build.js"}},
      "deno.json": {tasks: {"test:tools": "deno test -A _tools"}},
      ".ci/lint.R": "",
      ...workflow(
        steps(
          ...[
            "npm test",
            "npm run test:build",
            "bundle exec rake test",
            "bundle exec rake spec",
            "deno task test:tools",
          ],
          ...[
            "cargo-sort --check",
            "Rscript .ci/lint.R src",
            "Rscript .ci/lint.R man",
            "stack build --only-dependencies",
          ],
        ).replaceAll("- ", "- run: "),
      ),
    };
    const commands = planOf(tree).stages.map(({command}) => command);
    expect(commands).toEqual(
      expect.arrayContaining([
        ...["jest", "npm run test:build", "deno task test:tools", "cargo-sort --check"],
        ...["Rscript .ci/lint.R src", "Rscript .ci/lint.R man"],
      ]),
    );
    expect(commands.join("\n")).not.toMatch(/stack/);
    const rake = {Rakefile: "task :test do\nend\ntask :spec do\nend\n", "test/a_test.rb": ""};
    const tasks = workflow(steps("run: rake test", "run: rake spec", "run: rake cucumber"));
    expect(stages({...rake, ...tasks})).toEqual(["test: rake test", "test-2: rake spec", "test-3: rake cucumber"]);
  });
  it("adds nothing that looks at what the action of the repository has done", () => {
    const tree = {...scripts, "check.sh": "", "verify-node.sh": ""};
    const runs = ["run: ./check.sh", "uses: ./", "run: ./verify-node.sh 24"];
    expect(stages({...tree, ...workflow(steps(...runs))})).toEqual([
      "lint: eslint .",
      "test: mocha",
      "check: ./check.sh",
    ]);
  });
  it("builds with the task of Gradle that CI runs, instead of the part that is usual", () => {
    const tree = {"build.gradle": "", gradlew: "exec java\n"};
    const runs = ["run: ./gradlew -Pjava=8 build", "run: ./gradlew build"];
    expect(stages({...tree, ...workflow(steps(...runs))})).toEqual(["test: ./gradlew test", "build: ./gradlew build"]);
  });
  it("does not run a script's tool twice", () => {
    expect(stages({...scripts, ...workflow(steps("run: npm run lint", "run: npx eslint ."))})).toEqual([
      "lint: eslint .",
      "test: mocha",
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
    expect(stages({...scripts, ...workflow(steps("run: codespell"))})).toContain("lint:codespell: codespell");
  });
  it("starts a program that CI has downloaded beside it by its name", () => {
    expect(stages({...scripts, ...workflow(steps("run: ./shfmt --diff ."))})).toContain("lint:shfmt: shfmt --diff .");
    expect(stages({...scripts, shfmt: "#!/bin/sh\n", ...workflow(steps("run: ./shfmt --diff ."))})).toContain(
      "lint:shfmt: ./shfmt --diff .",
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
  it("takes over harmless options, and no others", () => {
    const cargo = {"Cargo.toml": "[package]\nname = 'x'\n", "src/lib.rs": "#[test]\nfn t() {}"};
    expect(stages({...cargo, ...workflow(steps("run: cargo test --all-features"))})).toContain(
      "test: cargo test --all-features",
    );
    expect(stages({...cargo, ...workflow(steps("run: cargo test --target wasm32-wasip1"))})).not.toContain(
      "test: cargo test --target wasm32-wasip1",
    );
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

  it("takes a checker's paths from CI, and from its script what nothing else runs", () => {
    const tree = {
      ...workflow(steps("run: scripts/check")),
      "scripts/check":
        '#!/bin/sh -e\nexport PREFIX=""\nexport SOURCES="a tests"\n${PREFIX}mypy $SOURCES\n${PREFIX}ruff check $SOURCES\n${PREFIX}ruff format --check $SOURCES\n',
      "pyproject.toml":
        '[project]\nname = "a"\n[dependency-groups]\ndev = ["mypy", "ruff"]\n[tool.mypy]\nstrict = true\n[tool.ruff.lint]\nselect = ["E"]\n',
      "uv.lock": "",
      "a/__init__.py": "",
    };
    expect(stages(tree)).toEqual([
      "typecheck: mypy a tests",
      "lint: ruff check a tests",
      "lint:ruff: ruff format --check a tests",
    ]);
    // Two ways to start it are two checks, of which none is the whole.
    expect(stages({...tree, "scripts/check": "#!/bin/sh\nruff check a\nruff check tests\n"})).toContain(
      "lint: ruff check .",
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
