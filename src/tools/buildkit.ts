/** Builds of container images with BuildKit: what it prints below a failed step, and one line for each error. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";

export const buildkit: Tool = {
  name: "buildkit",
  output: {
    markers: ["failed to solve: "],
    blocks: [
      {
        start: /^ > \[.*\] .*:$/,
        end: /^(?:ERROR|error): failed to /,
        maxLines: 200,
        inside: [/^(?<file>[^\s:]+):(?<line>\d+)$/, /^ *\d+ \| >>> (?<message>\S.*)$/],
        needsMessage: true,
      },
    ],
    lines: [lineFormat("#%e ERROR: %m")],
  },
};
