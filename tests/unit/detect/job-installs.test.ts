/** The set-up is the job's: CI's install lines with their options, one for all jobs, before any guess from manifests. */
import {expect, it} from "vitest";
import {steps, workflow} from "./placed.ts";
import {accountOf, setupOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;

const PYTHON: Tree = {
  "pyproject.toml":
    '[project]\nname = "a"\n[dependency-groups]\ntesting = ["pytest"]\nlinting = ["mypy"]\n[tool.mypy]\n',
  "tests/test_a.py": "def test_a():\n    assert True\n",
};
const NODE: Tree = {"package.json": {scripts: {test: "node --test"}, dependencies: {a: "1"}}, "a.test.js": ""};

it.each<[string, Tree, string[], string]>([
  // pydantic/pydantic-settings, .github/workflows/ci.yml
  [
    "all extras of uv",
    {...PYTHON, "uv.lock": ""},
    ["run: uv sync --group testing --all-extras", "run: uv run pytest"],
    "uv sync --group testing --all-extras",
  ],
  [
    "pip with extras, and packages that it adds",
    PYTHON,
    [
      "run: python -m pip install --upgrade pip",
      "run: pip install -e '.[test]'",
      "run: pip install --user coverage",
      "run: pytest",
    ],
    "python3 -m venv .venv && .venv/bin/python -m pip install -q -e '.[test]' && .venv/bin/python -m pip install -q coverage",
  ],
  [
    "an environment of poetry",
    PYTHON,
    ["run: poetry install --with dev", "run: poetry run pytest"],
    "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --with dev",
  ],
  [
    "options of npm",
    {...NODE, "package-lock.json": ""},
    ["run: npm ci --legacy-peer-deps", "run: npm test"],
    "npm ci --legacy-peer-deps --ignore-scripts --no-audit --no-fund",
  ],
  [
    "no scripts of dependencies, whatever CI says",
    {...NODE, "package-lock.json": ""},
    ["run: npm ci --ignore-scripts=false --no-ignore-scripts", "run: npm test"],
    "npm ci --ignore-scripts --no-audit --no-fund",
  ],
  [
    "npm install, which accepts an older lock file",
    {...NODE, "package-lock.json": ""},
    ["run: npm i", "run: npm test"],
    "npm install --no-save --ignore-scripts --no-audit --no-fund",
  ],
  [
    "an unlocked pnpm",
    {...NODE, "pnpm-lock.yaml": ""},
    ["run: pnpm i --no-frozen-lockfile", "run: pnpm test"],
    "pnpm i --no-frozen-lockfile --ignore-scripts",
  ],
  [
    "the script that installs",
    {...PYTHON, "uv.lock": "", Makefile: "install:\n\tuv sync --all-groups\n"},
    ["run: make install", "run: uv run pytest"],
    "uv sync --all-groups",
  ],
])("installs as CI does: %s", (_, tree, runs, expected) =>
  expect(setupOf({...tree, ...workflow(steps(...runs))})).toEqual([`.: ${expected}`]),
);

it("joins the installs of several jobs into one environment, and covers each line with it", () => {
  const job = (name: string, ...runs: string[]): string => steps(...runs).replace("job:", `${name}:`);
  const jobs = [
    job("lint", "run: uv sync --only-group linting", "run: uv run mypy src"),
    job("test", "run: uv sync --group testing --all-extras", "run: uv run pytest"),
  ];
  const tree = {...PYTHON, "uv.lock": "", ...workflow(jobs.join(""))};
  expect(setupOf(tree)).toEqual([".: uv sync --group linting --group testing --all-extras"]);
  expect(accountOf(tree)).toContain("covered uv sync --group testing --all-extras → setup");
});

it.each<[string, Tree, string[]]>([
  ["only CI knows a value", {...PYTHON, "uv.lock": ""}, ["run: uv sync --group $GROUP", "run: uv run pytest"]],
  [
    "the job checks nothing here",
    {...PYTHON, "uv.lock": ""},
    ["run: uv sync --all-extras", "run: twine upload dist/*"],
  ],
])("guesses from the manifests where %s", (_, tree, runs) =>
  expect(setupOf({...tree, ...workflow(steps(...runs))})).toEqual([
    ".: uv sync --locked --group testing --group linting",
  ]),
);

// A check has no network: pytest-dev/iniconfig, tkem/cachetools and pypa/packaging (`.github/workflows` of each).
it.each<[string, Tree, string, string]>([
  [
    "hatch",
    {"pyproject.toml": '[project]\nname = "a"\n[tool.hatch.envs.test.scripts]\ndefault = "pytest {args}"\n'},
    "hatch run +py=3.13 test:default --color=yes",
    'PATH=".venv/bin:$PATH" HATCH_DATA_DIR=.hatch hatch run +py=3.13 test:python --version',
  ],
  [
    "tox",
    {"tox.ini": "[testenv]\ncommands = pytest\n"},
    "python -m tox run -e py -- -q",
    'PATH=".venv/bin:$PATH" python -m tox run --notest -e py -- -q',
  ],
  [
    "nox",
    {"noxfile.py": '@nox.session\ndef tests(session):\n    session.run("pytest")\n'},
    "nox -s tests",
    'PATH=".venv/bin:$PATH" nox --install-only -s tests',
  ],
])("makes the environments of %s before the checks", (name, files, run, expected) => {
  const tree = {...files, "tests/test_a.py": "", ...workflow(steps(`run: ${run}`))};
  expect(setupOf(tree)).toContain(`.: ${expected}`);
  const [test] = planOf(tree).stages.filter(({command}) => command === run);
  expect(test).toMatchObject({kind: "test", optional: false, env: name === "hatch" ? {HATCH_DATA_DIR: ".hatch"} : {}});
});

// python-humanize/humanize, .github/workflows/test.yml; python-attrs/attrs, .github/workflows/ci.yml
it("makes one environment for the rows that differ in the interpreter, and finds the program behind options", () => {
  const tox = {"tox.ini": "[testenv]\ncommands = pytest\n", "tests/test_a.py": ""};
  const rows = ["3.13", "3.14t"].map((version) => `run: uvx --python ${version} --with tox-uv tox -e py`);
  expect(setupOf({...tox, ...workflow(steps(...rows))}).filter((step) => step.includes("tox"))).toEqual([
    '.: PATH=".venv/bin:$PATH" tox --notest -e py',
  ]);
  const line = "run: uv run --only-group tox tox run -e py";
  expect(setupOf({...tox, ...workflow(steps(line))})).toContain(
    '.: PATH=".venv/bin:$PATH" uv run --only-group tox tox run --notest -e py',
  );
});

// fastify/secure-json-parse, .github/workflows/ci.yml; tiangolo/full-stack-fastapi-template
it("installs CI's browsers for the tests after them, as far as that needs no administrator", () => {
  const files = {...NODE, "package-lock.json": ""};
  const tree = (...runs: string[]): Tree => ({...files, ...workflow(steps("run: npm ci", ...runs))});
  const browsers = (...runs: string[]) => setupOf(tree(...runs)).filter((step) => step.includes("playwright"));
  expect(browsers("run: npx playwright install chromium", "run: npm test")).toEqual([
    ".: npx playwright install chromium",
  ]);
  const withDeps = tree("run: npx playwright install --with-deps", "run: npm test");
  expect(planOf(withDeps).setup.at(-1)).toMatchObject({
    command: "npx playwright install",
    origin: {why: expect.stringContaining("`--with-deps` needs administrator rights")},
  });
  expect(accountOf(withDeps)).toContainEqual(expect.stringMatching(/playwright install --with-deps.*administrator/));
  expect(browsers("run: npm test", "run: npx playwright install")).toEqual([]);
});

// junegunn/fzf and sinatra/sinatra; elixir-plug/plug and livebook-dev/livebook
it("takes the options of CI's installs of Bundler and mix", () => {
  const ruby = {Gemfile: "gem 'rspec'\n", "Gemfile.lock": "    rspec (3.1)\n", "spec/a_spec.rb": "", ".rspec": ""};
  const of = (tree: Tree, line: string, check: string) =>
    setupOf({...tree, ...workflow(steps(`run: ${line}`, `run: ${check}`))});
  expect(of(ruby, "bundle install --jobs 3 --retry=3", "bundle exec rspec")).toEqual([
    ".: BUNDLE_PATH=vendor/bundle BUNDLE_FROZEN=true bundle install --jobs 3 --retry=3",
  ]);
  expect(of(ruby, "bundle install --path elsewhere", "bundle exec rspec")).toEqual([
    ".: BUNDLE_PATH=vendor/bundle BUNDLE_FROZEN=true bundle install --jobs 4",
  ]);
  const mix = {"mix.exs": "def project do [deps: []]", "mix.lock": "%{}\n", "test/a_test.exs": ""};
  expect(of(mix, "mix deps.get --only test", "mix test")).toEqual([
    ".: mix local.hex --force --if-missing && mix local.rebar --force --if-missing && mix deps.get --only test --check-locked",
  ]);
});

// pallets/itsdangerous, .github/workflows/tests.yaml
it("makes each environment of a set-up with several", () => {
  const runs = ["run: tox run -e py3.13", "run: tox run -e typing"];
  const toml = '[tool.tox.env_run_base]\ncommands = [["pytest"]]\n[tool.tox.env.typing]\ncommands = [["mypy"]]\n';
  expect(setupOf({"pyproject.toml": toml, "tests/test_a.py": "", ...workflow(steps(...runs))}).join("\n")).toMatch(
    /tox run --notest -e py3\.13[\s\S]*tox run --notest -e typing/,
  );
});

it.each<[string, Tree, readonly [string, string], string]>([
  [
    "one leaves packages out",
    {...NODE, "package-lock.json": ""},
    ["npm ci --omit=dev", "npm ci"],
    "npm ci --ignore-scripts --no-audit --no-fund",
  ],
  [
    "one installs a part only",
    {...PYTHON, "poetry.lock": ""},
    ["poetry install --only main", "poetry install --without docs"],
    "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install",
  ],
  [
    "two ask for different versions",
    PYTHON,
    ["pip install -e . 'django>=5'", "pip install -e . 'django<4'"],
    "python3 -m venv .venv && .venv/bin/python -m pip install -q -e . 'django>=5'",
  ],
  [
    "one updates what the other locks",
    {"composer.json": {scripts: {test: "phpunit"}}, "composer.lock": "{}"},
    ["composer update --prefer-lowest", "composer install"],
    "composer install --no-interaction --no-progress --prefer-dist --no-scripts",
  ],
])("installs what all of the jobs can use where %s", (_, tree, [one, other], expected) => {
  const test = "composer.json" in tree ? "composer test" : "package.json" in tree ? "npm test" : "pytest";
  const jobs = steps(`run: ${one}`, `run: ${test}`) + steps(`run: ${other}`, `run: ${test} -v`).replace("job:", "b:");
  expect(setupOf({...tree, ...workflow(jobs)})).toEqual([`.: ${expected}`]);
});

it.each([
  "pip install --index-url https://user:secret@pypi.example.org/simple -e .",
  "pip install -r requirements.txt --prefix /usr",
  "pip install --target src/vendored -e .",
  "pip install -e ../../other",
])("takes no line with an account or a place outside of the environment: %s", (run) => {
  const [install = ""] = setupOf({...PYTHON, ...workflow(steps(`run: ${run}`, "run: pytest"))});
  expect(install).toMatch(/^\.: python3 -m venv/);
  expect(install).not.toMatch(/secret|\/usr|vendored|other/);
});

it("installs no program of the machine, and says whose line it is", () => {
  const tree = {
    ...NODE,
    "package-lock.json": "",
    ...workflow(steps("run: npm i -g foo", "run: npm ci", "run: npm test")),
  };
  expect(planOf(tree).setup.map(({command, origin}) => [command, origin.file])).toEqual([
    ["npm ci --ignore-scripts --no-audit --no-fund", ".github/workflows/ci.yml"],
  ]);
  expect(accountOf(tree)[0]).toMatch(/^setup npm i -g foo: /);
});
