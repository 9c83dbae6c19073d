/** Elixir, Swift, shell, Haskell and browsers' tests: tools with a form of their own. */
import {form, type ToolRules} from "./rules.ts";

export const others: readonly ToolRules[] = [
  {
    tool: "mix",
    signs: ["mix.exs", "** (", " tests, ", " test, ", "└─ "],
    blocks: [
      {
        start: /^ {2}\d+\) (?<testId>(?:test|property|doctest) .*)$/,
        end: /^ {2}\d+\) |^Finished in|^\d+ tests?,/,
        maxLines: 80,
        inside: [
          /^ {5}(?<file>[^\s:]+\.exs?):(?<line>\d+)$/,
          /^ {5}(?<message>(?!code:|left:|right:|stacktrace:|arguments:|\S+\.exs?:\d+$)\S.*)$/,
        ],
      },
      {
        start: /^ *(?<severity>error|warning): (?<message>.*)$/,
        end: /^$|^ *(?:error|warning): /,
        maxLines: 20,
        inside: [
          /└─ (?<file>[^\s:]+\.exs?):(?<line>\d+)(?::(?<column>\d+))?/,
          /^ {2}(?<file>[^\s:]+\.exs?):(?<line>\d+): /,
        ],
      },
    ],
    lines: [
      form(/^\*\* \((?<code>[\w.]+)\) (?:(?<file>[^\s:]+\.exs?):(?<line>\d+)(?::(?<column>\d+))?: )?(?<message>.*)$/),
    ],
  },
  {
    tool: "swift",
    signs: [".swift:"],
    lines: [
      form(
        /^\S+ Test .* recorded an issue (?:with .* )?at (?<file>[^\s:]+\.swift):(?<line>\d+):(?<column>\d+): (?<message>.*)$/,
      ),
      form(/^(?<file>\/[^:]*\.swift):(?<line>\d+): error: (?<message>-?\[?\S+ : .*|\S+\.\S+ : .*)$/),
      form(
        /^(?<file>[^\s:][^:]*\.swift):(?<line>\d+):(?<column>\d+): (?<severity>error|warning|note): (?<message>.*)$/,
      ),
    ],
  },
  {
    tool: "shellcheck",
    signs: ["SC1", "SC2", "SC3"],
    lines: [
      form(
        /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<severity>error|warning|note|info|style): (?<message>.*) \[(?<code>SC\d+)\]$/,
      ),
    ],
    blocks: [
      {
        start: /^In (?<file>\S.*) line (?<line>\d+):$/,
        end: /^In \S.* line \d+:$|^For more information:$/,
        maxLines: 20,
        inside: [/\^-* (?<code>SC\d+) \((?<severity>error|warning|info|style)\): (?<message>.*)$/],
      },
    ],
  },
  {
    tool: "bats",
    signs: ["(in test file "],
    blocks: [
      {
        start: /^(?:not ok \d+| ✗) (?<testId>.*)$/,
        end: /^(?:not )?ok \d|^ [✓✗-] /,
        maxLines: 40,
        inside: [/\(in test file (?<file>[^,]+), line (?<line>\d+)\)/, /^# +(?<message>`.*)$/],
      },
    ],
  },
  {
    tool: "web-platform-tests",
    signs: ["TEST-UNEXPECTED-", "PROCESS-CRASH | "],
    blocks: [
      {
        start:
          /^(?:[\d:]{8} +[A-Z]+ - +)?(?:REFTEST )?(?:TEST-UNEXPECTED-[A-Z]+|PROCESS-CRASH) \| (?<testId>(?<file>[^|\s]+)[^|]*?) \| (?<message>.*)$/,
        end: /^/,
        maxLines: 1,
        inside: [],
      },
    ],
  },
  {
    tool: "ghc",
    signs: [".hs:"],
    blocks: [
      {
        start:
          /^(?<file>[^\s:][^:]*\.hs):(?<line>\d+):(?<column>\d+)(?:-\d+)?: (?<severity>error|warning):?(?: \[(?<code>[\w-]+)\])?(?: (?<message>\S.*))?$/,
        end: /^$|^\S/,
        maxLines: 40,
        inside: [/^ +(?:• )?(?<message>\S.*)$/],
      },
    ],
    lines: [
      form(
        /^(?<file>[^\s:][^:]*\.hs):(?<line>\d+):(?<column>\d+): (?<severity>Suggestion|Warning|Error): (?<message>.*)$/,
        "warning",
      ),
    ],
  },
];
