/** pylint. */
import type {Tool} from "./tool.ts";

export const pylint: Tool = {
  name: "pylint",
  output: {
    markers: ["************* Module", "rated at"],
    lines: [
      /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<severity>[EFWCRI])\d{4}: (?<message>.*) \((?<code>[\w-]+)\)$/,
    ],
  },
};
