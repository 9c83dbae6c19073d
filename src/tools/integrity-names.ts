/** The files, modules, programs and variables by which the integrity checks recognize tools. Data only; `*` stands for any characters. */
import {nameSet, namesIn, namesTest} from "./names.ts";

/** The name of a file that decides what a test run checks. */
export const decidesRun = namesTest(
  "package.json pyproject.toml Cargo.toml setup.cfg tox.ini tox.toml noxfile.py sitecustomize.py usercustomize.py",
  ".coveragerc justfile Justfile Taskfile.yml Taskfile.yaml melos.yaml pom.xml build.gradle build.gradle.kts",
  "gradle.properties .npmrc .babelrc .babelrc.* build.rs .mocharc.* GNUmakefile Makefile makefile *.mk",
  "pytest.ini .pytest.ini pytest.toml .pytest.toml conftest.py",
);
/** Parts of the names of a runner's other files: `vite-unit.config.ts`. */
export const CONFIGURED_RUNNERS = namesIn("babel nyc tap ava karma jest mocha playwright vite");
/** Keys of a `package.json` that decide about tests and checks. */
export const PACKAGE_KEYS = nameSet(
  "scripts nyc c8 tap wireit eslintConfig xo standard babel lint-staged ava jest mocha vitest prettier nx",
);
/** The name of a file, in lower case, that a runner loads before or after the tests. */
export const isLoadedByRunner = namesTest("conftest.py sitecustomize.py usercustomize.py .mocharc.js .mocharc.cjs");
/** The name of a script, in lower case, that belongs to a runner. */
export const belongsToRunner = namesTest("jest* mocha* playwright* vitest*");
/** Configuration in a format without a parser here: of checks only, or of other things too. */
export const isUnreadChecks = namesTest(".credo.exs .rspec phpstan*.neon phpstan*.neon.dist");
export const isUnreadBuild = namesTest(
  "*.cmake CMakeLists.txt mix.exs build.gradle build.gradle.kts Rakefile .simplecov",
);
/** Names under which a file could run in a tool's place. */
export const TOOL_NAMES = nameSet(
  "tox coverage chai expect assert node npm npx go gradle python python3 tap pluggy hypothesis cargo rustc ava eslint",
  "flake8 jest make mvn mocha mypy pytest _pytest ruff tsc typescript unittest vitest",
);
/** Packages with another name that belong to a tool. */
export const isToolPackage = namesTest("@biomejs/biome @jest/* @vitest/* c8 nyc");
/** Files and folders where tools keep results. */
export const CACHES = nameSet(".eslintcache .jest .mypy_cache .pytest_cache .ruff_cache");

export const isTestModule = namesTest("@jest/globals vitest node:test @playwright/test chai expect @testing-library/*");
export const PYTHON_TEST_MODULES = nameSet("pytest unittest");
/** The names of runners where code compares them, or searches them in the arguments of the process. */
export const RUNNER_NAMES = namesIn("jest mocha pytest vitest");
/** Variables that are set while tests run. */
export const isSetByRunner = namesTest(
  "CARGO_TARGET_TMPDIR JEST_WORKER_ID SUREFIRE_* MOCHA_* NEXTEST* NODE_TEST_CONTEXT PYTEST_CURRENT_TEST PYTEST_VERSION",
  "VITEST VITEST_*",
);
/** The objects whose methods replace modules and functions in JavaScript. */
export const MOCK_OBJECTS = namesIn("jest vi");

/** Lines that make a tool stricter for their file; the group is what they require. */
export const STRICT_COMMENTS: readonly RegExp[] = [
  /^\s*\/\/\s*(@ts-check)\b/,
  /^\s*#\s*((?:mypy|pyright):\s*(?:strict|disallow)[\w-]*)/,
  /^\s*#!?\[\s*(?:deny|forbid|warn)\(([\w:, ]+)\)\]/,
];

/** Endings of tests that are shell scripts. */
export const SHELL_ENDINGS = nameSet("sh bash zsh inc bats");
/** Options with which each run passes. */
const PASSING_OPTIONS = namesIn("issues-exit-code=0 failure-exit-code exit-zero");
export const hasPassingOption = (text: string): boolean => PASSING_OPTIONS.some((option) => text.includes(option));
/** The command to which a setting adds options. */
export const COMMAND_WITH_SETTINGS = "pytest";
