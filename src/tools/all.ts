/** All tools: what they print, in the order that their output rules are tried in. */
import {anyTool} from "./any-tool.ts";
import {biome} from "./biome.ts";
import {buildkit} from "./buildkit.ts";
import {bun} from "./bun.ts";
import {gcc, ld, sanitizer} from "./c-compilers.ts";
import {cargo, cargoTest} from "./cargo.ts";
import {cmake} from "./cmake.ts";
import {ctest} from "./ctest.ts";
import {deno} from "./deno.ts";
import {dotnet, dotnetTest} from "./dotnet.ts";
import {eslint} from "./eslint.ts";
import {flake8} from "./flake8.ts";
import {go, gofmt, goTest, gotestsum} from "./go.ts";
import {golangciLint} from "./golangci-lint.ts";
import {googletest} from "./googletest.ts";
import {gradle} from "./gradle.ts";
import {ghc} from "./haskell.ts";
import {jest} from "./jest.ts";
import {java, javac, scalac} from "./jvm-compilers.ts";
import {make} from "./make.ts";
import {maven, surefire} from "./maven.ts";
import {minitest} from "./minitest.ts";
import {mix} from "./mix.ts";
import {mocha} from "./mocha.ts";
import {mypy} from "./mypy.ts";
import {nextest} from "./nextest.ts";
import {node} from "./node.ts";
import {nodeTest} from "./node-test.ts";
import {npm} from "./npm.ts";
import {terraform} from "./other-linters.ts";
import {busted, cucumber, dart, ginkgo, karma, lein, meson, ownRunner, phpt, sbt, uvu} from "./other-test-runners.ts";
import {oxlint} from "./oxlint.ts";
import {composer, pip, uv, yarn} from "./package-managers.ts";
import {pest} from "./pest.ts";
import {php} from "./php.ts";
import {phpstan, psalm} from "./php-linters.ts";
import {phpunit} from "./phpunit.ts";
import {playwright} from "./playwright.ts";
import {pnpm} from "./pnpm.ts";
import {prettier} from "./prettier.ts";
import {pylint} from "./pylint.ts";
import {pyright} from "./pyright.ts";
import {pytest} from "./pytest.ts";
import {python} from "./python.ts";
import {black, isort} from "./python-formatters.ts";
import {rspec} from "./rspec.ts";
import {rubocop, standardrb} from "./rubocop.ts";
import {ruby} from "./ruby.ts";
import {brakeman, hamlLint, reek} from "./ruby-linters.ts";
import {ruff} from "./ruff.ts";
import {rustc} from "./rustc.ts";
import {rustfmt} from "./rustfmt.ts";
import {shell} from "./shell.ts";
import {shellcheck, shfmt} from "./shell-checks.ts";
import {standard} from "./standard.ts";
import {stylelint} from "./stylelint.ts";
import {svelteCheck} from "./svelte-check.ts";
import {swift, swiftTesting} from "./swift.ts";
import {perl, prove, tap} from "./tap.ts";
import type {Tool} from "./tool.ts";
import {tsc} from "./tsc.ts";
import {ty} from "./ty.ts";
import {unittest} from "./unittest.ts";
import {vitest} from "./vitest.ts";
import {lerna, nox, nx, turbo} from "./workspace-runners.ts";
import {zig} from "./zig.ts";

/**
 * The tools with known output; the tables of the other folders are derived from this list. Put specific rules before
 * general ones: the first rule that matches a line reads it.
 */
export const TOOLS: readonly Tool[] = [
  tsc,
  svelteCheck,
  biome,
  oxlint,
  prettier,
  stylelint,
  eslint,
  standard,
  vitest,
  jest,
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
  buildkit,
  rustc,
  cargoTest,
  cargo,
  nextest,
  rustfmt,
  maven,
  surefire,
  gradle,
  scalac,
  javac,
  java,
  dotnet,
  dotnetTest,
  phpunit,
  pest,
  phpstan,
  psalm,
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
  shellcheck,
  shfmt,
  tap,
  perl,
  ghc,
  zig,
  gcc,
  ld,
  sanitizer,
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
  karma,
  dart,
  busted,
  cucumber,
  ginkgo,
  lein,
  meson,
  uvu,
  sbt,
  phpt,
  prove,
  ownRunner,
  terraform,
  shell,
  anyTool,
];
