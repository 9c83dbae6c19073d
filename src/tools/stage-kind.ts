/** Finds the kind of stage for a command, or for the name of a script or target. */

import {STAGE_KINDS, type StageKind} from "../record/words.ts";
import {memoize} from "../shell/memoize.ts";
import {splitShell} from "../shell/split.ts";
import {COMMANDS, programsWith} from "./all-commands.ts";
import {CONFIGURES} from "./cmake.ts";
import {STARTS_SCRIPTS, toolOf, unwrap} from "./command-name.ts";
import {PREPARES_MODULES} from "./go.ts";
import {nameSet, namesIn, namesTest} from "./names.ts";
import {CODE_PROGRAMS, LINT_CODE, TEST_CODE} from "./other-languages.ts";

/** The kinds of commands whose name alone shows their kind. */
const KINDS: ReadonlyMap<string, StageKind> = new Map(
  COMMANDS.flatMap(({kinds = {}}) =>
    STAGE_KINDS.flatMap((kind) => (kinds[kind] ?? []).map((command) => [command, kind] as const)),
  ),
);

/** Names of scripts and targets, by kind, best first. */
export const NAMES: Readonly<Record<StageKind, readonly string[]>> = {
  typecheck: namesIn(
    "typecheck type-check check-types check:types types:check type:check types-check test:types",
    "test:type test-types test:typecheck lint:types lint:tsc tsc check:ts ts:check ts-check check-ts",
    "type types typing typecheck:all mypy pyright vet flow flow-ci flow:check",
  ),
  lint: namesIn(
    "lint lint:check lint-check check:lint check-lint eslint test:lint test:eslint lint:ci lint:all",
    "lint-all lint:js lint:ts lint:eslint eslint:check style check-style check:style checkstyle standard",
    "xo biome biome:check oxlint clippy rubocop ruff flake8 shellcheck stylelint format:check",
    "format-check check:format check-format fmt:check fmt-check check-fmt check:fmt prettier:check",
    "check:prettier prettier-check lint:prettier lint:format test:format test:prettier lint:css",
    "lint:style lint:md lint:package lint:ws",
  ),
  test: namesIn(
    "test tests test:unit test-unit unit unit-test unit-tests unittest test:ci test-ci ci:test test:run",
    "test:once test:node test-node test:all test-all test:js test:vitest test:jest vitest jest mocha",
    "run-tests run-test runtests runtest test:coverage test-coverage test:cov test-cov",
  ),
  build: namesIn("build compile build:all build:lib bundle dist build:prod prepack"),
  check: namesIn("check verify validate ci checks check:all check-all qa test:full"),
};

const STARTS_BY_NAME = /^(?:script|make|just|task|rake|composer|deno task|mise|poe|invoke|grunt|gulp|pdm) (.+)$/;

/** A name that two kinds have belongs to the first of them. */
const KIND_BY_NAME: ReadonlyMap<string, StageKind> = new Map(
  STAGE_KINDS.toReversed().flatMap((kind) => NAMES[kind].map((name) => [name, kind] as const)),
);

/** The kind that the name of a script or target suggests; null for other names. */
export function kindOfName(name: string): StageKind | null {
  return KIND_BY_NAME.get(name.toLowerCase().replaceAll("_", "-")) ?? null;
}

/**
 * The kind of one simple command, by its tool, else by the name of the script or target that it starts; null if both
 * are unknown.
 */
export function kindOfWords(words: readonly string[]): StageKind | null {
  if (words.some((word) => LISTS_ONLY.has(word)) || onlyPrepares(words)) return null;
  if (rehearsesRelease(words)) return "check";
  const kind = promisedKind(words);
  return kind === "test" &&
    // `mvn -D maven.test.skip=true` (stleary/JSON-java) is `-Dmaven.test.skip=true`.
    words.some(
      (word, i) =>
        switchesTestsOff(words[i - 1] === "-D" ? `-D${word}` : word) || (word === "-x" && words[i + 1] === "test"),
    )
    ? "build"
    : kind;
}

const REHEARSES = programsWith("rehearses releases");

/** True for the rehearsal of a release, which checks the package: `cargo publish --dry-run`. */
export function rehearsesRelease(words: readonly string[]): boolean {
  const [program = "", ...rest] = unwrap(words);
  const operands = rest.filter((word) => !word.startsWith("-"));
  return (
    REHEARSES.has(program) &&
    rest.some((word) => word === "--dry-run" || word === "-n") &&
    (operands[0] === "publish" || (operands[0] === "pub" && operands[1] === "publish"))
  );
}

const EXTENSIONS = programsWith("extension");

/** Selects another machine, whose standard library or emulator may not be installed. */
const OTHER_TARGET = /^(--target|-Dtarget)(=|$)/;
/** Selects another toolchain of Rust than the usual one. */
const OTHER_TOOLCHAIN = /^\+(?!stable)/;
const CROSS_COMPILERS = /^(?:cargo|zig)(?: |$)/;

/** True for a check that may be missing, or lack the network, where its program is installed. */
export const mayBeMissing = (words: readonly string[]): boolean =>
  rehearsesRelease(words) ||
  EXTENSIONS.has(toolOf(words)) ||
  (CROSS_COMPILERS.test(toolOf(words)) && words.some((word) => OTHER_TARGET.test(word) || OTHER_TOOLCHAIN.test(word)));

/** True for a call that only prepares later calls, such as the configuration of a build. */
export function onlyPrepares(words: readonly string[]): boolean {
  const line = words.join(" ");
  return CONFIGURES.test(line) || PREPARES_MODULES.test(line);
}

/** Tools whose subcommand shows the kind, whatever files or steps follow it. */
const OF_FILES = new Set(["deno", "zig"]);

/** Options that make a tool only list its tests, or only prepare itself. */
const LISTS_ONLY = nameSet(
  "--collect-only --co --notest --listTests --list-tests --plt --only-dependencies --copy-bins",
);
/** Options that make a build tool run no test. */
const WITHOUT_TESTS = namesTest(
  "--no-run --no-test --no-tests --skip-test --skip-tests -dskiptests -dmaven.test.skip",
  "-d*disable_test -d*disable_tests -d*skip_test -d*skip_tests -d*no_test -d*no_tests",
);
const WITH_TESTS = namesTest(
  "-d*build_testing -d*enable_test -d*enable_tests -d*build_test -d*build_tests -d*with_test -d*with_tests -dtests",
);
const ON = nameSet("on 1 true yes");
const OFF = nameSet("off 0 false no disabled");

function switchesTestsOff(word: string): boolean {
  const [option = "", value = "true"] = word.toLowerCase().replace(":bool", "").split("=");
  return (WITHOUT_TESTS(option) && ON.has(value)) || (WITH_TESTS(option) && OFF.has(value));
}

/** Environments of tox that make or read documents. */
const OF_DOCUMENTS = /(?:^|-)(?:docs?|linkcheck|links|readme|changelog)(?:-|$)/;
/** Environments of tox for developers and releases. */
const OF_DEVELOPERS = new Set(["dev", "develop", "fix", "release", "bump", "clean"]);
/** Environments of tox that check the package, as its index does. */
const OF_PACKAGE = /^(?:pkg|package|packaging|manifest|metadata|twine)(?![a-z])/;

function promisedKind(words: readonly string[]): StageKind | null {
  const tool = toolOf(words);
  const [first = "", second = ""] = tool.split(" ");
  if (first === "tox" && OF_DEVELOPERS.has(second)) return null;
  if (first === "tox" && OF_DOCUMENTS.test(second) && !/(?<!link)check|lint|test/.test(second)) return null;
  const kind =
    kindOfCode(words) ??
    kindOfTask(first, second) ??
    KINDS.get(tool) ??
    KINDS.get(`${first} *`) ??
    (OF_FILES.has(first) ? KINDS.get(`${first} ${second}`) : undefined);
  if (kind !== undefined) return kind;
  // `mvn verify checkstyle:check` also runs the tests.
  if (/^mvn (.* )?(verify|test)( |$)/.test(tool)) return "test";
  const maven = /^(?:mvn|gradle) (.*)$/.exec(tool)?.[1];
  if (maven !== undefined) return kindOfJvm(maven);
  const cmakeTest = tool === "cmake" && words.some((word) => ["test", "check"].includes(word));
  if (cmakeTest) return "test";
  const [program = "", ...rest] = tool.split(" ");
  const startedName = STARTS_SCRIPTS.has(program) ? rest.join(" ") : STARTS_BY_NAME.exec(tool)?.[1];
  const names = (startedName ?? "")
    .split(" ")
    .filter((word) => !["", "run", "ci", "affected", "run-many", "exec", "run-script", "task"].includes(word))
    .map((word) => word.replace(/^(-t=?|--targets?=)/, ""));
  // `turbo run test test-types` runs the tests, and more.
  if (tool.startsWith("turbo ") && names.length > 1 && names.some((name) => kindOfName(name) === "test")) return "test";
  const name = names.at(-1);
  // `moon run app:test` and `moon run :test` name a project before the task.
  return name === undefined ? null : (kindOfName(name) ?? kindOfName(name.replace(/^[^:]*:/, "")));
}

/** The kind of the check that code on the command line starts: `Rscript -e 'devtools::test()'`. */
function kindOfCode(words: readonly string[]): StageKind | undefined {
  if (!words.includes("-e") || !CODE_PROGRAMS.includes(words[0] ?? "")) return undefined;
  const code = words[words.indexOf("-e") + 1] ?? "";
  if (code.includes(LINT_CODE)) return "lint";
  return TEST_CODE.test(code) ? "test" : undefined;
}

/** The kind of an environment, an alias or a task, by the names that these tools' projects give them. */
function kindOfTask(program: string, name: string): StageKind | null {
  // A session of nox may end in a version of Python.
  if (program === "tox") return kindOfName(name) ?? (OF_PACKAGE.test(name) ? "check" : null);
  if (program === "nox") return /^docs?\b/.test(name) ? "build" : kindOfName(name.replace(/-(pypy)?\d[\d.]*$/, ""));
  if (program === "lein") return name.startsWith("test-") ? "test" : null;
  if (program === "mill") return /(?:^|[._/])mimaReportBinaryIssues$/.test(name) ? "check" : null;
  if (program !== "sbt") return null;
  const task = name.replace(/^.*\//, "");
  if (/^test(?!s?$|Only)[A-Z]/.test(task)) return "test";
  // Builds give these names to aliases that run all checks. Those for other platforms need their runtimes.
  if (/^(mimaReportBinaryIssues|(ci|validate|verify)(JVM)?)$/.test(task)) return "check";
  // The linker of Scala.js, and the site whose code examples are compiled.
  if (["scalaJSLinkerResult", "tlSite"].includes(task)) return "build";
  return task === name ? null : (KINDS.get(`sbt ${task}`) ?? null);
}

/** The known kinds of a line's commands. */
export function kindsOf(line: string): StageKind[] {
  return (splitShell(line) ?? []).map(({words}) => kindOfWords(words)).filter((kind) => kind !== null);
}

/**
 * The kind of a line: of its commands' kinds, the kind that comes last in a run (a build before a test only prepares
 * it).
 */
export const kindOf: (line: string) => StageKind | null = memoize((line) => {
  const kinds = kindsOf(line);
  return kinds.includes("test") ? "test" : (kinds[0] ?? null);
});

function kindOfJvm(goals: string): StageKind | null {
  if (
    /\b(spotlessCheck|ktlint(Check)?|lintKotlin|detekt(Main|All)?|checkstyle|pmd|lint)\b|(spotless|checkstyle|fmt|spring-javaformat):(check|validate)/.test(
      goals,
    )
  )
    // Gradle's `build` also runs the tests.
    return /(^| )(test|check|build)( |$)/.test(goals) ? "test" : "lint";
  if (/\b(test|verify|check|integration-test)\b/i.test(goals)) return "test";
  return /\b(compile|package|assemble|build|classes|install|dokka\w*)\b/.test(goals) ? "build" : null;
}
