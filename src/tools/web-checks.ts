/** biome, oxlint and prettier: framed diagnostics with the place on a line of its own. */
import {form, type ToolRules} from "./rules.ts";

export const webChecks: readonly ToolRules[] = [
  {
    tool: "biome",
    signs: ["━━━"],
    blocks: [
      {
        start:
          /^(?<file>[^\s:]+)(?::(?<line>\d+):(?<column>\d+))? (?<code>(?:lint|assist|format|parse|organizeImports|suppressions)\b\S*)(?: +[A-Z]+)* +━+$/,
        end: /━━━$|^(?:Checked|Found|Skipped) \d/,
        maxLines: 80,
        inside: [/^ {2}(?<severity>[×✖!i]) (?<message>\S.*)$/, /^ *> (?<line>\d+) [│|]/],
      },
    ],
  },
  {
    tool: "oxlint",
    signs: ["╭─[", ",-["],
    blocks: [
      {
        start: /^ {1,2}(?<severity>[⚠×✖!x]) (?<code>[@\w-]+\([\w/-]+\)): (?<message>.*)$/,
        end: /^ {1,2}[⚠×✖!x] |^(?:Found|Finished) /,
        maxLines: 60,
        inside: [/(?:╭─|,-)\[(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)\]/],
      },
    ],
  },
  {
    tool: "prettier",
    unsaid: "not formatted as prettier wants it",
    signs: ["Code style issues", "Checking formatting", "[error] "],
    lines: [
      form(/^\[(?<severity>warn)\] (?<file>[^\s:]+\.\w{1,10})(?<message>)$/),
      form(/^\[(?<severity>error)\] (?<file>[^\s:]+): (?<message>.*?) \((?<line>\d+):(?<column>\d+)\)$/),
    ],
  },
];
