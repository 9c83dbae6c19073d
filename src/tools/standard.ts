/** standard and xo, which run eslint with their own rules. Only the output of standard is known. */

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
