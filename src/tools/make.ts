/** make and ninja. */
import type {Tool} from "./tool.ts";

export const make: Tool = {
  name: "make",
  output: {
    markers: ["***", "ninja: ", "FAILED: "],
    lines: [
      /^g?make(?:\[\d+\])?: \*\*\* (?:\[(?:(?<file>[^\s:\]]+):(?<line>\d+): )?.*\] (?<message>Error \d+.*)|(?<message2>.*))$/,
      /^(?<file>[Mm]akefile\S*|\S+\.mk):(?<line>\d+): \*\*\* (?<message>.*)$/,
      /^(?<message>ninja: error: .*)$/,
      /^FAILED: (?<message>\S.*)$/,
    ],
  },
};
