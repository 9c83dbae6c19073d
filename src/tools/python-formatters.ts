/** black and isort. */
import type {Tool} from "./tool.ts";

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
};

export const isort: Tool = {
  name: "isort",
  output: {
    markers: ["Imports are incorrectly sorted"],
    lines: [/^ERROR: (?<file>\S+) (?<message>Imports are incorrectly sorted.*)$/],
  },
};
