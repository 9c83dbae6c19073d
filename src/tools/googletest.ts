/** GoogleTest. */
import type {Tool} from "./tool.ts";

export const googletest: Tool = {
  name: "googletest",
  output: {
    markers: ["[  FAILED  ]", ": Failure"],
    blocks: [
      {
        start: /^(?:\d+: )?(?<file>[^\s:][^:]*):(?<line>\d+): Failure$/,
        end: /^(?:\d+: )?\[ /,
        maxLines: 30,
        inside: [/^(?:\d+: )?(?<message>\S.*)$/],
      },
    ],
  },
  summaries: [
    {pattern: /^(?:\d+: )?\[ {2}(?<word>PASSED|FAILED|SKIPPED) {2}\] (?<times>\d+) tests?[.,]/gm, unless: ["ctest"]},
  ],
  summaryParts: {apart: Infinity},
  testRun: {
    name: "GoogleTest",
    begins: /^\[=+\] Running \d+ tests? from /,
    ends: /^\[=+\] \d+ tests? from .* ran\b/,
  },
};
