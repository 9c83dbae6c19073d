/** prettier: a line for each file that is not formatted. */
import type {Tool} from "./tool.ts";

export const prettier: Tool = {
  name: "prettier",
  output: {
    defaultMessage: "not formatted as prettier wants it",
    markers: ["Code style issues", "Checking formatting", "[error] "],
    lines: [
      /^\[(?<severity>warn)\] (?<file>[^\s:]+\.\w{1,10})(?<message>)$/,
      /^\[(?<severity>error)\] (?<file>[^\s:]+): (?<message>.*?) \((?<line>\d+):(?<column>\d+)\)$/,
    ],
  },
};
