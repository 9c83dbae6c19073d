/** Finds the kind of stage for a command, or for the name of a script or target. */
import {STAGE_KINDS, type StageKind} from "../record/words.ts";
import {memoize} from "./memoize.ts";
import {toolOf} from "./program.ts";
import {splitShell} from "./split.ts";

/** Tools whose name alone shows their kind (see `toolOf`). The first matching row counts. */
const KINDS: readonly (readonly [RegExp, StageKind])[] = [
  [
    /^(tsc|tsgo|vue-tsc|svelte-check|tsd|dtslint|tstyche|mypy|dmypy|pyright|basedpyright|ty|pytype|pyre|flow|psalm|phpstan|srb|steep|dialyzer|attw)$/,
    "typecheck",
  ],
  [/^(cargo check|go vet|astro check|mix dialyzer|dart analyze|flutter analyze|deno check)$/, "typecheck"],
  [
    /^(eslint|biome|oxlint|oxfmt|xo|standard|semistandard|ts-standard|tslint|jshint|stylelint|prettier|dprint|knip|publint|markdownlint|markdownlint-cli2|cspell|commitlint|ls-lint|sherif)$/,
    "lint",
  ],
  [
    /^(ruff (check|format)|flake8|pylint|black|isort|pydocstyle|bandit|codespell|pre-commit run|yamllint|sqlfluff|vulture)$/,
    "lint",
  ],
  [
    /^(cargo (clippy|fmt)|golangci-lint (run|fmt)|gofmt|gofumpt|goimports|staticcheck|revive|rubocop|standardrb|erb_lint|brakeman|php-cs-fixer|phpcs|pint|ecs|rector|phpmd)$/,
    "lint",
  ],
  [
    /^(dotnet format|mix (format|credo)|swiftlint|swiftformat|swift-format|swift format|dart format|ktlint|detekt|scalafmt|scalafix|cljfmt|clj-kondo|hlint|ormolu|fourmolu|luacheck|selene|stylua|shellcheck|shfmt|hadolint|terraform (fmt|validate)|tflint|clang-format|clang-tidy|cppcheck|cpplint|deno (lint|fmt)|zig fmt|gleam format|buf (lint|format)|actionlint|zizmor|editorconfig-checker|reuse|taplo|typos|nixfmt|alejandra|statix)$/,
    "lint",
  ],
  [
    /^(vitest|jest|mocha|ava|tap|tape|uvu|jasmine|node --test|bun test|deno test|react-scripts test|ng test|qunit|lab|japa|brittle|poku)$/,
    "test",
  ],
  [
    /^(pytest|py\.test|unittest|nosetests|nose2|trial|stestr|manage\.py|\.?\/?manage\.py|tox\b.*|nox\b.*|hatch test)$/,
    "test",
  ],
  [
    /^(cargo (test|nextest|hack)|go test|gotestsum|ginkgo|rspec|cucumber|minitest|phpunit|pest|codecept|kahlan|behat|atoum|artisan test|rails test|dotnet test|mix test|swift test|dart test|flutter test|stack test|cabal test|lein test|sbt test|busted|bats|ctest|zig build test|gleam test|prove|meson test|urchin|shellspec|bashunit)$/,
    "test",
  ],
  [
    /^(go build|cargo build|dotnet build|mix compile|swift build|cmake|meson|ninja|cabal build|stack build|vite build|next build|nuxt build|astro build|tsup|tsdown|rollup|webpack|esbuild|unbuild|obuild|bunchee|pkgroll|microbundle|parcel|rspack|rslib|swc|babel|ng build|zig build|lein compile|sbt compile|gleam build)$/,
    "build",
  ],
];

/** Names of scripts and targets, by kind, best first. */
export const NAMES: Readonly<Record<StageKind, readonly string[]>> = {
  typecheck: words(
    "typecheck type-check check-types check:types types:check type:check types-check test:types",
    "test:type test-types test:typecheck lint:types lint:tsc tsc check:ts ts:check ts-check check-ts",
    "type types typing typecheck:all mypy pyright vet flow flow-ci flow:check",
  ),
  lint: words(
    "lint lint:check lint-check check:lint check-lint eslint test:lint test:eslint lint:ci lint:all",
    "lint-all lint:js lint:ts lint:eslint eslint:check style check-style check:style checkstyle standard",
    "xo biome biome:check oxlint clippy rubocop ruff flake8 shellcheck stylelint format:check",
    "format-check check:format check-format fmt:check fmt-check check-fmt check:fmt prettier:check",
    "check:prettier prettier-check lint:prettier lint:format test:format test:prettier lint:css",
    "lint:style lint:md lint:package lint:ws",
  ),
  test: words(
    "test tests test:unit test-unit unit unit-test unit-tests unittest test:ci test-ci ci:test test:run",
    "test:once test:node test-node test:all test-all test:js test:vitest test:jest vitest jest mocha",
    "run-tests run-test runtests runtest test:coverage test-coverage test:cov test-cov",
  ),
  build: words("build compile build:all build:lib bundle dist build:prod prepack"),
  check: words("check verify validate ci checks check:all check-all qa test:full"),
};

/** The kind that the name of a script or target promises; null for names that promise none. */
export function kindOfName(name: string): StageKind | null {
  const normalizedName = name.toLowerCase().replaceAll("_", "-");
  const kindByName = STAGE_KINDS.find((kind) => NAMES[kind].includes(normalizedName));
  return kindByName ?? null;
}

/** The kind of one simple command, by its tool, else by the name of the script or target that it starts; null if both are unknown. */
export function kindOfWords(words: readonly string[]): StageKind | null {
  const tool = toolOf(words);
  const row = KINDS.find(([pattern]) => pattern.test(tool));
  if (row !== undefined) return row[1];
  const maven = /^(?:mvn|gradle) (.*)$/.exec(tool)?.[1];
  if (maven !== undefined) return kindOfJvm(maven);
  const cmakeTest = tool === "cmake" && words.some((word) => ["test", "check"].includes(word));
  if (cmakeTest) return "test";
  const startedName =
    /^(?:script|make|just|task|rake|composer|deno task|mise|poe|invoke|grunt|gulp|pdm|hatch|turbo|nx|moon|lerna) (.+)$/.exec(
      tool,
    )?.[1];
  const names = (startedName ?? "")
    .split(" ")
    .filter((word) => !["", "run", "ci", "affected", "run-many", "exec", "run-script", "task"].includes(word))
    .map((word) => word.replace(/^-t=?/, ""));
  // `turbo run test test-types` runs the tests, and more.
  if (tool.startsWith("turbo ") && names.length > 1 && names.some((name) => kindOfName(name) === "test")) return "test";
  const name = names.at(-1);
  return name === undefined ? null : kindOfName(name);
}

/** The known kinds of a line's commands. */
export function kindsOf(line: string): StageKind[] {
  return (splitShell(line) ?? []).map(({words}) => kindOfWords(words)).filter((kind) => kind !== null);
}

/** The kind of a line: of its commands' kinds, the last one in the order of a run (a build before a test is preparation). */
export const kindOf: (line: string) => StageKind | null = memoize((line) => {
  const kinds = kindsOf(line);
  return kinds.includes("test") ? "test" : (kinds[0] ?? null);
});

function kindOfJvm(goals: string): StageKind | null {
  if (
    /\b(spotlessCheck|ktlintCheck|detekt|checkstyle|pmd|lint)\b|(spotless|checkstyle|fmt|spring-javaformat):(check|validate)/.test(
      goals,
    )
  )
    return "lint";
  if (/\b(test|verify|check|integration-test)\b/i.test(goals)) return "test";
  return /\b(compile|package|assemble|build|classes|install)\b/.test(goals) ? "build" : null;
}

function words(...lists: string[]): string[] {
  return lists.flatMap((list) => list.split(" "));
}
