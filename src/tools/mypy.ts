/** mypy. */

import {WRITES_REPORT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const mypy: Tool = {
  name: "mypy",
  output: {
    markers: [".py:", ".pyi:"],
    lines: [
      /^(?<file>[^\s:][^:]*\.pyi?):(?<line>\d+)(?::(?<column>\d+))?(?::\d+:\d+)?: (?<severity>error|warning|note|info): (?<message>.*?)(?: {2}\[(?<code>[\w-]+)\])?$/,
    ],
  },
};

export const mypyCommand: ToolCommand = {
  programs: ["mypy", "dmypy"],
  traits: ["python package"],
  kinds: {typecheck: ["mypy", "dmypy"]},
  reads: {family: "python", commands: ["mypy"]},
  takesPaths: ["mypy"],
  readOnly: [{commands: ["mypy"], without: WRITES_REPORT}],
  buildFiles: ["mypy.ini"],
  config: {
    kind: "typecheck",
    files: /^\.?mypy\.ini$/,
    readers: ["mypy"],
  },
};
