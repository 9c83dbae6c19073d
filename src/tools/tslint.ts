/** tslint: one line for each problem. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

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
