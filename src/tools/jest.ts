/** jest: one block per failed test, under a line that names the file. */
import {FRAME} from "./javascript-frames.ts";
import type {Tool} from "./tool.ts";

export const jest: Tool = {
  name: "jest",
  output: {
    markers: ["  ● ", "Test Suites: "],
    blocks: [
      {
        start: /^ {2}● (?<testId>(?!Console$)\S.*)$/,
        end: /^ {2}● |^Test Suites: |^(?:PASS|FAIL) | ^ PASS |^Snapshot Summary/,
        maxLines: 150,
        inside: [/^ {4,}(?<message>[A-Za-z][^|]*\S.*)$/, FRAME],
      },
    ],
  },
};
