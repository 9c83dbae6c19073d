/** biome: framed diagnostics with the place on their first line. */
import type {Tool} from "./tool.ts";

export const biome: Tool = {
  name: "biome",
  output: {
    markers: ["━━━"],
    blocks: [
      {
        start:
          /^(?<file>[^\s:]+)(?::(?<line>\d+):(?<column>\d+))? (?<code>(?:lint|assist|format|parse|organizeImports|suppressions)\b\S*)(?: +[A-Z]+)* +━+$/,
        end: /━━━$|^(?:Checked|Found|Skipped) \d/,
        maxLines: 80,
        inside: [/^ {2}(?<severity>[×✖!i]) (?<message>\S.*)$/, /^ *> (?<line>\d+) [│|]/],
      },
    ],
  },
};
