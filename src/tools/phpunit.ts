/** PHPUnit. */
import type {Tool} from "./tool.ts";

export const phpunit: Tool = {
  name: "phpunit",
  output: {
    markers: ["PHPUnit ", "FAILURES!", "ERRORS!", "There was 1 ", "There were "],
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
};
