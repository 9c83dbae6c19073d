/** phpstan, psalm, php-cs-fixer, phpcs and pint. */
import type {Tool} from "./tool.ts";

export const phpstan: Tool = {
  name: "phpstan",
  output: {
    markers: [" ------ ---", "  Line   "],
    lines: [
      {
        patterns: [
          /^ {2}Line +(?<file>\S+)(?: \(in context.*\))? *$/,
          /^ [ -]+$/,
          /^ {2}(?:(?<line>\d+)| {4,}) +(?<message>\S.*?) *$/,
        ],
        isList: true,
      },
    ],
  },
};

export const psalm: Tool = {
  name: "psalm",
  output: {
    markers: ["ERROR: ", "error - "],
    lines: [
      /^(?<severity>ERROR|INFO): (?<code>[A-Z]\w+) - (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) - (?<message>.*)$/,
      /^(?<file>[^\s:]+\.php):(?<line>\d+):(?<column>\d+):(?<severity>error|warning|info) - (?<message>.*)$/,
    ],
  },
};
