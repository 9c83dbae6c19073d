/** Checkers of Python: mypy, pyright, ruff, flake8, pylint, black, isort, bandit, pydocstyle. */
import {form, headed, type ToolRules} from "./rules.ts";

export const pythonChecks: readonly ToolRules[] = [
  {
    tool: "pyright",
    signs: [" - error: ", " - warning: "],
    lines: [
      form(
        /^ *(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|information): (?<message>.*?)(?: \((?<code>report\w+)\))?$/,
      ),
    ],
  },
  {
    tool: "pylint",
    signs: ["************* Module", "rated at"],
    lines: [
      form(
        /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<severity>[EFWCRI])\d{4}: (?<message>.*) \((?<code>[\w-]+)\)$/,
      ),
    ],
  },
  {
    tool: "mypy",
    signs: [".py:", ".pyi:"],
    lines: [
      form(
        /^(?<file>[^\s:][^:]*\.pyi?):(?<line>\d+)(?::(?<column>\d+))?(?::\d+:\d+)?: (?<severity>error|warning|note|info): (?<message>.*?)(?: {2}\[(?<code>[\w-]+)\])?$/,
      ),
    ],
  },
  {
    tool: "ruff",
    signs: ["--> "],
    blocks: [
      {
        start: /^(?<code>[A-Z]{1,5}\d{2,4}|invalid-syntax|unformatted)(?: \[[*-]\])?:? (?<message>\S.*)$/,
        end: /^$|^[A-Z]{1,5}\d{2,4} |^Found \d/,
        maxLines: 30,
        inside: [/^ *--> (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)$/],
      },
    ],
  },
  {
    tool: "flake8",
    signs: [".py:"],
    lines: [
      form(/^(?<file>[^\s:][^:]*\.pyi?):(?<line>\d+):(?<column>\d+): (?<code>[A-Z]{1,4}\d{1,4}):? (?<message>.*)$/),
      form(
        /^(?<file>[^\s:][^:]*\.pyi?):(?<line>\d+): (?<code>[A-Z]\d{3})\[\w+\]: (?<severity>LOW|MEDIUM|HIGH): (?<message>.*)$/,
      ),
      headed([/^(?<file>[^\s:][^:]*\.py):(?<line>\d+) (?:at|in) .*:$/, /^ {4,}(?<code>D\d{3}): (?<message>.*)$/]),
    ],
  },
  {
    tool: "black",
    signs: ["would reformat ", "cannot format "],
    lines: [
      form(/^(?<message>[Ww]ould reformat:?) (?<file>\S.*)$/),
      form(/^error:(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+):(?<message>.*)$/),
      form(/^error: (?<message>cannot format) (?<file>[^\s:][^:]*): .*$/),
    ],
  },
  {
    tool: "isort",
    signs: ["Imports are incorrectly sorted"],
    lines: [form(/^ERROR: (?<file>\S+) (?<message>Imports are incorrectly sorted.*)$/)],
  },
];
