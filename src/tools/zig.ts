/** Zig: its compiler, its build system and its formatter. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const zig: Tool = {
  name: "zig",
  output: {
    warningsPass: true,
    markers: [".zig"],
    lines: [lineFormat("%F<zig>:%l:%c: %t<error|warning>: %m")],
  },
};

export const zigCommand: ToolCommand = {
  programs: ["zig"],
  kinds: {lint: ["zig fmt"], test: ["zig build test", "zig test"], build: ["zig build"]},
  compiles: {family: "zig", commands: ["zig *", "!zig fmt"]},
  readOnly: [{commands: ["zig fmt"], with: ["--check"]}],
  unsafe: [{match: "zig fmt !--check", add: ["--check"]}],
};
