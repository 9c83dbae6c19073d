/** Which stages may run in a checkout of their own, beside the others of their project. */

import {isBelow} from "../../detect/files/project.ts";
import type {Stage} from "../../record/plan.ts";
import {toolOf, unwrap} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {allCommands} from "./expand-scripts.ts";

/**
 * Commands that only look: they leave nothing behind that another stage could read. By their name as `toolOf` gives it, what
 * the line must say for that, and what it must not. From the tools' own manuals.
 */
const LOOKERS: readonly {readonly tool: RegExp; readonly with?: RegExp; readonly without?: RegExp}[] = [
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
 * Tools that go on from what others of their kind have compiled, in the same checkout or the same home. Side by side, each in
 * a checkout of its own, they would compile all of it at once, and again.
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

/** The compilers that a line starts, whatever else is in it. */
function compilersIn(line: string): Set<string> {
  const tools = (splitShell(line) ?? []).map(({words}) => toolOf(words));
  return new Set(COMPILERS.filter(({tool}) => tools.some((one) => tool.test(one))).map(({family}) => family));
}

/** True for a line whose every part only looks. Unknown commands do not. */
export function isReadOnly(line: string): boolean {
  const looks = (words: readonly string[]): boolean => {
    const tool = toolOf(words);
    const text = ` ${unwrap(words).join(" ")}`;
    return LOOKERS.some(
      (one) => one.tool.test(tool) && (one.with?.test(text) ?? true) && !(one.without?.test(text) ?? false),
    );
  };
  return allCommands(line)?.every(({words}) => looks(words)) ?? false;
}

/**
 * The stages that can have a checkout of their own: what only looks, and a build that nothing comes after, where no stage
 * before may have made something that they read. Not where another stage starts the same compiler, which does not compile twice then. `written` are the stages' commands, written out. A checkout of one's own
 * rather than a shared one, because a test could otherwise put other files before the type checker while that one looks.
 */
export function isolatedStages(stages: readonly Stage[], written: (stage: Stage) => string): Set<Stage> {
  const apart = new Set<Stage>();
  const compilers = new Map(stages.map((stage) => [stage, compilersIn(written(stage))]));
  const compilesWithOthers = (stage: Stage): boolean =>
    stages.some(
      (other) =>
        other !== stage &&
        meets(stage, other) &&
        [...(compilers.get(stage) ?? [])].some((family) => compilers.get(other)?.has(family)),
    );
  const leavesNothing = (stage: Stage) => apart.has(stage) || stage.kind === "test" || isReadOnly(written(stage));
  for (const [at, stage] of stages.entries()) {
    const before = stages.slice(0, at).filter((other) => meets(stage, other) || stage.needs.includes(other.name));
    if (!before.every(leavesNothing) || compilesWithOthers(stage)) continue;
    const needsATest = before.some((other) => other.kind === "test" && stage.needs.includes(other.name));
    const isLast = stage.kind === "build" && stages.slice(at + 1).every((other) => apart.has(other));
    if (!needsATest && (isLast || isReadOnly(written(stage)))) apart.add(stage);
  }
  return apart;
}

const meets = (one: Stage, other: Stage): boolean => isBelow(one.cwd, other.cwd) || isBelow(other.cwd, one.cwd);
