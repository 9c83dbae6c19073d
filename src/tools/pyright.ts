/** pyright and basedpyright. */

import {PYTHON, WRITES_REPORT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const pyright: Tool = {
  name: "pyright",
  output: {
    markers: [" - error: ", " - warning: "],
    lines: [lineFormat("{    }{  }%f:%l:%c - %t<error|warning|information>: %m{ (%n<report>)}")],
  },
};

export const pyrightCommand: ToolCommand = {
  programs: ["pyright", "basedpyright"],
  traits: ["python package"],
  kinds: {typecheck: ["pyright", "basedpyright"]},
  reads: {family: "python", commands: ["pyright"]},
  readOnly: [{commands: ["pyright", "basedpyright"], without: WRITES_REPORT}],
  actions: {"jakebailey/pyright-action": "pyright"},
};

export const pyrightIntegrity: ToolIntegrity = {
  suppressions: [
    {
      name: "mypy: ignore-errors",
      files: PYTHON,
      pattern: /^\s*#\s*pyright:\s*(?:basic|ignore|false)/,
      isWide: true,
    },
    {name: "type: ignore", files: PYTHON, pattern: /#\s*pyright:\s*ignore\b/},
  ],
};
