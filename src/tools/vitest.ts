/** vitest: one block per failed test. */
import {FRAME} from "./javascript-frames.ts";
import type {Tool} from "./tool.ts";

export const vitest: Tool = {
  name: "vitest",
  output: {
    markers: ["Test Files ", " FAIL "],
    blocks: [
      {
        start: /^ ?FAIL +(?:\|[^|]+\| )?(?<testId>\S+ (?:>|\[) .*)$/,
        end: /^⎯|^ ?FAIL |^ *Test Files /,
        maxLines: 120,
        inside: [/^(?<message>(?:\w*(?:Error|Exception)|Snapshot|Caused by)\b.*)$/, FRAME],
      },
      {
        start: /^⎯+ (?:Unhandled|Uncaught) (?<testId>\w+) ⎯+$/,
        end: /^⎯/,
        maxLines: 60,
        inside: [/^(?<message>(?:\w*(?:Error|Exception)|Snapshot|Caused by)\b.*)$/, FRAME],
      },
    ],
  },
};
