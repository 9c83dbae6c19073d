/** flake8, bandit and pydocstyle, which print alike. */
import type {Tool, ToolFiles} from "./tool.ts";

export const flake8: Tool = {
  name: "flake8",
  output: {
    markers: [".py:"],
    lines: [
      /^(?<file>[^\s:][^:]*\.pyi?):(?<line>\d+):(?<column>\d+): (?<code>[A-Z]{1,4}\d{1,4}):? (?<message>.*)$/,
      /^(?<file>[^\s:][^:]*\.pyi?):(?<line>\d+): (?<code>[A-Z]\d{3})\[\w+\]: (?<severity>LOW|MEDIUM|HIGH): (?<message>.*)$/,
      {
        patterns: [/^(?<file>[^\s:][^:]*\.py):(?<line>\d+) (?:at|in) .*:$/, /^ {4,}(?<code>D\d{3}): (?<message>.*)$/],
        isList: true,
      },
    ],
  },
};

export const flake8Files: ToolFiles = {
  kind: "lint",
  files: /^\.flake8$/,
  programs: ["flake8"],
};
