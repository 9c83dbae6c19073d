/** golangci-lint: the name of the linter is at the end of the line. */
import type {Tool, ToolFiles} from "./tool.ts";

export const golangciLint: Tool = {
  name: "golangci-lint",
  output: {
    markers: [".go:"],
    lines: [
      /^(?<file>[^\s:]+\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.*) \((?<code>[a-z]\w+|[A-Z]+\d{3,4})\)$/,
    ],
  },
  fixes: [{check: /(?<tool>golangci-lint) run(?!.* --fix)\b/, fix: "run --fix", files: null}],
};

export const golangciLintFiles: ToolFiles = {
  kind: "lint",
  files: /^\.?golangci\.(ya?ml|toml|json)$/,
  programs: ["golangci-lint"],
};
