/** All tools: what they print, in the order in which their output rules are tried, and their commands. */
/**
 * To support a new tool: write `src/tools/NAME.ts` with a `Tool`, a `ToolCommand` or both, which hold only the
 * abilities that you know of; add a line for each here; and add an output of the tool to
 * `tests/unit/diagnostics/samples/` with its expected problems in `tests/unit/diagnostics/tools.test.ts`. A tool with
 * one small ability shares a file with its relatives. Put specific rules before general ones: the first rule that
 * matches a line reads it.
 */

import {anyTool} from "./any-tool.ts";
import {ava, avaCommand} from "./ava.ts";
import {biome, biomeCommand} from "./biome.ts";
import {jasmine, karma, uvu} from "./browser-tests.ts";
import {bun, bunCommand} from "./bun.ts";
import {clangFormat, clangFormatCommand, gcc, ld, sanitizer} from "./c-compilers.ts";
import {cargo, cargoCommand, cargoTest} from "./cargo.ts";
import {cmake, cmakeCommand} from "./cmake.ts";
import {ctest, ctestCommand} from "./ctest.ts";
import {deno, denoCommand} from "./deno.ts";
import {dotnet, dotnetCommand, dotnetTest} from "./dotnet.ts";
import {commonTest, erlang, eunit} from "./erlang.ts";
import {eslint, eslintCommand} from "./eslint.ts";
import {flake8, flake8Command} from "./flake8.ts";
import {go, goCommand, gofmt, gofmtCommand, goTest, gotestsum, gotestsumCommand} from "./go.ts";
import {golangciLint, golangciLintCommand} from "./golangci-lint.ts";
import {googletest} from "./googletest.ts";
import {checkstyle, gradle, gradleCommand} from "./gradle.ts";
import {ghc, haskellCommand, tasty} from "./haskell.ts";
import {jest, jestCommand, reactScriptsCommand} from "./jest.ts";
import {java, javac, kotlinc, scalac} from "./jvm-compilers.ts";
import {dart, forge, julia, lein, nim, ocaml, pester, phpt, testthat} from "./language-tests.ts";
import {make, makeCommand} from "./make.ts";
import {maven, mavenCommand, surefire} from "./maven.ts";
import {minitest, minitestCommand} from "./minitest.ts";
import {mix, mixCommand} from "./mix.ts";
import {mocha, mochaCommand} from "./mocha.ts";
import {mypy, mypyCommand} from "./mypy.ts";
import {nextest, nextestCommand} from "./nextest.ts";
import {node} from "./node.ts";
import {nodeTest, nodeTestCommand} from "./node-test.ts";
import {npm} from "./npm.ts";
import {otherActions} from "./other-actions.ts";
import {otherCommands} from "./other-commands.ts";
import {otherLanguageCommands} from "./other-languages.ts";
import {otherLinterCommands, terraform} from "./other-linters.ts";
import {
  behave,
  busted,
  catch2,
  cucumber,
  ginkgo,
  meson,
  otherTestRunnerCommands,
  ownRunner,
  robot,
} from "./other-test-runners.ts";
import {oxlint, oxlintCommand} from "./oxlint.ts";
import {composer, pip, uv, yarn} from "./package-managers.ts";
import {pest, pestCommand} from "./pest.ts";
import {php} from "./php.ts";
import {phpLinterCommands, phpstan, pint, psalm} from "./php-linters.ts";
import {phpunit, phpunitCommand} from "./phpunit.ts";
import {playwright, playwrightCommand} from "./playwright.ts";
import {pnpm} from "./pnpm.ts";
import {prettier, prettierCommand} from "./prettier.ts";
import {pylint, pylintCommand} from "./pylint.ts";
import {pyrefly, pyreflyCommand} from "./pyrefly.ts";
import {pyright, pyrightCommand} from "./pyright.ts";
import {pytest, pytestCommand} from "./pytest.ts";
import {python} from "./python.ts";
import {black, blackCommand, isort, isortCommand} from "./python-formatters.ts";
import {rspec, rspecCommand} from "./rspec.ts";
import {rubocop, rubocopCommand, standardrb} from "./rubocop.ts";
import {ruby} from "./ruby.ts";
import {brakeman, hamlLint, reek, rubyLintersCommand} from "./ruby-linters.ts";
import {ruff, ruffCommand} from "./ruff.ts";
import {rustc} from "./rustc.ts";
import {rustfmt, rustfmtCommand} from "./rustfmt.ts";
import {munit, sbt, scalatest, specs2} from "./scala-tests.ts";
import {shell} from "./shell.ts";
import {bats, batsCommand, shellcheck, shellcheckCommand, shfmt, shfmtCommand} from "./shell-checks.ts";
import {standard, standardCommand, xo, xoCommand} from "./standard.ts";
import {stylelint, stylelintCommand} from "./stylelint.ts";
import {svelteCheck, svelteCheckCommand} from "./svelte-check.ts";
import {swift, swiftCommand, swiftformat, swiftTesting} from "./swift.ts";
import {perl, prove, tap} from "./tap.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand, Trait} from "./tool-command.ts";
import {tsc, tscCommand} from "./tsc.ts";
import {tslint, tslintCommand} from "./tslint.ts";
import {ty, tyCommand} from "./ty.ts";
import {unittest, unittestCommand} from "./unittest.ts";
import {vitest, vitestCommand} from "./vitest.ts";
import {webPlatformTests} from "./web-platform-tests.ts";
import {lerna, nox, nx, turbo, workspaceRunnerCommands} from "./workspace-runners.ts";
import {zig, zigCommand} from "./zig.ts";

/** The tools with known output; the tables of the other folders are derived from these lists. */
export const TOOLS: readonly Tool[] = [
  tsc,
  svelteCheck,
  biome,
  oxlint,
  prettier,
  stylelint,
  eslint,
  standard,
  xo,
  tslint,
  vitest,
  jest,
  ava,
  playwright,
  mocha,
  nodeTest,
  bun,
  deno,
  pytest,
  unittest,
  python,
  pyright,
  pylint,
  mypy,
  pyrefly,
  ty,
  ruff,
  flake8,
  black,
  isort,
  golangciLint,
  goTest,
  go,
  gotestsum,
  gofmt,
  rustc,
  cargoTest,
  cargo,
  nextest,
  rustfmt,
  maven,
  surefire,
  gradle,
  checkstyle,
  kotlinc,
  scalac,
  javac,
  java,
  dotnet,
  dotnetTest,
  phpunit,
  pest,
  phpstan,
  psalm,
  pint,
  php,
  rspec,
  minitest,
  rubocop,
  standardrb,
  hamlLint,
  reek,
  brakeman,
  ruby,
  mix,
  swift,
  swiftTesting,
  swiftformat,
  shellcheck,
  shfmt,
  bats,
  tap,
  perl,
  webPlatformTests,
  ghc,
  tasty,
  zig,
  gcc,
  ld,
  sanitizer,
  clangFormat,
  cmake,
  make,
  ctest,
  googletest,
  npm,
  pnpm,
  yarn,
  pip,
  uv,
  composer,
  node,
  turbo,
  lerna,
  nx,
  nox,
  jasmine,
  karma,
  uvu,
  dart,
  cucumber,
  catch2,
  scalatest,
  munit,
  specs2,
  sbt,
  lein,
  julia,
  testthat,
  ocaml,
  nim,
  pester,
  phpt,
  forge,
  eunit,
  commonTest,
  erlang,
  busted,
  prove,
  ginkgo,
  robot,
  behave,
  meson,
  ownRunner,
  terraform,
  shell,
  anyTool,
];

/** The commands of tools. A plan loads only these: patterns of outputs take milliseconds to load. */
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
  tslintCommand,
  vitestCommand,
  jestCommand,
  reactScriptsCommand,
  avaCommand,
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
  pyreflyCommand,
  tyCommand,
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
