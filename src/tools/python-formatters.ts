/** black and isort. */

import {PYTHON, PYTHON_SOURCE} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const black: Tool = {
  name: "black",
  output: {
    markers: ["would reformat ", "cannot format "],
    lines: [
      /^(?<message>[Ww]ould reformat:?) (?<file>\S.*)$/,
      lineFormat("error:%f:%l:%c:%m"),
      /^error: (?<message>cannot format) (?<file>[^\s:][^:]*): .*$/,
    ],
  },
  fixes: [{commands: ["black"], with: ["--check", "--diff"], fix: "", files: PYTHON}],
};

export const isort: Tool = {
  name: "isort",
  output: {
    markers: ["Imports are incorrectly sorted"],
    lines: [lineFormat("ERROR: %F %m<Imports are incorrectly sorted>")],
  },
  fixes: [{commands: ["isort"], with: ["--check", "--check-only", "-c", "--diff"], fix: "", files: PYTHON}],
};

export const blackCommand: ToolCommand = {
  programs: ["black"],
  traits: ["python package"],
  kinds: {lint: ["black"]},
  lintedFiles: PYTHON_SOURCE,
  readOnly: [{commands: ["black"], with: ["--check", "--check-only", "--diff"]}],
  unsafe: [{match: "black !--check !--diff", add: ["--check"]}],
  actions: {"psf/black": "black {options=--check} {src=.}"},
};

export const isortCommand: ToolCommand = {
  programs: ["isort"],
  traits: ["python package"],
  kinds: {lint: ["isort"]},
  lintedFiles: PYTHON_SOURCE,
  readOnly: [{commands: ["isort"], with: ["--check", "--check-only", "--diff"]}],
  unsafe: [{match: "isort !--check !--check-only !-c !--diff", add: ["--check-only"]}],
  actions: {"isort/isort-action": "isort --check-only {sort-paths=.}"},
};
