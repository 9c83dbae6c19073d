/** svelte-check, for people and for machines. */
import type {Tool} from "./tool.ts";

export const svelteCheck: Tool = {
  name: "svelte-check",
  output: {
    markers: ["svelte-check"],
    lines: [
      {
        patterns: [
          /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+)$/,
          /^(?<severity>Error|Warn|Hint): (?<message>.*)$/,
        ],
        isList: true,
      },
      /^\d+ (?<severity>ERROR|WARNING) "(?<file>[^"]+)" (?<line>\d+):(?<column>\d+) "(?<message>.*)"$/,
    ],
  },
};
