/** haml-lint, reek and brakeman. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const hamlLint: Tool = {
  name: "haml-lint",
  output: {
    markers: [" [W] ", " [E] "],
    lines: [lineFormat("%F:%l [%t<W|E>] %m")],
  },
};

export const reek: Tool = {
  name: "reek",
  output: {
    markers: [" -- 1 warning:", " warnings:"],
    lines: [
      {
        patterns: [/^ +(?:(?<file>[^\s:]+):)?\[?(?<line>\d+)(?:, \d+)*\]?: ?(?<message>[A-Z]\w+: .*)$/],
        severity: "warning",
      },
    ],
  },
};

export const brakeman: Tool = {
  name: "brakeman",
  output: {
    markers: [".rb ", ".erb ", ".rb\t"],
    lines: [/^(?<file>\/\S+\.\w{2,5})\s+(?<line>\d+)\s+(?<message>[A-Z]\S.*)$/],
  },
};

export const rubyLintersCommand: ToolCommand = {
  kinds: {lint: ["erb_lint", "brakeman"]},
};
