/** pylint. */
import type {Tool, ToolFiles} from "./tool.ts";

export const pylint: Tool = {
  name: "pylint",
  output: {
    markers: ["************* Module", "rated at"],
    lines: [
      /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<severity>[EFWCRI])\d{4}: (?<message>.*) \((?<code>[\w-]+)\)$/,
    ],
  },
};

export const pylintFiles: ToolFiles = {
  kind: "lint",
  files: /^\.?pylintrc$/,
  programs: ["pylint"],
};
