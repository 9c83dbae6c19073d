/** Zig: its compiler, its build system and its formatter. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const zig: Tool = {
  name: "zig",
  output: {
    warningsPass: true,
    markers: [".zig"],
    defaultMessage: "not formatted as zig fmt wants it",
    blocks: [
      {
        start: /^error: '(?<testId>\S+)' failed:(?: (?<message>\S.*))?$/,
        end: /^(?:failed command|Build Summary): |^error: /,
        maxLines: 80,
        inside: [
          /^ +(?<message>expected .*)$/,
          // The frames of the standard library come first.
          /^ +(?!.*\/lib\/std\/)(?<file>\/\S+\.zig):(?<line>\d+):(?<column>\d+): 0x/,
        ],
      },
    ],
    lines: [lineFormat("%F<zig>:%l:%c: %t<error|warning>: %m"), /^(?<file>\.\/\S+\.zig)(?<message>)$/],
  },
  summaries: [{pattern: /^Build Summary: [^\n]*; (?<passed>\d+)\/\d+ tests? passed(?: \((?<list>[^)\n]*)\))?$/gm}],
  failedTests: {marker: /^Build Summary: .*\bfailed\)/, tests: [/^error: '(?<name>\S+)' failed:/]},
  fixes: [{commands: ["zig fmt"], with: ["--check"], fix: "fmt", files: /\.zig$/}],
};

export const zigCommand: ToolCommand = {
  programs: ["zig"],
  kinds: {lint: ["zig fmt"], test: ["zig build test", "zig test"], build: ["zig build"]},
  compiles: {family: "zig", commands: ["zig *", "!zig fmt"]},
  readOnly: [{commands: ["zig fmt"], with: ["--check"]}],
  unsafe: [{match: "zig fmt !--check", add: ["--check"]}],
};
