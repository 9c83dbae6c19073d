/** Swift: the compiler, XCTest, swift-testing, and its linter and formatter. */
import type {Tool} from "./tool.ts";

export const swift: Tool = {
  name: "swift",
  output: {
    markers: [".swift:"],
    lines: [
      /^\S+ Test .* recorded an issue (?:with .* )?at (?<file>[^\s:]+\.swift):(?<line>\d+):(?<column>\d+): (?<message>.*)$/,
      /^(?<file>\/[^:]*\.swift):(?<line>\d+): error: (?<message>-?\[?\S+ : .*|\S+\.\S+ : .*)$/,
      /^(?<file>[^\s:][^:]*\.swift):(?<line>\d+):(?<column>\d+): (?<severity>error|warning|note): (?<message>.*)$/,
    ],
  },
};
