/** The forms that most linters share, for tools without rules of their own: a place, then a message. Tried last. */
import type {Tool} from "./tool.ts";

export const anyTool: Tool = {
  name: "unknown",
  output: {
    markers: [],
    lines: [
      /^(?<file>(?:[A-Za-z]:)?[^\s:"'(),;<>|=]*[./\\][^\s:"'(),;<>|=]*[A-Za-z]\w*):(?<line>\d+):(?<column>\d+)(?:-\d+)?: ?(?:\[?(?<severity>error|warning|info|note|fatal|Error|Warning|Info|Suggestion|ERROR|WARNING|WARN)\b\]?:? )?(?<message>\S.*)$/,
      /^(?<file>(?:[A-Za-z]:)?[^\s:"'(),;<>|=]*[./\\][^\s:"'(),;<>|=]*[A-Za-z]\w*):(?<line>\d+): ?(?!in [`'])(?:\[?(?<severity>error|warning|info|note|fatal|Error|Warning|Info|Suggestion|ERROR|WARNING|WARN)\b\]?:? )?(?<message>[^\s\d].*)$/,
      /^(?<file>[\w@+-]*[./][^\s:"'(),;<>|=]*[A-Za-z]\w*):(?<line>\d+) (?<message>[A-Za-z[][^:].*)$/,
      /^(?<file>(?:[A-Za-z]:)?[^\s:"'(),;<>|=]+)\((?<line>\d+)(?:[,:](?<column>\d+))?\): (?:(?<severity>error|warning|fatal error) ?:? ?)?(?<message>\S.*)$/,
      /^\[(?<file>[^\s:\]]+\.\w+):(?<line>\d+):(?<column>\d+)\] (?<message>.*)$/,
      /^(?<file>\/?[^\s:]+\.\w+) - (?<severity>ERROR|WARNING): (?<message>.*) on line (?<line>\d+)(?: col \d+)?$/,
      /^(?<message>[A-Z].*) at (?:(?<file>\S+) )?line (?<line>\d+)(?:, column (?<column>\d+))?\.(?: .*)?$/,
    ],
  },
};
