/** PHP: phpunit and pest, phpstan and psalm, the linter of `php -l`, fatal errors, composer. */
import {form, headed, type ToolRules} from "./rules.ts";

export const php: readonly ToolRules[] = [
  {
    tool: "phpunit",
    signs: ["PHPUnit ", "FAILURES!", "ERRORS!", "There was 1 ", "There were "],
    blocks: [
      {
        start: /^\d+\) (?<testId>[\w\\]+::\w+.*)$/,
        end: /^\d+\) |^--$|^(?:FAILURES|ERRORS)!|^Tests: |^There (?:was|were) /,
        maxLines: 120,
        inside: [
          /^(?<file>(?!.*\/vendor\/)(?:[A-Za-z]:)?[^\s:]+\.(?:php|phpt)):(?<line>\d+)$/,
          /^(?<message>[A-Z].*)$/,
        ],
      },
    ],
  },
  {
    tool: "pest",
    signs: [" FAILED  Tests", "  ⨯ "],
    blocks: [
      {
        start: /^ +FAILED +(?<testId>Tests\S* > .*)$/,
        end: /^ +FAILED +Tests|^ +─{5}|^ {2}Tests: /,
        maxLines: 60,
        inside: [/^ {2}at (?<file>[^\s:]+):(?<line>\d+)$/, /^ {2}(?<message>\S.*)$/],
      },
    ],
  },
  {
    tool: "phpstan",
    signs: [" ------ ---", "  Line   "],
    lines: [
      headed([
        /^ {2}Line +(?<file>\S+)(?: \(in context.*\))? *$/,
        /^ [ -]+$/,
        /^ {2}(?:(?<line>\d+)| {4,}) +(?<message>\S.*?) *$/,
      ]),
    ],
  },
  {
    tool: "psalm",
    signs: ["ERROR: ", "error - "],
    lines: [
      form(
        /^(?<severity>ERROR|INFO): (?<code>[A-Z]\w+) - (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) - (?<message>.*)$/,
      ),
      form(/^(?<file>[^\s:]+\.php):(?<line>\d+):(?<column>\d+):(?<severity>error|warning|info) - (?<message>.*)$/),
    ],
  },
  {
    tool: "php",
    signs: ["PHP ", "Fatal error: ", "Parse error: "],
    lines: [
      form(
        /^(?:PHP )?(?<message>(?:Fatal|Parse|Recoverable fatal) error: .*) in (?<file>\S+)(?: on line |:)(?<line>\d+)$/,
      ),
      form(
        /^(?:PHP )?(?<severity>Warning|Notice|Deprecated): +(?<message>.*) in (?<file>\S+) on line (?<line>\d+)$/,
        "warning",
      ),
    ],
  },
];
