/** Swift: the compiler, XCTest, swift-testing, and its linter and formatter. */
import type {Tool, ToolFiles} from "./tool.ts";

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
  summaries: [{pattern: /^\s*Executed (?<ran>\d+) tests?, with (?<list>[^\n(]*)/gm, isRunningTotal: true}],
  earlyStop: {isCompiler: true},
  testRun: {
    name: "XCTest",
    begins: /^Test Suite '.*' started at /,
    ends: /^Test Suite '.*' (?:passed|failed) at /,
  },
};

export const swiftTesting: Tool = {
  name: "swift-testing",
  summaries: [
    {
      pattern:
        /Test run with (?<ran>\d+) tests?[^\n]* (?:passed|failed)(?: after [^\n]* with (?<failed>\d+) issues?)?/gm,
    },
  ],
};

export const swiftlintFiles: ToolFiles = {
  kind: "lint",
  files: /^\.swiftlint\.yml$/,
  programs: ["swiftlint"],
};

export const swiftformat: Tool = {
  name: "swiftformat",
  fixes: [{check: /(?<tool>swiftformat)\b.* --lint\b/, fix: "", files: /\.swift$/}],
};
