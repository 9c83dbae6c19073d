/** Where a command runs and what it needs there: folders of a workspace, scripts, and programs of another folder. */
import {expect, it} from "vitest";
import {notes, stages, steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";
import {planOf} from "./tree.ts";

it("never runs the command of a package's script in the root folder", () => {
  const tree = {
    "package.json": {workspaces: ["a"], scripts: {unit: "yarn workspaces foreach --all run unit"}},
    "yarn.lock": "__metadata:\n",
    "a/package.json": {name: "a", scripts: {unit: "vitest"}},
    ...workflow(steps("run: yarn unit")),
  };
  expect(stages(tree)).toContain("test: yarn run unit");
  expect(stages(tree).join()).not.toContain("vitest run");
});

it("takes `yarn tsc` for the script of that name, unless the script is only that tool", () => {
  const tree = (tsc: string) => ({
    "package.json": {scripts: {tsc}, devDependencies: {typescript: "*"}},
    "yarn.lock": "__metadata:\n",
    "tsconfig.json": "{}",
    ...workflow(steps("run: yarn tsc")),
  });
  expect(stages(tree("yarn workspaces foreach --all run tsc"))).toEqual(["typecheck: yarn tsc"]);
  expect(stages(tree("tsc -b")).join()).not.toContain("yarn run tsc");
});

it("leaves out the crates that only a nightly toolchain compiles", () => {
  const crate = (name: string) => `[package]\nname = "${name}"\n`;
  const tree = {
    "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
    "a/Cargo.toml": crate("a"),
    "a/src/lib.rs": "//! `#![feature(x)]` is not needed\n#![cfg_attr(docsrs, feature(doc_cfg))]\n",
    "b/Cargo.toml": crate("b"),
    "b/src/main.rs": "#![cfg_attr(test, feature(test))]\n",
  };
  expect(stages(tree)).toContain("test: cargo test --workspace --exclude b");
  expect(stages({...tree, "rust-toolchain": "nightly"})).toContain("test: cargo test --workspace");
});

it("gives a check the inputs of its action, and reads the commands that a workflow elsewhere gets", () => {
  const inputs = "{check_filenames: true, skip: a.lock, ignore_words_list: te}";
  const lint = `uses: ibiqlik/action-yamllint@v3\n        with:\n          strict: true\n          file_or_dir: |\n            a.yml\n            b.yml`;
  const called =
    "  call:\n    uses: a/b/.github/workflows/c.yml@v1\n    with:\n      test-command: |\n        nim r tests/a.nim\n";
  const tree = workflow(steps(`{uses: codespell-project/actions-codespell@v2, with: ${inputs}}`, lint).concat(called));
  expect(stages({...tree, "tests/a.nim": ""})).toEqual([
    "lint: codespell --check-filenames --skip a.lock --ignore-words-list te",
    "lint:yamllint: yamllint --strict a.yml b.yml",
    "check: nim r tests/a.nim",
  ]);
});

it("runs the commands that a workflow elsewhere gets in the folder that it gets", () => {
  const planned = (folder: string) =>
    stages({
      ...workflow(
        `  call:\n    uses: a/b/.github/workflows/c.yml@v1\n    with: {working-directory: ${folder}, test-command: pytest tests/unit}\n`,
      ),
      "backend/tests/unit/test_a.py": "",
    });
  expect(planned("backend")).toEqual(["backend:test: pytest tests/unit @backend"]);
  expect(planned("/srv/app")).toEqual([]);
});

it("gives a check the job's variables, without those of CI's machine and its paths", () => {
  const env =
    "{FEATURE: 'on', API_URL: 'http://a/?b=c&d', PYTHONPATH: /opt/x, PIP_INDEX: a, FORCE_COLOR: 1, KEY: '${{ secrets.K }}'}";
  const tree = workflow(`  a:\n    env: ${env}\n    steps:\n      - run: pytest tests\n`);
  expect(planOf({...tree, "tests/test_a.py": ""}).stages.map(({env}) => env)).toEqual([
    {FEATURE: "on", API_URL: "http://a/?b=c&d"},
  ]);
});

it("gives a check what its row, the event and a step that uses its action set", () => {
  const job = (head: string, ...list: string[]) =>
    planOf(workflow(steps(...list).replace("steps:", `${head}\n    steps:`))).stages.map(({env}) => env);
  const row = "strategy: {matrix: {tags: ['', '-tags nomsgpack']}}\n    env: {TESTTAGS: '${{ matrix.tags }}'}";
  expect(job(row, "run: pytest")).toEqual([{TESTTAGS: ""}, {TESTTAGS: "-tags nomsgpack"}]);
  const version = "strategy: {matrix: {python: ['3.13', '3.14t']}}\n    env: {PYTHON: '${{ matrix.python }}'}";
  const setUp = "uses: actions/setup-python@v6\n        with: {python-version: '${{ matrix.python }}'}";
  expect(job(version, setUp, "run: pytest")).toEqual([{}]);
  // pmndrs/zustand: the variable selects what an install gets.
  expect(job(version, "run: pip install six==$PYTHON", "run: pytest")).toEqual([{}]);
  // What nothing is installed by may be anything, such as the number of a shard.
  expect(job(version, "run: pytest")).toEqual([{PYTHON: "3.13"}, {PYTHON: "3.14t"}]);
  const tox = version.replace("PYTHON: '", "TOX_ENV: 'py").replace(", '3.14t'", "");
  expect(
    planOf(workflow(steps(setUp, "run: tox run").replace("steps:", `${tox}\n    steps:`))).stages.map(
      ({command, env}) => [command, env],
    ),
  ).toEqual([["tox run -e py3.13", {TOX_ENV: "py3.13"}]]);
  const event = "run: pytest\n        env: {X: \"${{ github.event_name == 'pull_request' && 'on' || 'off' }}\"}";
  expect(job("timeout-minutes: 9", event)).toEqual([{X: "on"}]);
  const action = {".github/actions/t/action.yml": "runs: {using: composite, steps: [{run: pytest, shell: bash}]}"};
  const uses = "uses: ./.github/actions/t\n        env: {FEATURE: 'on'}";
  expect(planOf({...action, ...workflow(steps(uses))}).stages.map(({env}) => env)).toEqual([{FEATURE: "on"}]);
});

it("fills literal values of the matrix into the default folder, and into variables that a command names", () => {
  const job = (list: string, step: string) =>
    workflow(
      `  a:\n    strategy: {matrix: {p: ${list}}}\n    defaults: {run: {working-directory: 'packages/\${{ matrix.p }}'}}\n    steps:\n      - ${step}\n`,
    );
  const files = {"packages/a/x.py": "", "packages/b/x.py": ""};
  expect(stages({...files, ...job("[a, b]", "run: pytest x.py")})).toEqual([
    "packages/a:test: pytest x.py @packages/a",
    "packages/b:test: pytest x.py @packages/b",
  ]);
  const named = `{run: pytest $MARK x.py, env: {MARK: '-\${{ matrix.p }}'}}`;
  expect(stages({...files, ...job("[a]", named)})).toEqual(["packages/a:test: pytest -a x.py @packages/a"]);
  const computed = job("'${{ fromJSON(needs.x.outputs.y) }}'", "run: pytest x.py");
  expect(stages({...files, ...computed})).toEqual([]);
});

it("takes no variables from a job that tests an archive of an earlier job", () => {
  const test = "{run: pytest, env: {TEST_DIST: 'true'}}";
  const env = (...before: string[]) => planOf(workflow(steps(...before, test))).stages.map((stage) => stage.env);
  expect(env("uses: actions/download-artifact@v4")).toEqual([{TEST_DIST: "true"}]);
  const into = "{uses: actions/download-artifact@v4, with: {path: dist}}";
  // pytest-dev/pluggy
  const listed = accountOf(workflow(steps(into, "run: pytest --wheel=dist/*.whl")));
  expect(listed.join()).toContain("CI downloads an artifact of another job before it");
  // pydantic/jiter names the folder
  expect(accountOf(workflow(steps(into, "run: twine check dist/"))).join()).toContain("CI downloads an artifact");
  expect(env("uses: actions/download-artifact@v4", "run: pip install ./dist/x.whl")).toEqual([{}]);
});

it("says that `pull_request_target` starts a workflow", () => {
  const text = notes(workflow(steps("run: pytest"), "on: pull_request_target")).join();
  expect(text).toContain("`pull_request_target` starts it for a pull request");
});

it("does not take a check of versions for a release", () => {
  const tree = (name: string) => ({
    [`script/${name}`]: "#!/bin/sh\ngrep x Dockerfile\n",
    ...workflow(steps(`run: script/${name}`)),
  });
  expect(stages(tree("check_dockerfile_version.sh"))).toEqual([]);
  expect(stages(tree("check_and_publish.sh"))).toEqual([]);
});

// aio-libs/yarl runs the tests of aiohttp with itself.
it("takes no command for its own that runs in the files of another repository", () => {
  const checkouts = [
    "{uses: actions/checkout@v7, with: {repository: aio-libs/aiohttp}}",
    "{uses: actions/checkout@v7, with: {path: vendor/yarl}}",
  ];
  const tree = {
    "go.mod": "module a.org/yarl\n",
    ...workflow(steps(...checkouts, "run: go test ./...", "{run: go vet ./yarl, working-directory: vendor/yarl}")),
  };
  expect(accountOf(tree)).toEqual([
    "check go test ./...: CI runs it in the files of `aio-libs/aiohttp`, which it checks out there",
    "stage go vet ./yarl → typecheck",
  ]);
});
