/** mypy. */

import {PYTHON, WRITES_REPORT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const mypy: Tool = {
  name: "mypy",
  output: {
    markers: [".py:", ".pyi:"],
    lines: [lineFormat("%f<py|pyi>:%l{:%c}{:%e:%k}: %t<error|warning|note|info>: %m{  [%n]}")],
  },
};

export const mypyCommand: ToolCommand = {
  programs: ["mypy", "dmypy"],
  traits: ["python package"],
  kinds: {typecheck: ["mypy", "dmypy"]},
  reads: {family: "python", commands: ["mypy"]},
  readOnly: [{commands: ["mypy"], without: WRITES_REPORT}],
  buildFiles: ["mypy.ini"],
};

export const mypyIntegrity: ToolIntegrity = {
  suppressions: [
    {
      name: "mypy: ignore-errors",
      files: PYTHON,
      pattern: /^\s*#\s*mypy:\s*(?:ignore-errors|allow-untyped|disable-error-code)|^\s*#\s*type:\s*ignore\b/,
      isWide: true,
    },
    {name: "type: ignore", files: PYTHON, pattern: /#\s*(?:type|mypy|ty|pyrefly):\s*ignore\b/},
    {
      name: "no_type_check",
      files: PYTHON,
      pattern: /^\s*@(?:\w+\.)?no_type_check\b|^\s*if\s+not\s+(?:\w+\.)?TYPE_CHECKING\b/,
    },
  ],
};
