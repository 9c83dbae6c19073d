/** csc and msbuild, and the failed tests of `dotnet test`. */
import {form, type ToolRules} from "./rules.ts";

export const dotnet: readonly ToolRules[] = [
  {
    tool: "dotnet",
    signs: [": error ", ": warning "],
    lines: [
      form(
        /^ *(?:\d+>)?(?<file>(?:[A-Za-z]:)?[^\s:(][^:(]*)\((?<line>\d+)(?:,(?<column>\d+))?(?:,\d+,\d+)?\) ?: (?:fatal )?(?<severity>error|warning) (?<code>[A-Z]+\d+) ?: (?<message>.*)$/,
      ),
      form(/^ *(?<file>(?:[A-Za-z]:)?[^\s:(][^:(]*) : (?<severity>error|warning) (?<code>[A-Z]+\d+): (?<message>.*)$/),
    ],
  },
  {
    tool: "dotnet test",
    signs: ["Error Message:", "[FAIL]", "error TESTERROR:"],
    blocks: [
      {
        start: /^ {2}(?:Failed|X) (?<testId>\S.*?) \[[^\]]*\]$/,
        end: /^ {2}(?:Failed|Passed|Skipped) |^(?:Failed|Passed)! |^Test Run/,
        maxLines: 60,
        inside: [/^ {3}(?<message>(?!Error Message:|Stack Trace:)\S.*)$/, / in (?<file>\S.*):line (?<line>\d+)$/],
      },
      {
        start: /^ *(?<file>(?:[A-Za-z]:)?[^\s:(][^:(]*)\((?<line>\d+)\): error TESTERROR: *$/,
        end: /^ {0,4}\S/,
        maxLines: 60,
        inside: [/^ +(?<testId>\S.*) \([^()]*\): Error Message: (?<message>.*)$/],
      },
    ],
  },
];
