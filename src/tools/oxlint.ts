/** oxlint: framed diagnostics with the place in the frame. */
import type {Tool} from "./tool.ts";

export const oxlint: Tool = {
  name: "oxlint",
  output: {
    markers: ["╭─[", ",-["],
    blocks: [
      {
        start: /^ {1,2}(?<severity>[⚠×✖!x]) (?<code>[@\w-]+\([\w/-]+\)): (?<message>.*)$/,
        end: /^ {1,2}[⚠×✖!x] |^(?:Found|Finished) /,
        maxLines: 60,
        inside: [/(?:╭─|,-)\[(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)\]/],
      },
    ],
  },
};
