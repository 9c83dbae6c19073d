/** Lists what can weaken each tool. */

import {biomeIntegrity} from "./biome.ts";
import {denoIntegrity} from "./deno.ts";
import {eslintIntegrity} from "./eslint.ts";
import {flake8Integrity} from "./flake8.ts";
import {mypyIntegrity} from "./mypy.ts";
import {phpLintersIntegrity} from "./php-linters.ts";
import {prettierIntegrity} from "./prettier.ts";
import {pylintIntegrity} from "./pylint.ts";
import {pyrightIntegrity} from "./pyright.ts";
import {pytestIntegrity} from "./pytest.ts";
import {rubocopIntegrity} from "./rubocop.ts";
import {ruffIntegrity} from "./ruff.ts";
import {rustfmtIntegrity} from "./rustfmt.ts";
import {shellChecksIntegrity} from "./shell-checks.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";
import {tscIntegrity} from "./tsc.ts";
import {unittestIntegrity} from "./unittest.ts";

/** Put specific suppressions and settings before general ones: the first that matches a line, or a key, reads it. */
export const INTEGRITY: readonly ToolIntegrity[] = [
  tscIntegrity,
  eslintIntegrity,
  biomeIntegrity,
  prettierIntegrity,
  denoIntegrity,
  unittestIntegrity,
  pytestIntegrity,
  mypyIntegrity,
  pyrightIntegrity,
  ruffIntegrity,
  flake8Integrity,
  pylintIntegrity,
  rustfmtIntegrity,
  phpLintersIntegrity,
  rubocopIntegrity,
  shellChecksIntegrity,
];
