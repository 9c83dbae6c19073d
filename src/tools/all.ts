/** The registry: every tool's rules, in the order in which they are tried. */
import {dotnet} from "./dotnet.ts";
import {eslint} from "./eslint.ts";
import {go} from "./go.ts";
import {javascriptTests} from "./javascript-tests.ts";
import {jvm} from "./jvm.ts";
import {located} from "./located.ts";
import {native} from "./native.ts";
import {others} from "./others.ts";
import {packages} from "./packages.ts";
import {php} from "./php.ts";
import {pythonChecks} from "./python-checks.ts";
import {pythonTests} from "./python-tests.ts";
import {ruby} from "./ruby.ts";
import type {ToolRules} from "./rules.ts";
import {rust} from "./rust.ts";
import {typescript} from "./typescript.ts";
import {webChecks} from "./web-checks.ts";

export const TOOLS: readonly ToolRules[] = [
  ...typescript,
  ...webChecks,
  ...eslint,
  ...javascriptTests,
  ...pythonTests,
  ...pythonChecks,
  ...rust,
  ...go,
  ...jvm,
  ...dotnet,
  ...php,
  ...ruby,
  ...others,
  ...native,
  ...packages,
  located,
];
