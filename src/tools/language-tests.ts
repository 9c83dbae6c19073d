/** Test frameworks of single languages: Dart, Clojure, Julia, PHP's own. */
import type {Tool} from "./tool.ts";

export const dart: Tool = {
  name: "dart",
  output: {
    markers: [" [E]"],
    blocks: [
      {
        start: /^(?:\d\d:\d\d )?\+\d+(?: ~\d+)? -\d+: (?<testId>\S.*?) \[E\]$/,
        end: /^(?:\d\d:\d\d )?\+\d+/,
        maxLines: 40,
        inside: [/^ {2}(?<file>\S+\.dart) (?<line>\d+):(?<column>\d+) /, /^ {2}(?<message>\S.*)$/],
      },
    ],
  },
  summaries: [
    {
      pattern:
        /^(?:\d\d:\d\d )\+(?<passed>\d+)(?: ~(?<skipped>\d+))?(?: -(?<failed>\d+))?: (?:All tests passed!|Some tests failed\.|[^\n]*)$/gm,
      isRunningTotal: true,
    },
    {pattern: /^(?<zero>No tests ran)\.?$/gm},
  ],
  fixes: [{commands: ["dart format"], with: ["--set-exit-if-changed"], fix: "format", files: /\.dart$/}],
};

export const lein: Tool = {
  name: "lein",
  output: {
    markers: ["FAIL in (", "ERROR in ("],
    blocks: [
      {
        start: /^(?:FAIL|ERROR) in \((?<testId>[^)]*)\) \((?<file>[^:)]+):(?<line>\d+)\)$/,
        end: /^$|^Ran \d+ tests|^(?:FAIL|ERROR) in |^lein test /,
        maxLines: 30,
        inside: [/^\s*actual: (?<message>.*)$/],
      },
    ],
  },
  summaries: [
    {
      pattern: /^Ran (?<ran>\d+) tests containing \d+ assertions\.\s+(?<list>\d+ failures, \d+ errors)/gm,
      secondLine: ["0 failures, 0"],
    },
  ],
};

export const julia: Tool = {
  name: "julia",
  output: {
    markers: ["Test Failed at ", "Error During Test at "],
    blocks: [
      {
        start: /^(?<testId>\S.*?): (?:Test Failed|Error During Test) at (?<file>\S+?):(?<line>\d+)$/,
        end: /^(?:\S.*: (?:Test Failed|Error During Test) at |Test Summary:|Stacktrace:|$)/,
        maxLines: 30,
        inside: [/^\s+Evaluated: (?<message>.*)$/],
      },
    ],
  },
};

/** The tests of PHP itself and of its extensions: the difference comes before the name. */
export const phpt: Tool = {
  name: "phpt",
  output: {
    markers: [".phpt]"],
    blocks: [
      {
        start: /^={4,}DIFF={4,}$/,
        end: /^={4,}DIFF={4,}$|^(?:TEST \d|PASS |SKIP |TIME END|=====+$)/,
        unless: [/^XFAIL /],
        maxLines: 100,
        inside: [/^FAIL (?<testId>.*) \[(?<file>\S+\.phpt)\]\s*$/, /^\d+\+ (?<message>.*)$/],
      },
    ],
  },
};
