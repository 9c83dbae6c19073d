/** ruff: its linter and its formatter. */
import {PYTHON} from "./file-kinds.ts";
import type {Tool, ToolFiles} from "./tool.ts";

export const ruff: Tool = {
  name: "ruff",
  output: {
    markers: ["--> "],
    blocks: [
      {
        start: /^(?<code>[A-Z]{1,5}\d{2,4}|invalid-syntax|unformatted)(?: \[[*-]\])?:? (?<message>\S.*)$/,
        end: /^$|^[A-Z]{1,5}\d{2,4} |^Found \d/,
        maxLines: 30,
        inside: [/^ *--> (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)$/],
      },
    ],
  },
  fixes: [
    {check: /(?<tool>ruff) format\b.* --(?:check|diff)\b/, fix: "format", files: PYTHON},
    {check: /(?<tool>ruff)(?: check)?(?!.* --fix)(?= |$)(?! format)/, fix: "check --fix", files: PYTHON},
  ],
};

export const ruffFiles: ToolFiles = {
  kind: "lint",
  files: /^\.?ruff\.toml$/,
  programs: ["ruff"],
};
