/** rubocop and standardrb. */
import type {Tool} from "./tool.ts";

export const rubocop: Tool = {
  name: "rubocop",
  output: {
    markers: [" C: ", " W: ", " E: ", " F: "],
    lines: [
      /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): (?<severity>[RCWEF]): (?:\[Corr?ectable\] )?(?:(?<code>[A-Z]\w*\/[\w/]+): )?(?<message>.*)$/,
    ],
  },
};
