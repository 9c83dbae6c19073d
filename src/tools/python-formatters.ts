/** black and isort. */
import {PYTHON} from "./file-kinds.ts";
import type {Tool, ToolFiles} from "./tool.ts";

export const black: Tool = {
  name: "black",
  output: {
    markers: ["would reformat ", "cannot format "],
    lines: [
      /^(?<message>[Ww]ould reformat:?) (?<file>\S.*)$/,
      /^error:(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+):(?<message>.*)$/,
      /^error: (?<message>cannot format) (?<file>[^\s:][^:]*): .*$/,
    ],
  },
  fixes: [{check: /(?<tool>black)\b.* --(?:check|diff)\b/, fix: "", files: PYTHON}],
};

export const isort: Tool = {
  name: "isort",
  output: {
    markers: ["Imports are incorrectly sorted"],
    lines: [/^ERROR: (?<file>\S+) (?<message>Imports are incorrectly sorted.*)$/],
  },
  fixes: [{check: /(?<tool>isort)\b.* (?:--check(?:-only)?|-c|--diff)\b/, fix: "", files: PYTHON}],
};

export const isortFiles: ToolFiles = {
  kind: "lint",
  files: /^\.isort\.cfg$/,
  programs: ["isort", "ruff"],
};
