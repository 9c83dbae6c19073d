/** The forms that most linters share, for tools without rules of their own: a place, then a message. Tried last. */
import {form, type ToolRules} from "./rules.ts";

export const located: ToolRules = {
  tool: "unknown",
  signs: [],
  lines: [
    form(
      /^(?<file>(?:[A-Za-z]:)?[^\s:"'(),;<>|=]*[./\\][^\s:"'(),;<>|=]*[A-Za-z]\w*):(?<line>\d+):(?<column>\d+)(?:-\d+)?: ?(?:\[?(?<severity>error|warning|info|note|fatal|Error|Warning|Info|Suggestion|ERROR|WARNING|WARN)\b\]?:? )?(?<message>\S.*)$/,
    ),
    form(
      /^(?<file>(?:[A-Za-z]:)?[^\s:"'(),;<>|=]*[./\\][^\s:"'(),;<>|=]*[A-Za-z]\w*):(?<line>\d+): ?(?:\[?(?<severity>error|warning|info|note|fatal|Error|Warning|Info|Suggestion|ERROR|WARNING|WARN)\b\]?:? )?(?<message>[^\s\d].*)$/,
    ),
    form(/^(?<file>[\w@+-]*[./][^\s:"'(),;<>|=]*[A-Za-z]\w*):(?<line>\d+) (?<message>[A-Za-z[][^:].*)$/),
    form(
      /^(?<file>(?:[A-Za-z]:)?[^\s:"'(),;<>|=]+)\((?<line>\d+)(?:[,:](?<column>\d+))?\): (?:(?<severity>error|warning|fatal error) ?:? ?)?(?<message>\S.*)$/,
    ),
    form(/^\[(?<file>[^\s:\]]+\.\w+):(?<line>\d+):(?<column>\d+)\] (?<message>.*)$/),
    form(/^(?<file>\/?[^\s:]+\.\w+) - (?<severity>ERROR|WARNING): (?<message>.*) on line (?<line>\d+)(?: col \d+)?$/),
    form(/^(?<message>[A-Z].*) at (?:(?<file>\S+) )?line (?<line>\d+)(?:, column (?<column>\d+))?\.(?: .*)?$/),
  ],
};
