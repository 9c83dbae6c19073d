/** eslint and the linters that took over its formats: stylish, compact, unix; stylelint, remark, standard, xo, tslint. */
import {form, headed, type ToolRules} from "./rules.ts";

const HEADER = /^(?<file>(?:[A-Za-z]:)?[^\s:]+\.\w{1,10}|\/[^:]+)$/;

export const eslint: readonly ToolRules[] = [
  {
    tool: "stylelint",
    signs: ["✖ ", "⚠ ", "✖  "],
    lines: [
      headed([
        HEADER,
        /^ {1,4}(?<line>\d+):(?<column>\d+) +(?<severity>[✖⚠×]) +(?<message>\S.*?)(?: {2,}(?<code>[@\w/-]+))?$/,
      ]),
    ],
  },
  {
    tool: "eslint",
    signs: [
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
      headed([
        HEADER,
        /^ {1,4}(?<line>\d+):(?<column>\d+)(?:-\d+:\d+)? +(?<severity>error|warning|info) +(?<message>\S.*?)(?: {2,}(?<code>[@\w/:-]+))?$/,
      ]),
      form(
        /^(?<file>[^\s:][^:]*): line (?<line>\d+), col (?<column>\d+), (?<severity>Error|Warning) - (?<message>.*?)(?: \((?<code>[@\w/-]+)\))?$/,
      ),
      form(
        /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<message>.*) \[(?<severity>Error|Warning)\/(?<code>[@\w/-]+)\]$/,
      ),
    ],
  },
  {
    tool: "standard",
    signs: ["standard: "],
    lines: [form(/^ {2}(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<message>.*?)(?: \((?<code>[@\w/-]+)\))?$/)],
  },
  {
    tool: "tslint",
    signs: ["ERROR: ", "WARNING: "],
    lines: [
      form(
        /^(?<severity>ERROR|WARNING): (?:\((?<code>[\w-]+)\) )?(?<file>[^\s:]+)(?::|\[)(?<line>\d+)(?::|, )(?<column>\d+)\]?(?: -|:) (?<message>.*)$/,
      ),
    ],
  },
];
