/** ruff: its linter and its formatter. */
import type {Tool} from "./tool.ts";

export const ruff: Tool = {
  name: "ruff",
  output: {
    markers: ["--> "],
    blocks: [
      {
        start: /^(?<code>[A-Z]{1,5}\d{2,4}|invalid-syntax|unformatted)(?: \[[*-]\])?:? (?<message>\S.*)$/,
        end: /^$|^[A-Z]{1,5}\d{2,4} |^Found \d/,
        maxLines: 30,
        inside: [/^ *--> (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)$/],
      },
    ],
  },
};
