/** Lists what can weaken each tool, and joins the patterns of all tools for one purpose. */

import {avaIntegrity} from "./ava.ts";
import {biomeIntegrity} from "./biome.ts";
import {karmaIntegrity} from "./browser-tests.ts";
import {bunIntegrity} from "./bun.ts";
import {cCompilersIntegrity} from "./c-compilers.ts";
import {cargoIntegrity} from "./cargo.ts";
import {ctestIntegrity} from "./ctest.ts";
import {denoIntegrity} from "./deno.ts";
import {eslintIntegrity} from "./eslint.ts";
import {flake8Integrity} from "./flake8.ts";
import {goIntegrity} from "./go.ts";
import {golangciLintIntegrity} from "./golangci-lint.ts";
import {jestIntegrity} from "./jest.ts";
import {makeIntegrity} from "./make.ts";
import {mavenIntegrity} from "./maven.ts";
import {mochaIntegrity} from "./mocha.ts";
import {mypyIntegrity} from "./mypy.ts";
import {nextestIntegrity} from "./nextest.ts";
import {nodeTestIntegrity} from "./node-test.ts";
import {pestIntegrity} from "./pest.ts";
import {phpLintersIntegrity} from "./php-linters.ts";
import {phpunitIntegrity} from "./phpunit.ts";
import {playwrightIntegrity} from "./playwright.ts";
import {prettierIntegrity} from "./prettier.ts";
import {pylintIntegrity} from "./pylint.ts";
import {pyreflyIntegrity} from "./pyrefly.ts";
import {pyrightIntegrity} from "./pyright.ts";
import {pytestIntegrity} from "./pytest.ts";
import {rspecIntegrity} from "./rspec.ts";
import {rubocopIntegrity} from "./rubocop.ts";
import {ruffIntegrity} from "./ruff.ts";
import {rustfmtIntegrity} from "./rustfmt.ts";
import {shellChecksIntegrity} from "./shell-checks.ts";
import {sizeLimitIntegrity} from "./size-limit.ts";
import type {IntegrityParts, ToolIntegrity} from "./tool-integrity.ts";
import {tscIntegrity} from "./tsc.ts";
import {tyIntegrity} from "./ty.ts";
import {unittestIntegrity} from "./unittest.ts";
import {vitestIntegrity} from "./vitest.ts";
import {workspaceRunnersIntegrity} from "./workspace-runners.ts";

/** Put specific suppressions and settings before general ones: the first that matches a line, or a key, reads it. */
export const INTEGRITY: readonly ToolIntegrity[] = [
  tscIntegrity,
  eslintIntegrity,
  biomeIntegrity,
  prettierIntegrity,
  denoIntegrity,
  vitestIntegrity,
  jestIntegrity,
  mochaIntegrity,
  avaIntegrity,
  playwrightIntegrity,
  karmaIntegrity,
  nodeTestIntegrity,
  bunIntegrity,
  unittestIntegrity,
  pytestIntegrity,
  mypyIntegrity,
  pyrightIntegrity,
  pyreflyIntegrity,
  tyIntegrity,
  ruffIntegrity,
  flake8Integrity,
  pylintIntegrity,
  golangciLintIntegrity,
  goIntegrity,
  cCompilersIntegrity,
  cargoIntegrity,
  nextestIntegrity,
  rustfmtIntegrity,
  mavenIntegrity,
  phpunitIntegrity,
  pestIntegrity,
  phpLintersIntegrity,
  rspecIntegrity,
  rubocopIntegrity,
  shellChecksIntegrity,
  sizeLimitIntegrity,
  ctestIntegrity,
  makeIntegrity,
  workspaceRunnersIntegrity,
];

/** The alternatives of a pattern: those of all tools for this purpose, and the `others`, which belong to no tool. */
export function partsOf(purpose: keyof IntegrityParts, ...others: readonly RegExp[]): string {
  const toolPatterns = INTEGRITY.flatMap(({parts}) => parts?.[purpose] ?? []);
  return [...toolPatterns, ...others].map(({source}) => source).join("|");
}

/** A file whose name is one of these. */
export function filesOf(purpose: keyof IntegrityParts, ...others: readonly RegExp[]): RegExp {
  return new RegExp(String.raw`(?:^|\/)(?:${partsOf(purpose, ...others)})$`);
}

/** What makes a tool end with 0 whatever it finds. */
export const PASSING_OPTION = new RegExp(partsOf("passingOption"));
