/** tsc and the checkers that print like it, with and without `--pretty`. */
import type {Tool} from "./tool.ts";

export const tsc: Tool = {
  name: "tsc",
  output: {
    markers: [" TS"],
    lines: [
      /^(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): (?<severity>error|warning|info) (?<code>TS\d+): (?<message>.*)$/,
      /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|info) (?<code>TS\d+): (?<message>.*)$/,
      /^(?<severity>error) (?<code>TS\d+): (?<message>.*)$/,
    ],
  },
};
