/** minitest and test-unit. */
import {anyOf, byName, escaped} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const minitest: Tool = {
  name: "minitest",
  notInstalled: [/cannot load such file -- minitest\b/],
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
  summaries: [{pattern: /^(?<ran>\d+) (?:runs|tests), \d+ assertions, (?<list>\d+ failures, \d+ errors[^\n]*)/gm}],
  failedTests: {
    marker: /^\d+ (?:runs|tests), \d+ assertions, /,
    tests: [/^(?<name>\S.*#test_.+?)(?: \[(?<file>.+):\d+\])?:$/],
  },
  rerun: {
    calls: /^rails test$|^ruby(?: -\S+)* \S+\.rb$/,
    narrow: (tests) => byName(tests, (names) => ["-n", `/${anyOf(names.map(escaped))}/`]),
    never: ["-n*", "--name"],
  },
};

export const minitestCommand: ToolCommand = {
  kinds: {test: ["minitest", "rails test"]},
};
