/** Ruby: rspec, minitest and test-unit, rubocop and its relatives, reek, sorbet, brakeman. */
import {form, type ToolRules} from "./rules.ts";

export const ruby: readonly ToolRules[] = [
  {
    tool: "rspec",
    signs: [" examples, ", " example, "],
    blocks: [
      {
        start: /^ {2}\d+\) (?<testId>\S.*)$/,
        end: /^ {2}\d+\) |^(?:Finished in|Failed examples:|Top \d|\d+ examples?)/,
        maxLines: 80,
        inside: [
          /^ {5}(?:Failure\/Error: )?(?<message>(?:expected|undefined|uninitialized|wrong number|[A-Z]\w*(?:::\w+)*Error)\b.*)$/,
          /^ {7}(?<message>(?!#)\S.*)$/,
          /^ {5}# (?:\.\/)?(?<file>(?!\/)[^\s:]+\.rb):(?<line>\d+):in /,
        ],
      },
    ],
    lines: [form(/^rspec (?<file>[^\s:]+):(?<line>\d+) # (?<message>.*)$/)],
  },
  {
    tool: "minitest",
    signs: [" assertions, "],
    blocks: [
      {
        start: /^(?: +\d+\) )?(?:Failure|Error):$/,
        end: /^(?: +\d+\) )(?:Failure|Error):$|^\d+ (?:runs|tests), |^={5}/,
        maxLines: 50,
        inside: [
          /^(?<testId>[\w:]+#\w+|test_\w+\([\w:]+\))(?: \[(?<file>[^\s:\]]+):(?<line>\d+)\])?:?/,
          /^ {4}(?<file>(?!\/)[^\s:]+\.rb):(?<line>\d+):in /,
          /^(?<message>[A-Z].*)$/,
        ],
      },
    ],
  },
  {
    tool: "rubocop",
    signs: [" C: ", " W: ", " E: ", " F: "],
    lines: [
      form(
        /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): (?<severity>[RCWEF]): (?:\[Corr?ectable\] )?(?:(?<code>[A-Z]\w*\/[\w/]+): )?(?<message>.*)$/,
      ),
    ],
  },
  {
    tool: "haml-lint",
    signs: [" [W] ", " [E] "],
    lines: [form(/^(?<file>[^\s:]+):(?<line>\d+) \[(?<severity>[WE])\] (?<message>.*)$/)],
  },
  {
    tool: "reek",
    signs: [" -- 1 warning:", " warnings:"],
    lines: [form(/^ +(?:(?<file>[^\s:]+):)?\[?(?<line>\d+)(?:, \d+)*\]?: ?(?<message>[A-Z]\w+: .*)$/, "warning")],
  },
  {
    tool: "brakeman",
    signs: [".rb ", ".erb ", ".rb\t"],
    lines: [form(/^(?<file>\/\S+\.\w{2,5})\s+(?<line>\d+)\s+(?<message>[A-Z]\S.*)$/)],
  },
  {
    tool: "ruby",
    signs: [".rb:"],
    lines: [
      form(/^(?:\/\S*\/bin\/\S+: )?(?<file>[^\s:]+\.rb):(?<line>\d+):in [`'].*': (?<message>.*)$/),
      form(
        /^(?<file>[^\s:]+\.rb):(?<line>\d+): (?<message>(?:syntax error|.*\(SyntaxError\)|.*https:\/\/srb\.help).*)$/,
      ),
    ],
  },
];
