/** Selects the stages that may run in a separate checkout, in parallel with others of their project. */

import {isBelow} from "../../detect/files/project.ts";
import type {Stage} from "../../record/plan.ts";
import {toolOf, unwrap} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {allCommands} from "./expand-scripts.ts";

/**
 * Read-only commands: they write nothing that another stage could read. By the name from `toolOf`, with words that the line must
 * and must not contain. From the tools' manuals.
 */
const READ_ONLY_COMMANDS: readonly {readonly tool: RegExp; readonly with?: RegExp; readonly without?: RegExp}[] = [
  {tool: /^(tsc|tsgo|vue-tsc)$/, with: / --noEmit( |$)/, without: / (-b|--build|-w|--watch|--init)( |$)/},
  {tool: /^(eslint|oxlint|stylelint|standard|xo|markdownlint(-cli2)?)$/, without: / --(fix\S*|init|output-file)/},
  {tool: /^biome$/, with: / (ci|check|lint|format)( |$)/, without: / --(write|fix|unsafe|apply\S*)/},
  {tool: /^prettier$/, with: / (--check|-c|--list-different|-l)( |$)/, without: / (--write|-w)( |$)/},
  {tool: /^ruff check$/, without: / --(fix|unsafe-fixes|output-file)/},
  {tool: /^ruff format$/, with: / --(check|diff)( |$)/},
  {
    tool: /^(mypy|pyright|basedpyright|flake8|pylint|shellcheck|yamllint|actionlint)$/,
    without: / --(install-types|\S*report)/,
  },
  {tool: /^(black|isort)$/, with: / --(check|check-only|diff)( |$)/},
  {tool: /^go vet$/},
  {tool: /^(gofmt|gofumpt|goimports)$/, with: / -[ld]( |$)/, without: / -w( |$)/},
  {tool: /^golangci-lint run$/, without: / --fix/},
  {tool: /^cargo fmt$/, with: / --check( |$)/},
  {tool: /^rubocop$/, without: / (-a|-A|--auto\S*|--fix\S*)( |$)/},
  {tool: /^mix format$/, with: / --check-formatted( |$)/},
  {tool: /^(svelte-check|knip)$/, without: / --(fix|watch)/},
];

/**
 * Tools that reuse what others of the same family have compiled in the same checkout or home. In parallel, in separate checkouts,
 * each of them would compile everything again.
 */
const COMPILERS: readonly {readonly family: string; readonly tool: RegExp}[] = [
  {family: "go", tool: /^(go (vet|test|build|run)|golangci-lint( .*)?|gotestsum|staticcheck)$/},
  {family: "cargo", tool: /^cargo (?!fmt)/},
  {family: "native", tool: /^(cmake|ctest|ninja|meson|make|\.\/configure)( |$)/},
  {family: "jvm", tool: /^(mvn|gradle|sbt|mill|lein|clojure)( |$)/},
  {family: "dotnet", tool: /^dotnet /},
  {family: "beam", tool: /^(mix|rebar3)( |$)/},
  {family: "swift", tool: /^swift /},
  {family: "haskell", tool: /^(cabal|stack)( |$)/},
];

/** The families of the compilers that a line starts. */
function compilersIn(line: string): Set<string> {
  const tools = (splitShell(line) ?? []).map(({words}) => toolOf(words));
  return new Set(COMPILERS.filter(({tool}) => tools.some((one) => tool.test(one))).map(({family}) => family));
}

/** True for a line of read-only commands. An unknown command is not read-only. */
export function isReadOnly(line: string): boolean {
  const isReadOnlyCommand = (words: readonly string[]): boolean => {
    const tool = toolOf(words);
    const text = ` ${unwrap(words).join(" ")}`;
    return READ_ONLY_COMMANDS.some(
      (one) => one.tool.test(tool) && (one.with?.test(text) ?? true) && !(one.without?.test(text) ?? false),
    );
  };
  return allCommands(line)?.every(({words}) => isReadOnlyCommand(words)) ?? false;
}

/**
 * The stages that can run in a separate checkout: read-only stages, and a build without later stages, if no earlier stage may have
 * expanded files that they read, and no other stage starts the same compiler. `expanded` gives the stages' expanded commands. The
 * checkout must be separate, because in a shared one a test could change files while the type checker reads them.
 */
export function isolatedStages(stages: readonly Stage[], expanded: (stage: Stage) => string): Set<Stage> {
  const isolated = new Set<Stage>();
  const compilers = new Map(stages.map((stage) => [stage, compilersIn(expanded(stage))]));
  const compilesWithOthers = (stage: Stage): boolean =>
    stages.some(
      (other) =>
        other !== stage &&
        areNested(stage, other) &&
        [...(compilers.get(stage) ?? [])].some((family) => compilers.get(other)?.has(family)),
    );
  const leavesNothing = (stage: Stage) => isolated.has(stage) || stage.kind === "test" || isReadOnly(expanded(stage));
  for (const [at, stage] of stages.entries()) {
    const before = stages.slice(0, at).filter((other) => areNested(stage, other) || stage.needs.includes(other.name));
    if (!before.every(leavesNothing) || compilesWithOthers(stage)) continue;
    const needsATest = before.some((other) => other.kind === "test" && stage.needs.includes(other.name));
    const isLast = stage.kind === "build" && stages.slice(at + 1).every((other) => isolated.has(other));
    if (!needsATest && (isLast || isReadOnly(expanded(stage)))) isolated.add(stage);
  }
  return isolated;
}

const areNested = (one: Stage, other: Stage): boolean => isBelow(one.cwd, other.cwd) || isBelow(other.cwd, one.cwd);
