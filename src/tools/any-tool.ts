/** The forms that most linters share, for tools without rules of their own: a place, then a message. Tried last. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";

export const anyTool: Tool = {
  name: "unknown",
  output: {
    markers: [],
    lines: [
      lineFormat("%P:%l:%c{-%k}:{ }{{[}%t{]}{:} }%m<\\S>"),
      lineFormat('%P:%l:{ }{{[}%t{]}{:} }%m<(?!in [`\']|running "[^"]*": )[^\\s\\d]>'),
      /^(?<file>[\w@+-]*[./][^\s:"'(),;<>|=]*[A-Za-z]\w*):(?<line>\d+) (?<message>[A-Za-z[][^:].*)$/,
      /^(?<file>(?:[A-Za-z]:)?[^\s:"'(),;<>|=]+)\((?<line>\d+)(?:[,:](?<column>\d+))?\): (?:(?<severity>error|warning|fatal error) ?:? ?)?(?<message>\S.*)$/,
      /^\[(?<file>[^\s:\]]+\.\w+):(?<line>\d+):(?<column>\d+)\] (?<message>.*)$/,
      /^(?<file>\/?[^\s:]+\.\w+) - (?<severity>ERROR|WARNING): (?<message>.*) on line (?<line>\d+)(?: col \d+)?$/,
      /^(?<message>[A-Z].*) at (?:(?<file>\S+) )?line (?<line>\d+)(?:, column (?<column>\d+))?\.(?: .*)?$/,
    ],
  },
};
