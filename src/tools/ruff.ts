/** ruff: its linter and its formatter. */
import {PYTHON, PYTHON_SOURCE} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

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
    {commands: ["ruff format"], with: ["--check", "--diff"], fix: "format", files: PYTHON},
    {commands: ["ruff check"], without: ["--fix*"], fix: "check --fix", files: PYTHON},
  ],
};

/** TOML files, with the keys of the table, in which `exclude` and `extend-exclude` list paths that ruff does not read. */
export const RUFF_TABLES: readonly (readonly [file: string, ...keys: string[]])[] = [
  ["pyproject.toml", "tool", "ruff"],
  ["ruff.toml"],
];

export const ruffCommand: ToolCommand = {
  programs: ["ruff"],
  traits: ["python package"],
  kinds: {lint: ["ruff check", "ruff format"]},
  lintedFiles: PYTHON_SOURCE,
  readOnly: [
    {commands: ["ruff check"], without: ["--fix*", "--unsafe-fixes", "--output-file"]},
    {commands: ["ruff format"], with: ["--check", "--diff"]},
  ],
  unsafe: [{match: "ruff format !--check !--diff", add: ["--check"]}],
  actions: {
    "astral-sh/ruff-action": "ruff {args=check} {src}",
    "chartboost/ruff-action": "ruff {args=check} {src}",
  },
};

export const ruffIntegrity: ToolIntegrity = {
  suppressions: [
    {name: "noqa for the file", files: PYTHON, pattern: /^\s*#\s*ruff:\s*noqa/, isWide: true},
    {name: "noqa", files: PYTHON, pattern: /#\s*noqa\b/},
  ],
};
