/** eslint and the linters that took over its formats: stylish, compact, unix. */
import type {Tool} from "./tool.ts";

export const HEADER = /^(?<file>(?:[A-Za-z]:)?[^\s:]+\.\w{1,10}|\/[^:]+)$/;

export const eslint: Tool = {
  name: "eslint",
  output: {
    markers: [
      "  error  ",
      "  warning  ",
      "  error ",
      "  warning ",
      " Error - ",
      " Warning - ",
      "[Error/",
      "[Warning/",
      "✖ ",
    ],
    lines: [
      {
        patterns: [
          HEADER,
          /^ {1,4}(?<line>\d+):(?<column>\d+)(?:-\d+:\d+)? +(?<severity>error|warning|info) +(?<message>\S.*?)(?: {2,}(?<code>[@\w/:-]+))?$/,
        ],
        isList: true,
      },
      /^(?<file>[^\s:][^:]*): line (?<line>\d+), col (?<column>\d+), (?<severity>Error|Warning) - (?<message>.*?)(?: \((?<code>[@\w/-]+)\))?$/,
      /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<message>.*) \[(?<severity>Error|Warning)\/(?<code>[@\w/-]+)\]$/,
    ],
  },
};
