/** Bun's test runner. */
import {FRAME} from "./javascript-frames.ts";
import type {Tool} from "./tool.ts";

export const bun: Tool = {
  name: "bun",
  output: {
    markers: ["bun test v"],
    blocks: [
      {
        start: /^(?:\w*[Ee]rror): (?<message>.*)$/,
        end: /^\(pass\)|^ *\d+ \| |^\S+:$/,
        maxLines: 40,
        inside: [
          /^\(fail\) (?<testId>.*?)(?: \[[\d.]+ms\])?$/,
          FRAME,
          /^\s+at .*\((?<file>[^\s:()]+):(?<line>\d+):(?<column>\d+)\)$/,
        ],
      },
    ],
  },
};
