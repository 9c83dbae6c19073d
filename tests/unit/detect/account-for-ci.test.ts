/** What the plan makes of every command that CI runs on pull requests. */
import {describe, expect, it} from "vitest";
import {planTable} from "../../../src/detect/plan-table.ts";
import {steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Readonly<Record<string, string | object>>;

const PACKAGE = {"package.json": {scripts: {test: "mocha", lint: "eslint .", all: "npm run lint && npm test"}}};

describe("what CI also requires", () => {
  it.each<[string, Tree, string[]]>([
    [
      "a command is a stage, or covered only if the stages run all of its body",
      {...PACKAGE, ...workflow(steps("run: npm test", "run: npm run all"))},
      ["stage npm test → test", "stage npm run all → check"],
    ],
    [
      "a folder that a script makes before its checks is not missed",
      {
        justfile: "ci: lint test\nlint:\n    ruff check .\ntest:\n    mkdir -p out\n    pytest\nunit:\n    pytest\n",
        ...workflow(steps("run: just ci")),
      },
      ["stage just ci → check"],
    ],
    [
      "another body is not covered",
      {...PACKAGE, ...workflow(steps("run: npm test", "run: npx mocha slow"))},
      ["stage npm test → test", "stage npx mocha slow → test-2"],
    ],
    [
      "a condition, a loop and a server are reasons",
      workflow(
        steps(
          "run: |\n          if x; then\n            pytest a\n          fi\n          node b.js &\n          pytest c",
        ),
      ),
      [
        "check x: the script of CI runs it under a condition, in a loop or in a function",
        "check pytest a: the script of CI runs it under a condition, in a loop or in a function",
        "check node b.js: CI starts it in the background",
        "check pytest c: the script of CI starts a process in the background before it",
      ],
    ],
    [
      "a job's services and system are reasons for each of its commands, and its name is none",
      workflow(
        `  a:\n    services: {postgres: {image: postgres}}\n    steps: [{run: pytest a}]\n  e2e:\n    steps: [{run: pytest b}]\n  c:\n    runs-on: windows-latest\n    steps: [{run: pytest c}]\n`,
      ),
      [
        "check pytest a: CI starts postgres next to it",
        "stage pytest b → test",
        "check pytest c: CI runs it on Windows only",
      ],
    ],
    [
      "an environment whose name is an expression, and macOS, block no plain command",
      workflow(
        "  a:\n    environment: ${{ github.ref == 'x' && 'y' || '' }}\n    runs-on: macos-latest\n    steps: [{run: pytest a}, {run: brew install x}]\n",
      ),
      ["stage pytest a → test", "setup brew install x: CI runs it on macOS only"],
    ],
    [
      "a secret is named, and what no pull request starts is left out",
      workflow(steps("run: pytest ${{ secrets.KEY }}", "run: pytest x\n        if: github.event_name == 'push'")),
      ["check pytest ${{ secrets.KEY }}: CI gives it the secret `KEY`"],
    ],
    [
      "a workflow of another repository is named",
      workflow("  a:\n    uses: a/b/.github/workflows/c.yml@v1\n"),
      ["check uses: a/b/.github/workflows/c.yml@v1: its steps are in another repository"],
    ],
    [
      "each job that a workflow of another repository runs is named",
      workflow("  a:\n    uses: a/b/.github/workflows/c.yml@v1\n  d:\n    uses: a/b/.github/workflows/c.yml@v1\n"),
      Array.from({length: 2}, () => "check uses: a/b/.github/workflows/c.yml@v1: its steps are in another repository"),
    ],
    [
      "containers and submodules have their own reasons",
      workflow(steps("run: cross test --target a", "run: git submodule update --init")),
      [
        "check cross test --target a: `cross test` builds or starts containers",
        "setup git submodule update --init: `git submodule` installs or downloads",
      ],
    ],
    [
      "a matrix that an earlier job computes is unknown, not empty",
      workflow(
        "  a:\n    strategy: {matrix: {ref: '${{ fromJSON(needs.x.outputs.y) }}'}}\n    steps:\n      - run: pytest a\n        if: matrix.ref == 'b'\n      - run: pytest ${{ matrix.ref }}\n",
      ),
      [
        "stage pytest a → test",
        "check pytest ${{ matrix.ref }}: it depends on `${{ matrix.ref }}`, whose value only a run of the workflow knows",
      ],
    ],
    [
      "a command of Linux and Windows runs on Linux",
      workflow(
        "  a:\n    runs-on: ${{ matrix.os }}\n    strategy: {matrix: {os: [ubuntu-latest, windows-latest]}}\n    steps: [{run: pytest a}]\n",
      ),
      ["stage pytest a → test"],
    ],
    [
      "an action is listed unless it only helps",
      workflow(steps("uses: a/setup-b/lint-b@v1", "uses: a/setup-b@v1", "uses: actions/checkout@v4")),
      ["check uses: a/setup-b/lint-b@v1: only GitHub runs actions"],
    ],
    [
      "a reason that holds on Linux comes before one that holds on Windows",
      workflow(
        "  a:\n    runs-on: ${{ matrix.os }}\n    strategy: {matrix: {include: [{os: windows-latest}, {os: ubuntu-latest}]}}\n    steps: [{run: $a | foo, shell: pwsh}, {uses: a/scan@v1}]\n",
      ),
      ["check $a | foo: CI runs this text in `pwsh`", "check uses: a/scan@v1: only GitHub runs actions"],
    ],
    [
      "plain commands mean the same in PowerShell, and the shell of a job holds for its steps",
      workflow(
        "  a:\n    defaults: {run: {shell: pwsh}}\n    steps: [{run: pytest a}, {run: ./make.ps1}, {run: 'Get-Item x'}, {run: echo $x, shell: bash}]\n",
      ),
      [
        "stage pytest a → test",
        "check ./make.ps1: CI runs this text in `pwsh`",
        "check Get-Item x: CI runs this text in `pwsh`",
      ],
    ],
    [
      "the folder that a job checks the tree out into is its root",
      {
        "sub/test_a.py": "",
        ...workflow(
          "  a:\n    defaults: {run: {working-directory: own.name}}\n    steps: [{uses: actions/checkout@v4, with: {path: own.name}}, {run: yamllint .}, {run: cd sub && pytest}, {run: pytest x, working-directory: other}]\n",
        ),
      },
      ["stage yamllint . → lint", "stage pytest → sub:test", "check pytest x: its folder is not in the tree"],
    ],
    [
      "tasks of a wrapper script are different commands",
      {
        gradlew: "#!/bin/sh\nexec java -jar gradle.jar\n",
        "build.gradle": "",
        ...workflow(steps("run: ./gradlew lint", "run: ./gradlew tidyUp")),
      },
      [
        "stage ./gradlew lint → lint",
        "check ./gradlew tidyUp: nothing shows that it is a check; `assay plan --prove` runs it once to see",
      ],
    ],
    [
      "a script is the stage that runs it once instead of watching",
      {"package.json": {scripts: {test: "vitest"}}, ...workflow(steps("run: npm test"))},
      ["stage npm test → test"],
    ],
    [
      "a composer script of artisan is the stage of artisan",
      {
        "composer.json": {scripts: {test: "@php artisan test --parallel"}},
        artisan: "",
        ...workflow(steps("run: composer test")),
      },
      ["stage composer test → test"],
    ],
    [
      "installing is set-up, and keywords, functions and here-documents are no commands",
      workflow(
        steps(
          'run: |\n          size() { numfmt $1; }\n          size 3\n          cat > a.txt <<EOF\n          pytest nothing\n          EOF\n          for x in a; do\n            continue\n          done <<< "$LIST"\n          opam install x\n          helm plugin install y\n          perl -v',
        ),
      ),
      [
        "check numfmt $1: the script of CI runs it under a condition, in a loop or in a function",
        "setup cat > a.txt <<EOF pytest nothing EOF: it prepares the machine of CI",
        "setup opam install x: it prepares the machine of CI",
        "setup helm plugin install y: it prepares the machine of CI",
        "setup perl -v: it only shows versions or settings",
      ],
    ],
    [
      "a container image is the tool that it is named after, and patterns are quoted",
      workflow(
        steps(
          "uses: docker://rhysd/actionlint:1.7@sha256:b1\n        with: {args: -color}",
          "uses: docker://alpine:3",
          "uses: DavidAnson/markdownlint-cli2-action@v1\n        with:\n          globs: |\n            **/*.md\n            !out/**",
        ),
      ),
      [
        "stage actionlint -color → lint",
        "check uses: docker://alpine:3: only GitHub runs actions",
        "stage markdownlint-cli2 '**/*.md' '!out/**' → lint:markdownlint-cli2",
      ],
    ],
  ])("%s", (_, tree, expected) => {
    expect(accountOf(tree)).toEqual(expected);
  });

  it("says which entry of verify.json adds the command", () => {
    const withService = (run: string) =>
      workflow(steps(`run: ${run}`).replace("steps:", "services: {db: {image: a}}\n    steps:"));
    const [entry] = planOf(withService("pytest tests/db")).ci ?? [];
    expect(entry?.outcome).toMatchObject({
      kind: "listed",
      fix: '"extraStages": [{"name":"pytest","command":"pytest tests/db"}]',
    });
    // Nothing is known of it, so it may write or never fail.
    const [unknown] = planOf(withService("./see-docs.sh")).ci ?? [];
    expect(unknown?.outcome).toMatchObject({kind: "listed", fix: ""});
    const [action] = planOf(workflow(steps("uses: a/scan@v1", "run: pytest"))).ci ?? [];
    expect(action?.outcome).toMatchObject({kind: "listed", fix: ""});
  });

  it("offers no entry for a command that the screen refuses, that changes the machine, or that CI leaves running", () => {
    const fixes = (...runs: string[]) =>
      (planOf(workflow(steps(...runs.map((run) => `run: ${run}`)))).ci ?? []).map(({outcome}) =>
        outcome.kind === "listed" ? outcome.fix : outcome.kind,
      );
    const harmful = [
      ...["php artisan migrate --force", "php artisan app:license:activate x", "bundle exec rails db:schema:load"],
      ...["docker-compose up -d", "rmz -f /opt/tools", "./get-cmake.sh --prefix=/usr/local", "./install-x.sh"],
      ...["bash -lc 'npm publish'", "find . -name '*.bak' -exec rm -rf {} +", "nice -n 10 npm run deploy"],
      ...["echo $(npm publish)", 'test -z "$(git push origin main)"', "dd if=/dev/zero of=/dev/sda", "chmod -R 777 /"],
      ...["sqlite3 db.sqlite < schema.sql", "./gradlew publishToSonatype", "busybox rm -rf /", "python -m http.server"],
      ...["composer exec -- phinx migrate", "php bin/console doctrine:schema:drop --force", "setsid node server.js"],
      `node -e "require('child_process').execSync('npm publish')"`,
      ...["yarn run --binaries-only --top-level pkg-pr-new publish", "nohup ./tool &"],
    ];
    expect(fixes(...harmful).filter((fix) => fix.startsWith('"extraStages"'))).toEqual([]);
    expect(fixes("cypress run", "prettier --write src")).toEqual([
      '"extraStages": [{"name":"cypress","command":"cypress run"}]',
      "stage",
    ]);
  });

  it("reads no item of a list as a command", () => {
    const script =
      'run: |\n          paths=(\n            a/b\n            # note\n            c\n          ) # all\n          if x; then\n            paths+=(\n              d\n            )\n            paths+=( e )\n          fi\n          pytest "${paths[@]}"\n';
    const commands = (planOf(workflow(steps(script))).ci ?? []).map(({command}) => command);
    expect(commands).toEqual(["x", 'pytest "${paths[@]}"']);
  });

  it("knows that `npx` downloads no tool of package.json", () => {
    const tree = (devDependencies: object) => ({
      "package.json": {devDependencies},
      ...workflow(steps("run: npx nx run-many -t api-check", "run: npx tool x")),
    });
    expect(accountOf(tree({nx: "1", tool: "1"}))).toEqual([
      "stage npx nx run-many -t api-check → check",
      "setup npx tool x: `npx` of a tool that may not be installed installs or downloads",
    ]);
    expect(accountOf(tree({}))[1]).toContain("may not be installed");
  });

  it("names a target of make after itself, and puts all entries into one key", () => {
    const jobs = steps("run: make db-tests", "run: pytest db").replace(
      "steps:",
      "services: {db: {image: a}}\n    steps:",
    );
    const tree = {Makefile: "db-tests:\n\tpytest tests/db\n", ...workflow(jobs)};
    expect(planTable(planOf(tree), {bold: (text) => text, dim: (text) => text})).toContain(
      `  "extraStages": [\n    {"name":"db-tests","command":"make db-tests"},\n    {"name":"pytest","command":"pytest db"}\n  ]`,
    );
  });

  it("counts steps that prepare the machine of CI, also without a check", () => {
    const table = (...lines: string[]) =>
      planTable(planOf(workflow(steps(...lines))), {bold: (text) => text, dim: (text) => text});
    expect(table("run: perl -v")).toContain(
      "CI also requires\n  no other check, only 1 preparation step (--json shows all)\n",
    );
    expect(table("run: ./see-docs.sh", "run: perl -v", "run: opam install x")).toContain(
      "  … and 2 preparation steps (--json shows all)\n",
    );
  });
});

// rubocop/rubocop-rspec (`Gemfile.local`) and pydantic/pydantic-settings (`uv pip uninstall PyYAML`), .github/workflows.
it.each([
  ["a manifest that CI writes", "echo \"gem 'a', '1'\" > Gemfile.local"],
  ["a package that CI removes", "uv pip uninstall PyYAML"],
])("lists the same command with another set-up: %s", (_, change) => {
  const run = "bundle exec rake spec";
  const jobs = steps(`run: ${run}`) + steps(`run: ${JSON.stringify(change)}`, `run: ${run}`).replace("job:", "other:");
  const account = accountOf({Rakefile: "task :spec", Gemfile: "", ...workflow(jobs)});
  expect(account.filter((line) => line.includes(run))).toEqual([
    `stage ${run} → check`,
    `check ${run}: CI runs it again after \`${change}\`, with another set-up`,
  ]);
});

it("runs a check for the target of its job, where one of its steps or the job names it", () => {
  const job = (env: string, ...runs: string[]): string => steps(...runs).replace("steps:", `env: {${env}}\n    steps:`);
  const jobs = [
    job("CARGO_BUILD_TARGET: wasm32-unknown-emscripten, A: b", "run: cargo test"),
    job("A: b", 'run: echo "CARGO_BUILD_TARGET=wasm32-wasip1" >> $GITHUB_ENV', "run: cargo test --lib").replace(
      "job:",
      "other:",
    ),
  ];
  const {stages} = planOf({"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": "", ...workflow(jobs.join(""))});
  const tests = stages.filter(({command}) => command.startsWith("cargo test"));
  expect(tests.map(({command, env, optional}) => [command, env, optional])).toEqual([
    ["cargo test", {CARGO_BUILD_TARGET: "wasm32-unknown-emscripten", A: "b"}, true],
    ["cargo test --lib", {CARGO_BUILD_TARGET: "wasm32-wasip1", A: "b"}, true],
  ]);
});

it("lets one run decide what of a job with a service needs it", () => {
  const makefile =
    "%: common-% ;\n\ncommon-all: style check_license test tools\n\ncommon-style:\n\tgofmt -l .\n\ncommon-check_license:\n\tgrep -rq Copyright src\n\ncommon-test: tools\n\tgo test ./...\n\ntools:\n\tcurl -sSfL https://example.org/tools.sh | sh\n";
  const job = (service: string): string =>
    `  job:\n${service}    steps:\n      - run: make\n      - run: go vet ./...\n      - run: go build ./...\n      - run: go test ./...\n`;
  const tree = {
    "go.mod": "module a",
    "a_test.go": "",
    Makefile: makefile,
    ...workflow(job("    services: {db: {image: a}}\n")),
  };
  const decided = planOf(tree).stages.filter(({origin}) => origin.file.endsWith("ci.yml"));
  expect(decided.map(({command, optional, unproved = false}) => [command, optional, unproved])).toEqual([
    ["go vet ./...", false, false],
    ["go build ./...", true, true],
  ]);
  expect(accountOf(tree)).toContain("check go test ./...: CI starts db next to it");
  const both = {...tree, ...workflow(job("    services: {db: {image: a}}\n") + job("").replace("job:", "other:"))};
  expect(planOf(both).stages.filter(({command}) => command === "go build ./...")).toMatchObject([{optional: false}]);
});
