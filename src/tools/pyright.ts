/** pyright and basedpyright. */
import type {Tool, ToolFiles} from "./tool.ts";

export const pyright: Tool = {
  name: "pyright",
  output: {
    markers: [" - error: ", " - warning: "],
    lines: [
      /^ *(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|information): (?<message>.*?)(?: \((?<code>report\w+)\))?$/,
    ],
  },
};

export const pyrightFiles: ToolFiles = {
  kind: "typecheck",
  files: /^pyrightconfig\.json$/,
  programs: ["pyright", "basedpyright"],
};
