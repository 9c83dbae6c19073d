/** standard and xo, which run eslint with their own rules. */

import {ESLINT_WRITES, LINTED_SCRIPT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const standard: Tool = {
  name: "standard",
  output: {
    markers: ["standard: "],
    lines: [lineFormat("  %f:%l:%c: %m{ (%n)}")],
  },
  fixes: [{commands: ["standard"], without: ["--fix*"], fix: "--fix", files: LINTED_SCRIPT}],
};

/** The header of `eslint-formatter-pretty` also has the place of the first problem below it. */
const XO_HEADER = /^ {2}(?<file>[^\s:][^:]*):\d+:\d+$/;
const XO_PROBLEM =
  /^ {1,4}(?<severity>[✖×⚠‼]) +(?<line>\d+):(?<column>\d+) +(?<message>\S.*?)(?: {2,}(?<code>[@\w/-]+))?$/;

export const xo: Tool = {
  name: "xo",
  output: {
    warningsPass: true,
    markers: ["✖ ", "⚠ ", "× ", "‼ "],
    lines: [{patterns: [XO_HEADER, XO_PROBLEM], isList: true}],
  },
  fixes: [{commands: ["xo"], without: ["--fix*"], fix: "--fix", files: LINTED_SCRIPT}],
};

export const standardCommand: ToolCommand = {
  programs: ["standard"],
  traits: ["node package"],
  kinds: {lint: ["standard", "semistandard", "ts-standard"]},
  lintedFiles: LINTED_SCRIPT,
  readOnly: [{commands: ["standard"], without: ESLINT_WRITES}],
};

export const xoCommand: ToolCommand = {
  programs: ["xo"],
  traits: ["node package", "never a script"],
  kinds: {lint: ["xo"]},
  lintedFiles: LINTED_SCRIPT,
  readOnly: [{commands: ["xo"], without: ESLINT_WRITES}],
};
