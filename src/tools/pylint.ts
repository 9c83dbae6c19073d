/** pylint. */

import {PYTHON_SOURCE, WRITES_REPORT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

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
  takesPaths: ["pylint"],
  readOnly: [{commands: ["pylint"], without: WRITES_REPORT}],
  buildFiles: [".pylintrc"],
  config: {
    kind: "lint",
    files: /^\.?pylintrc$/,
    readers: ["pylint"],
  },
};
