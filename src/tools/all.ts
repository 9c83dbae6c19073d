/** All tools, in the order in which their output rules are tried. */
/*
 * To support a new tool: write `src/tools/NAME.ts` with one `Tool`, which holds only the abilities that you know of; add a line here; and add
 * an output of the tool to `tests/unit/diagnostics/samples/` with its expected problems in `tests/unit/diagnostics/tools.test.ts`. A tool with
 * one small ability shares a file with its relatives. Put specific rules before general ones: the first rule that matches a line reads it.
 */

import {anyTool} from "./any-tool.ts";
import {ava} from "./ava.ts";
import {biome, biomeFiles} from "./biome.ts";
import {bun} from "./bun.ts";
import {clangFormat, gcc, ld, sanitizer} from "./c-compilers.ts";
import {cargo, cargoTest} from "./cargo.ts";
import {cmake} from "./cmake.ts";
import {ctest} from "./ctest.ts";
import {deno} from "./deno.ts";
import {dotnet, dotnetTest} from "./dotnet.ts";
import {eslint, eslintFiles} from "./eslint.ts";
import {flake8, flake8Files} from "./flake8.ts";
import {go, gofmt, goTest, gotestsum} from "./go.ts";
import {golangciLint, golangciLintFiles} from "./golangci-lint.ts";
import {googletest} from "./googletest.ts";
import {checkstyle, gradle} from "./gradle.ts";
import {ghc, hlintFiles, tasty} from "./haskell.ts";
import {jest, jestFiles} from "./jest.ts";
import {java, javac, kotlinc, scalac} from "./jvm-compilers.ts";
import {make} from "./make.ts";
import {maven, surefire} from "./maven.ts";
import {minitest} from "./minitest.ts";
import {mix, mixCredoFiles} from "./mix.ts";
import {mocha, mochaFiles} from "./mocha.ts";
import {mypy, mypyFiles} from "./mypy.ts";
import {nextest} from "./nextest.ts";
import {node} from "./node.ts";
import {nodeTest} from "./node-test.ts";
import {npm} from "./npm.ts";
import {luacheckFiles, seleneFiles, terraform, tyFiles} from "./other-linters.ts";
import {
  behave,
  busted,
  bustedFiles,
  catch2,
  cucumber,
  dart,
  ginkgo,
  jasmine,
  karma,
  lein,
  meson,
  ownRunner,
  prove,
  robot,
  sbt,
  scalatest,
} from "./other-test-runners.ts";
import {oxlint, oxlintFiles} from "./oxlint.ts";
import {composer, pip, uv, yarn} from "./package-managers.ts";
import {pest} from "./pest.ts";
import {php} from "./php.ts";
import {phpCsFixerFiles, phpcsFiles, phpstan, phpstanFiles, pint, psalm, psalmFiles} from "./php-linters.ts";
import {phpunit, phpunitFiles} from "./phpunit.ts";
import {playwright, playwrightFiles} from "./playwright.ts";
import {pnpm} from "./pnpm.ts";
import {prettier} from "./prettier.ts";
import {pylint, pylintFiles} from "./pylint.ts";
import {pyright, pyrightFiles} from "./pyright.ts";
import {pytest, pytestFiles} from "./pytest.ts";
import {python} from "./python.ts";
import {black, isort, isortFiles} from "./python-formatters.ts";
import {rspec, rspecFiles} from "./rspec.ts";
import {rubocop, rubocopFiles, standardrb} from "./rubocop.ts";
import {ruby} from "./ruby.ts";
import {brakeman, hamlLint, reek} from "./ruby-linters.ts";
import {ruff, ruffFiles} from "./ruff.ts";
import {rustc} from "./rustc.ts";
import {rustfmt} from "./rustfmt.ts";
import {shell} from "./shell.ts";
import {bats, shellcheck, shfmt} from "./shell-checks.ts";
import {standard, xo} from "./standard.ts";
import {stylelint} from "./stylelint.ts";
import {svelteCheck} from "./svelte-check.ts";
import {swift, swiftformat, swiftlintFiles, swiftTesting} from "./swift.ts";
import type {Tool, ToolFiles} from "./tool.ts";
import {tsc, tscFiles} from "./tsc.ts";
import {tslint} from "./tslint.ts";
import {unittest} from "./unittest.ts";
import {vitest, vitestFiles} from "./vitest.ts";
import {webPlatformTests} from "./web-platform-tests.ts";
import {lerna, nox, nx, turbo} from "./workspace-runners.ts";

/** The tools that are known; the tables of the other folders are derived from this list. */
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
  webPlatformTests,
  ghc,
  tasty,
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
  dart,
  cucumber,
  catch2,
  scalatest,
  sbt,
  lein,
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

/** The configuration files of tools: apart from `TOOLS`, so that a plan loads no patterns of outputs. */
export const CONFIGURED_TOOLS: readonly ToolFiles[] = [
  tscFiles,
  biomeFiles,
  oxlintFiles,
  eslintFiles,
  vitestFiles,
  jestFiles,
  playwrightFiles,
  mochaFiles,
  pytestFiles,
  pyrightFiles,
  pylintFiles,
  mypyFiles,
  ruffFiles,
  flake8Files,
  isortFiles,
  golangciLintFiles,
  phpunitFiles,
  phpstanFiles,
  psalmFiles,
  phpCsFixerFiles,
  phpcsFiles,
  rspecFiles,
  rubocopFiles,
  mixCredoFiles,
  swiftlintFiles,
  hlintFiles,
  bustedFiles,
  tyFiles,
  luacheckFiles,
  seleneFiles,
];
