/** pnpm. */
import type {Tool} from "./tool.ts";

export const pnpm: Tool = {
  name: "pnpm",
  output: {
    markers: ["ERR_PNPM"],
    lines: [/^ ?(?:ERR_PNPM_|\[)?(?<code>ERR_PNPM_\w+)\]? +(?<message>.*)$/],
  },
  summaries: [{pattern: /^(?<zero>No projects matched the filters|None of the selected packages has a )/gm}],
};
