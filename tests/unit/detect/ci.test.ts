/** What CI files alone are planned to: GitHub's and others', honest and hostile. */
import {describe, expect, it} from "vitest";
import {cpuClock} from "../report/cpu-time.ts";
import {notes, stages, steps, workflow} from "./placed.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;

describe("GitHub workflows as the only evidence", () => {
  it.each<[string, Tree, string[]]>([
    [
      "commands of each kind",
      workflow(
        steps(
          "run: mypy src",
          "run: flake8",
          "run: |\n          pip install -e .\n          trial tests",
          "run: tsup src",
        ),
      ),
      ["typecheck: mypy src", "lint: flake8", "test: trial tests", "build: tsup src"],
    ],
    [
      "set-up, reports and deployments",
      workflow(steps("run: npm ci", "run: codecov", "run: npm publish", "run: curl https://example.com | bash")),
      [],
    ],
    ["a schedule", workflow(steps("run: pytest"), "on:\n  schedule:\n    - cron: '0 0 * * *'"), []],
    ["a tag", workflow(steps("run: pytest"), "on:\n  push:\n    tags: ['v*']"), []],
    ["labels of a pull request", workflow(steps("run: pytest"), "on:\n  pull_request:\n    types: [labeled]"), []],
    ["a workflow for others to call", workflow(steps("run: pytest"), "on: workflow_call"), []],
    ["after a merge", workflow(steps("if: github.event_name == 'push'\n        run: pytest")), []],
    ["services", workflow(`  job:\n    services: {db: {image: postgres}}\n    steps:\n      - run: pytest\n`), []],
    ["another system", workflow(`  job:\n    runs-on: windows-latest\n    steps:\n      - run: pytest\n`), []],
    ["a secret", workflow(steps("env: {KEY: '${{ secrets.KEY }}'}\n        run: pytest")), []],
    [
      "a secret of a report",
      workflow(steps("env: {CODECOV_TOKEN: '${{ secrets.CODECOV_TOKEN }}'}\n        run: pytest")),
      ["test: pytest"],
    ],
    ["a failure that CI ignores", workflow(steps("continue-on-error: true\n        run: pytest")), []],
    [
      "tasks of a matrix",
      workflow(
        "  job:\n    strategy:\n      matrix:\n        task: [flake8, mypy src, pytest]\n    steps:\n      - run: ${{ matrix.task }}\n",
      ),
      ["typecheck: mypy src", "lint: flake8", "test: pytest"],
    ],
    [
      "systems of a matrix",
      workflow(
        "  job:\n    strategy:\n      matrix:\n        os: [windows-latest, ubuntu-latest]\n    runs-on: ${{ matrix.os }}\n    steps:\n      - if: runner.os == 'Windows'\n        run: pytest -m win\n      - if: matrix.os == 'ubuntu-latest'\n        run: pytest -m unix\n",
      ),
      ["test: pytest -m unix"],
    ],
    ["a value that only a run knows", workflow(steps("run: pytest ${{ steps.x.outputs.y }}")), []],
    [
      "an action that is a check",
      workflow(steps("uses: golangci/golangci-lint-action@v8")),
      ["lint: golangci-lint run"],
    ],
    [
      "folders",
      {
        ...workflow(
          "  job:\n    defaults: {run: {working-directory: api}}\n    steps:\n      - run: pytest\n      - working-directory: web\n        run: flake8\n",
        ),
        "api/x": "",
        "web/x": "",
      },
      ["web:lint: flake8 @web", "api:test: pytest @api"],
    ],
    [
      "folders that are not there, or are material",
      {
        ...workflow(steps("run: cd nowhere && pytest", "run: cd examples/x && pytest", "run: cd docs && pytest")),
        "examples/x/y": "",
        "docs/x": "",
      },
      ["docs:test: pytest @docs", "examples/x:test: pytest @examples/x"],
    ],
    [
      "a local action",
      {
        ...workflow(steps("uses: ./.github/actions/check\n        with: {tool: flake8}")),
        ".github/actions/check/action.yml":
          "inputs: {tool: {default: x}}\nruns:\n  steps:\n    - run: ${{ inputs.tool }} src\n",
      },
      ["lint: flake8 src"],
    ],
    [
      "a called workflow",
      {
        ...workflow("  job:\n    uses: ./.github/workflows/part.yml\n    with: {flags: -x}\n"),
        ".github/workflows/part.yml": `on:\n  workflow_call:\n    inputs: {flags: {type: string}}\njobs:\n${steps("run: 'pytest ${{ inputs.flags }}'")}`,
      },
      ["test: pytest -x"],
    ],
    ["version questions are no check", workflow(steps("run: shellcheck --version")), []],
    ["a writer is made to look only", workflow(steps("run: black .")), ["lint: black --check ."]],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));

  it("carries what changes a check, and where it comes from", () => {
    const [stage] = planOf(
      workflow(
        "  test-all:\n    env: {RUSTFLAGS: -D warnings, TOKEN_URL: x}\n    steps:\n      - name: Run the tests\n        run: pytest\n",
      ),
    ).stages;
    expect(stage?.env).toEqual({RUSTFLAGS: "-D warnings", TOKEN_URL: "x"});
    const own = "run: forge test\n        env: {FOUNDRY_PROFILE: ci, X_TOKEN: a, CI: 1}";
    const contracts = planOf({"foundry.toml": "", "test/A.t.sol": "", ...workflow(steps(own))}).stages;
    expect(contracts.find(({kind}) => kind === "test")?.env).toEqual({FOUNDRY_PROFILE: "ci", X_TOKEN: "a"});
    const ruby = {Gemfile: "gem 'rspec'", ".rspec": "", "spec/a_spec.rb": ""};
    const specs = planOf({...ruby, ...workflow(steps("run: RUBYOPT=-w bundle exec rspec spec --tag x"))}).stages;
    expect(specs.map(({command}) => command)).toEqual(["RUBYOPT=-w bundle exec rspec spec --tag x"]);
    expect(stage?.origin).toMatchObject({file: ".github/workflows/ci.yml", key: "Run the tests"});
    expect(stage?.tools.map((tool) => tool.name)).toEqual(["pytest"]);
  });
  it("says what it passed over, and why", () => {
    expect(notes(workflow(`  e2e:\n    steps: []\n${steps("run: pytest $UNKNOWN")}`))).toEqual([
      ".github/workflows/ci.yml job: `pytest $UNKNOWN` skipped: it depends on `$UNKNOWN`, whose value only CI knows",
    ]);
  });
});

describe("other CI files", () => {
  it.each<[string, Tree, string[]]>([
    [
      "GitLab",
      {
        ".gitlab-ci.yml":
          ".base: {script: [mypy .]}\nunit: {before_script: [cd api], script: [pytest]}\nstyle: {script: [flake8]}\ndeploy: {script: [mypy .]}\nby hand: {when: manual, script: [mypy .]}\n",
        "api/x": "",
      },
      ["lint: flake8", "api:test: pytest @api"],
    ],
    [
      "GitLab, only for tags",
      {".gitlab-ci.yml": "x: {only: [tags], script: [pytest]}\ny: {rules: [{if: $CI_COMMIT_TAG}], script: [flake8]}"},
      [],
    ],
    [
      "CircleCI",
      {
        ".circleci/config.yml":
          "commands:\n  check: {steps: [{run: flake8}]}\njobs:\n  test:\n    docker: [{image: x}]\n    steps: [checkout, check, {run: {name: Tests, command: pytest}}]\n  publish: {steps: [{run: mypy .}]}\n  with-db: {docker: [{image: x}, {image: db}], steps: [{run: mypy .}]}\n",
      },
      ["lint: flake8", "test: pytest"],
    ],
    [
      "Travis",
      {".travis.yml": "script:\n  - flake8\n  - pytest\njobs:\n  include:\n    - {os: osx, script: mypy .}\n"},
      ["lint: flake8", "test: pytest"],
    ],
    [
      "Azure",
      {
        "azure-pipelines.yml":
          "jobs:\n  - job: unit\n    steps:\n      - script: pytest\n        displayName: Tests\n      - template: ci/lint.yml\n  - job: win\n    pool: {vmImage: windows-latest}\n    steps: [{script: mypy .}]\n  - deployment: x\n    steps: [{script: mypy .}]\n",
        "ci/lint.yml": "steps: [{bash: flake8 $(flags)}, {bash: flake8}]",
      },
      ["lint: flake8", "test: pytest"],
    ],
  ])("%s", (_, tree, expected) => expect(stages(tree)).toEqual(expected));
});

describe("hostile CI files", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(",")}]`).join("\n")}\n`;
  const self = "on: push\njobs:\n  a: {uses: ./.github/workflows/ci.yml}\n";
  const branching = (next: string) => `runs:\n  steps:\n${`    - uses: ./.github/actions/${next}\n`.repeat(100)}`;
  it.each<[string, Tree, RegExp]>([
    ["a workflow that calls itself", {".github/workflows/ci.yml": self}, /calls back/],
    [
      "an action that uses itself",
      {...workflow(steps("uses: ./a")), "a/action.yml": "runs: {steps: [{uses: ./a}]}"},
      /in a circle/,
    ],
    [
      "actions that multiply",
      {
        ...workflow(steps(...Array(100).fill("uses: ./.github/actions/a"))),
        ".github/actions/a/action.yml": branching("b"),
        ".github/actions/b/action.yml": branching("c"),
        ".github/actions/c/action.yml": branching("d"),
        ".github/actions/d/action.yml": branching("a"),
      },
      /too many/,
    ],
    [
      "a file of 10,000 jobs",
      workflow(Array.from({length: 10_000}, (_, i) => `  j${i}: {steps: [{run: pytest}]}\n`).join("")),
      /at most 250000 characters/,
    ],
    [
      "5,000 jobs",
      workflow(Array.from({length: 5000}, (_, i) => `  j${i}: {steps: [{run: pytest}]}\n`).join("")),
      /only the first 100 of its 5000 jobs/,
    ],
    ["a YAML bomb", {".github/workflows/ci.yml": bomb}, /not valid YAML/],
    ["a YAML bomb for GitLab", {".gitlab-ci.yml": bomb}, /not valid YAML/],
    [
      "CircleCI commands in circles",
      {".circleci/config.yml": "commands: {a: {steps: [a, a, a, {run: pytest $X}]}}\njobs: {t: {steps: [a]}}"},
      /pytest/,
    ],
    ["Azure templates in circles", {"azure-pipelines.yml": "steps: [{template: azure-pipelines.yml}]"}, /uses itself/],
    [
      "expressions everywhere",
      {
        ".github/workflows/ci.yml": "on: ${{ x }}\njobs: ${{ y }}\n",
        ".gitlab-ci.yml": "a: {script: [pytest $(x)], extends: {}}",
      },
      /`pytest \$\(x\)` skipped: one of its arguments is the output of another command/,
    ],
    [
      "open quotes",
      workflow(steps(`run: ${JSON.stringify(`${"a'b \n".repeat(4000)}\nflake8 $X`)}`, "run: pytest $X")),
      /pytest/,
    ],
  ])("%s: a note, in time", (_, tree, said) => {
    const started = cpuClock();
    const all = notes(tree).join("\n");
    expect(cpuClock() - started).toBeLessThan(5000);
    expect(all).toMatch(said);
  });
  it.each([
    "null",
    "[]",
    "on: push\njobs: [1, 2]",
    "on: push\njobs: {a: {steps: {b: 1}}}",
    "on: push\njobs: {a: {steps: [1, null, {run: 5}, {uses: []}]}}",
    "on: {push: 1}\njobs: {a: null}",
  ])("an odd shape: %s", (text) =>
    expect(
      stages({
        ".github/workflows/ci.yml": text,
        ".gitlab-ci.yml": text,
        ".circleci/config.yml": text,
        ".travis.yml": text,
        "azure-pipelines.yml": text,
      }),
    ).toEqual([]),
  );
});
