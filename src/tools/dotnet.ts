/** .NET: csc and msbuild, and the failed tests of `dotnet test`. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const dotnet: Tool = {
  name: "dotnet",
  output: {
    warningsPass: true,
    markers: [": error ", ": warning "],
    lines: [
      /^ *(?:\d+>)?(?<file>(?:[A-Za-z]:)?[^\s:(][^:(]*)\((?<line>\d+)(?:,(?<column>\d+))?(?:,\d+,\d+)?\) ?: (?:fatal )?(?<severity>error|warning) (?<code>[A-Z]+\d+) ?: (?<message>.*)$/,
    ],
  },
  fixes: [
    {commands: ["dotnet format"], with: ["--verify-no-changes"], fix: "format --include", files: [".cs", ".vb", ".fs"]},
  ],
  earlyStop: {isCompiler: true},
};

export const dotnetTest: Tool = {
  name: "dotnet test",
  output: {
    markers: ["Error Message:", "[FAIL]", "error TESTERROR:"],
    blocks: [
      {
        start: /^ {2}(?:Failed|X) (?<testId>\S.*?) \[[^\]]*\]$/,
        end: /^ {2}(?:Failed|Passed|Skipped) |^(?:Failed|Passed)! |^Test Run/,
        maxLines: 60,
        inside: [/^ {3}(?<message>(?!Error Message:|Stack Trace:)\S.*)$/, / in (?<file>\S.*):line (?<line>\d+)$/],
      },
      {
        start: /^ *(?<file>(?:[A-Za-z]:)?[^\s:(][^:(]*)\((?<line>\d+)\): error TESTERROR: *$/,
        end: /^ {0,4}\S/,
        maxLines: 60,
        inside: [/^ +(?<testId>\S.*) \([^()]*\): Error Message: (?<message>.*)$/],
      },
    ],
  },
  summaries: [
    {pattern: /^(?:Passed|Failed|Skipped)! +- (?<list>Failed: +\d+, Passed: +\d+, Skipped: +\d+)/gm},
    {pattern: /^ +(?<list>(?:Passed|Failed|Skipped): \d+)\s*$/gm},
    {pattern: /^Test summary: total: \d+, (?<list>failed: \d+, succeeded: \d+, skipped: \d+)/gm},
    {pattern: /^ {2}(?<list>(?:failed|succeeded|skipped): \d+)\s*$/gm},
    {pattern: /^(?<zero>No test is available in|Zero tests ran)/gm},
  ],
  summaryParts: {apart: 2},
};

export const dotnetCommand: ToolCommand = {
  kinds: {lint: ["dotnet format"], test: ["dotnet test"], build: ["dotnet build"]},
  compiles: {family: "dotnet", commands: ["dotnet *"]},
  unsafe: [
    {match: "dotnet format !--verify-no-changes", add: ["--verify-no-changes"]},
    {match: "dotnet watch", kind: "server"},
    {match: "dotnet tool|restore|workload", kind: "download"},
  ],
};
