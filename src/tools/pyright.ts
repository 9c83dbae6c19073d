/** pyright and basedpyright. */

import {WRITES_REPORT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const pyright: Tool = {
  name: "pyright",
  output: {
    markers: [" - error: ", " - warning: "],
    lines: [
      /^ *(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|information): (?<message>.*?)(?: \((?<code>report\w+)\))?$/,
    ],
  },
};

export const pyrightCommand: ToolCommand = {
  programs: ["pyright", "basedpyright"],
  traits: ["python package"],
  kinds: {typecheck: ["pyright", "basedpyright"]},
  reads: {family: "python", commands: ["pyright"]},
  readOnly: [{commands: ["pyright", "basedpyright"], without: WRITES_REPORT}],
  actions: {"jakebailey/pyright-action": "pyright"},
  config: {
    kind: "typecheck",
    files: /^pyrightconfig\.json$/,
    readers: ["pyright", "basedpyright"],
  },
};
