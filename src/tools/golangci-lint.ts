/** golangci-lint: the name of the linter is at the end of the line. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {SettingPair, ToolIntegrity} from "./tool-integrity.ts";

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
  config: {
    kind: "lint",
    files: /^\.?golangci\.(ya?ml|toml|json)$/,
    readers: ["golangci-lint"],
  },
};

/** In version 2, formatters have a list of their own, and `staticcheck` has the checks of two other linters. */
function inSecondVersion({before, after}: SettingPair): SettingPair {
  const enabled = after.get("linters enable");
  if (after.get("version")?.join() !== "2" || enabled === undefined) return {before, after};
  const merged = enabled.includes("staticcheck") ? ["gosimple", "stylecheck"] : [];
  return {
    before,
    after: new Map([...after, ["linters enable", [...enabled, ...merged, ...(after.get("formatters enable") ?? [])]]]),
  };
}

export const golangciLintIntegrity: ToolIntegrity = {
  parts: {lineFiles: /\.golangci\.\w+/, passingOption: /issues-exit-code=0/},
  alignment: {files: /(?:^|\/)\.golangci\.(?:ya?ml|toml|json)$/, align: inSecondVersion},
};
