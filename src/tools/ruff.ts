/** ruff: its linter and its formatter. */
import {PYTHON, PYTHON_SOURCE} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

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

export const ruffCommand: ToolCommand = {
  programs: ["ruff"],
  traits: ["python package"],
  kinds: {lint: ["ruff check", "ruff format"]},
  lintedFiles: PYTHON_SOURCE,
  excludes: [["pyproject.toml", "tool", "ruff"], ["ruff.toml"]],
  takesPaths: ["ruff check", "ruff format"],
  readOnly: [
    {commands: ["ruff check"], without: / --(fix|unsafe-fixes|output-file)/},
    {commands: ["ruff format"], with: / --(check|diff)( |$)/},
  ],
  unsafe: [{match: "ruff format !--check !--diff", add: ["--check"]}],
  actions: {
    "astral-sh/ruff-action": "ruff {args=check} {src}",
    "chartboost/ruff-action": "ruff {args=check} {src}",
  },
  config: {
    kind: "lint",
    files: /^\.?ruff\.toml$/,
    readers: ["ruff"],
  },
};
