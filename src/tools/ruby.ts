/** Ruby itself, and sorbet. */
import type {Tool} from "./tool.ts";

export const ruby: Tool = {
  name: "ruby",
  output: {
    markers: [".rb:"],
    lines: [
      /^(?<file>[^\s:]+\.rb):(?<line>\d+): (?<message>(?:syntax error|.*\(SyntaxError\)|.*https:\/\/srb\.help).*)$/,
    ],
  },
};
