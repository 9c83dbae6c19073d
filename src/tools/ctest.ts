/** ctest. */
import type {Tool} from "./tool.ts";

export const ctest: Tool = {
  name: "ctest",
  output: {
    markers: ["% tests passed", "The following tests FAILED"],
    lines: [/^\s*\d+\/\d+ Test +#\d+: (?<message>.*\*\*\*(?:Failed|Exception|Timeout|Not Run).*)$/],
  },
};
