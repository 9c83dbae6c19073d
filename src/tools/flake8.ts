/** flake8, bandit and pydocstyle, which print in the same format. */

import {PYTHON, PYTHON_SOURCE, WRITES_REPORT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

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

export const flake8Command: ToolCommand = {
  programs: ["flake8"],
  traits: ["python package"],
  kinds: {lint: ["flake8", "pydocstyle", "bandit"]},
  lintedFiles: PYTHON_SOURCE,
  readOnly: [{commands: ["flake8"], without: WRITES_REPORT}],
  buildFiles: [".flake8"],
};

export const flake8Integrity: ToolIntegrity = {
  suppressions: [{name: "noqa for the file", files: PYTHON, pattern: /^\s*#\s*flake8:\s*noqa/, isWide: true}],
};
