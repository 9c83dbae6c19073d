/** tslint: one line for each problem. */
import type {Tool} from "./tool.ts";

export const tslint: Tool = {
  name: "tslint",
  output: {
    markers: ["ERROR: ", "WARNING: "],
    lines: [
      /^(?<severity>ERROR|WARNING): (?:\((?<code>[\w-]+)\) )?(?<file>[^\s:]+)(?::|\[)(?<line>\d+)(?::|, )(?<column>\d+)\]?(?: -|:) (?<message>.*)$/,
    ],
  },
};
