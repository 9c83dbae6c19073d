/** golangci-lint: the name of the linter is at the end of the line. */

import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const golangciLint: Tool = {
  name: "golangci-lint",
  output: {
    markers: [".go:"],
    lines: [lineFormat("%F<go>:%l{:%c}: %m (%n)")],
  },
  fixes: [{commands: ["golangci-lint run"], without: ["--fix*"], fix: "run --fix", files: null}],
};

export const golangciLintCommand: ToolCommand = {
  kinds: {lint: ["golangci-lint run", "golangci-lint fmt"]},
  reads: {family: "go", commands: ["golangci-lint"]},
  compiles: {family: "go", commands: ["golangci-lint *"]},
  readOnly: [{commands: ["golangci-lint run"], without: ["--fix"]}],
  unsafe: [{match: "golangci-lint fmt !--diff", add: ["--diff"]}],
  buildFiles: [".golangci.*"],
  actions: {"golangci/golangci-lint-action": "golangci-lint run {args}"},
};
