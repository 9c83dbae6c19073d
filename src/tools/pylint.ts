/** pylint. */

import {PYTHON, PYTHON_SOURCE, WRITES_REPORT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const pylint: Tool = {
  name: "pylint",
  output: {
    markers: ["************* Module", "rated at"],
    lines: [
      /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<severity>[EFWCRI])\d{4}: (?<message>.*) \((?<code>[\w-]+)\)$/,
    ],
  },
};

export const pylintCommand: ToolCommand = {
  programs: ["pylint"],
  traits: ["python package"],
  kinds: {lint: ["pylint"]},
  lintedFiles: PYTHON_SOURCE,
  readOnly: [{commands: ["pylint"], without: WRITES_REPORT}],
  buildFiles: [".pylintrc"],
};

export const pylintIntegrity: ToolIntegrity = {
  suppressions: [
    {
      name: "noqa for the file",
      files: PYTHON,
      pattern: /^\s*#\s*pylint:\s*(?:skip-file|disable=all)/,
      isWide: true,
    },
    {name: "noqa", files: PYTHON, pattern: /#\s*pylint:\s*disable/},
  ],
};
