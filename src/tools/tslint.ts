/** tslint: one line for each problem. */
import {SCRIPT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const tslint: Tool = {
  name: "tslint",
  output: {
    markers: ["ERROR: ", "WARNING: "],
    lines: [
      /^(?<severity>ERROR|WARNING): (?:\((?<code>[\w-]+)\) )?(?<file>[^\s:]+)(?::|\[)(?<line>\d+)(?::|, )(?<column>\d+)\]?(?: -|:) (?<message>.*)$/,
    ],
  },
};

export const tslintCommand: ToolCommand = {
  kinds: {lint: ["tslint"]},
};

export const tslintIntegrity: ToolIntegrity = {
  suppressions: [{name: "eslint-disable", files: SCRIPT, pattern: /\/\/\s*tslint:disable/}],
};
