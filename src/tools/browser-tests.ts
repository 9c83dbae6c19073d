/** Test runners for the browser and their relatives: jasmine, karma and uvu. */
import {FRAME, MESSAGE} from "./javascript-frames.ts";
import type {Tool} from "./tool.ts";

export const jasmine: Tool = {
  name: "jasmine",
  output: {
    markers: [" specs, ", " spec, "],
    blocks: [
      {
        start: /^\d+\) (?<testId>\S.*)$/,
        end: /^\d+\) \S|^(?:Ran )?\d+ (?:of \d+ )?specs?\b|^(?:Pending|Incomplete|Suite error)/,
        maxLines: 60,
        inside: [MESSAGE, /^ {4}(?<message>(?!at )\S.*)$/, FRAME],
        needsMessage: true,
      },
    ],
  },
  summaries: [{pattern: /^(?<list>\d+ specs?, \d+ failures?(?:, \d+ pending)?)/gm}],
};

export const karma: Tool = {
  name: "karma",
  summaries: [{pattern: /: Executed (?<executed>\d+) of \d+ ?(?:\((?<failed>\d+) FAILED\))?/gm, isRunningTotal: true}],
};

export const uvu: Tool = {
  name: "uvu",
  // Its total contains no skipped tests, and it prints no number of failed ones.
  summaries: [
    {
      pattern:
        /^ {2}Passed: {4}(?<passed>\d+)$|^ {2}Skipped: {3}(?<skipped>\d+)$|^\s+(?<word>FAIL) {2}(?:\S.* {2})?".*"$/gm,
    },
  ],
};
