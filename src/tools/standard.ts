/** standard and xo, which run eslint with rules of their own. */
import type {Tool} from "./tool.ts";

export const standard: Tool = {
  name: "standard",
  output: {
    markers: ["standard: "],
    lines: [/^ {2}(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<message>.*?)(?: \((?<code>[@\w/-]+)\))?$/],
  },
};
