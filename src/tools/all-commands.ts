/** The commands of all tools, apart from the formats of their outputs. */

import {biomeCommand} from "./biome.ts";
import {bunCommand} from "./bun.ts";
import {clangFormatCommand} from "./c-compilers.ts";
import {cargoCommand} from "./cargo.ts";
import {cmakeCommand} from "./cmake.ts";
import {ctestCommand} from "./ctest.ts";
import {denoCommand} from "./deno.ts";
import {dotnetCommand} from "./dotnet.ts";
import {eslintCommand} from "./eslint.ts";
import {flake8Command} from "./flake8.ts";
import {goCommand, gofmtCommand, gotestsumCommand} from "./go.ts";
import {golangciLintCommand} from "./golangci-lint.ts";
import {gradleCommand} from "./gradle.ts";
import {haskellCommand} from "./haskell.ts";
import {jestCommand, reactScriptsCommand} from "./jest.ts";
import {makeCommand} from "./make.ts";
import {mavenCommand} from "./maven.ts";
import {minitestCommand} from "./minitest.ts";
import {mixCommand} from "./mix.ts";
import {mochaCommand} from "./mocha.ts";
import {mypyCommand} from "./mypy.ts";
import {nextestCommand} from "./nextest.ts";
import {nodeTestCommand} from "./node-test.ts";
import {otherActions} from "./other-actions.ts";
import {otherCommands} from "./other-commands.ts";
import {otherLanguageCommands} from "./other-languages.ts";
import {otherLinterCommands} from "./other-linters.ts";
import {otherTestRunnerCommands} from "./other-test-runners.ts";
import {oxlintCommand} from "./oxlint.ts";
import {pestCommand} from "./pest.ts";
import {phpLinterCommands} from "./php-linters.ts";
import {phpunitCommand} from "./phpunit.ts";
import {playwrightCommand} from "./playwright.ts";
import {prettierCommand} from "./prettier.ts";
import {pylintCommand} from "./pylint.ts";
import {pyrightCommand} from "./pyright.ts";
import {pytestCommand} from "./pytest.ts";
import {blackCommand, isortCommand} from "./python-formatters.ts";
import {rspecCommand} from "./rspec.ts";
import {rubocopCommand} from "./rubocop.ts";
import {rubyLintersCommand} from "./ruby-linters.ts";
import {ruffCommand} from "./ruff.ts";
import {rustfmtCommand} from "./rustfmt.ts";
import {batsCommand, shellcheckCommand, shfmtCommand} from "./shell-checks.ts";
import {standardCommand, xoCommand} from "./standard.ts";
import {stylelintCommand} from "./stylelint.ts";
import {svelteCheckCommand} from "./svelte-check.ts";
import {swiftCommand} from "./swift.ts";
import type {ProjectFamily, ToolCommand, Trait} from "./tool-command.ts";
import {tscCommand} from "./tsc.ts";
import {newTypeCheckers} from "./ty.ts";
import {unittestCommand} from "./unittest.ts";
import {vitestCommand} from "./vitest.ts";
import {workspaceRunnerCommands} from "./workspace-runners.ts";
import {zigCommand} from "./zig.ts";

/** Separate from `TOOLS`, because patterns of outputs take milliseconds to load. */
export const COMMANDS: readonly ToolCommand[] = [
  tscCommand,
  svelteCheckCommand,
  biomeCommand,
  oxlintCommand,
  prettierCommand,
  stylelintCommand,
  eslintCommand,
  standardCommand,
  xoCommand,
  vitestCommand,
  jestCommand,
  reactScriptsCommand,
  playwrightCommand,
  mochaCommand,
  nodeTestCommand,
  bunCommand,
  denoCommand,
  pytestCommand,
  unittestCommand,
  pyrightCommand,
  pylintCommand,
  mypyCommand,
  ...newTypeCheckers,
  ruffCommand,
  flake8Command,
  blackCommand,
  isortCommand,
  golangciLintCommand,
  goCommand,
  gotestsumCommand,
  gofmtCommand,
  cargoCommand,
  nextestCommand,
  rustfmtCommand,
  mavenCommand,
  gradleCommand,
  dotnetCommand,
  phpunitCommand,
  pestCommand,
  ...phpLinterCommands,
  rspecCommand,
  minitestCommand,
  rubocopCommand,
  rubyLintersCommand,
  mixCommand,
  swiftCommand,
  shellcheckCommand,
  shfmtCommand,
  batsCommand,
  haskellCommand,
  clangFormatCommand,
  cmakeCommand,
  makeCommand,
  ctestCommand,
  ...workspaceRunnerCommands,
  ...otherTestRunnerCommands,
  ...otherLinterCommands,
  ...otherCommands,
  otherActions,
  ...otherLanguageCommands,
  zigCommand,
];

/** The programs of all tools with this trait. */
export function programsWith(trait: Trait): ReadonlySet<string> {
  return new Set(COMMANDS.filter(({traits}) => traits?.includes(trait)).flatMap(({programs}) => programs ?? []));
}

/** The commands that read the projects of their family, without nested other projects. */
const FAMILY_OF: ReadonlyMap<string, ProjectFamily> = new Map(
  COMMANDS.flatMap(({reads}) => (reads?.commands ?? []).map((name) => [name, reads?.family ?? "other"] as const)),
);

/** The family whose projects a command reads; undefined for other tools. */
export const familyOf = (words: readonly string[]): ProjectFamily | undefined =>
  [3, 2, 1].map((count) => FAMILY_OF.get(words.slice(0, count).join(" "))).find((one) => one !== undefined);
