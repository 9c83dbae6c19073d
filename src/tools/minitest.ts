/** minitest and test-unit. */
import type {Tool} from "./tool.ts";

export const minitest: Tool = {
  name: "minitest",
  output: {
    markers: [" assertions, "],
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
};
