/** Swift: the compiler, XCTest and swift-testing. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const swift: Tool = {
  name: "swift",
  output: {
    warningsPass: true,
    markers: [".swift:"],
    lines: [
      /^\S+ Test .* recorded an issue (?:with .* )?at (?<file>[^\s:]+\.swift):(?<line>\d+):(?<column>\d+): (?<message>.*)$/,
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

export const swiftCommand: ToolCommand = {
  programs: ["swift"],
  kinds: {
    lint: ["swiftlint", "swiftformat", "swift-format", "swift format"],
    test: ["swift test"],
    build: ["swift build"],
  },
  reads: {family: "swift", commands: ["swift test", "swift build"]},
  compiles: {family: "swift", commands: ["swift *"]},
  unsafe: [
    {match: "swift-format format|-i|--in-place"},
    {match: "swift format !lint -i|--in-place"},
    {match: "swiftformat !--lint", add: ["--lint"]},
  ],
};
