/** Deno: its test runner and its formatter. */
import type {Tool} from "./tool.ts";

export const deno: Tool = {
  name: "deno",
  output: {
    markers: ["running 1 test from", " tests from "],
    blocks: [
      {
        needsMessage: true,
        start: /^(?<testId>\S.*) => (?<file>[^\s:]+):(?:\d+):(?:\d+)$/,
        end: /^\S.* => |^ ?FAILURES|^(?:ok|FAILED) \|/,
        maxLines: 60,
        inside: [
          /^error: (?:Uncaught )?(?<message>.*)$/,
          /^\s+at (?:.* )?\(?file:\/\/\/[^\s:()]+:(?<line>\d+):(?<column>\d+)\)?$/,
        ],
      },
    ],
  },
};
