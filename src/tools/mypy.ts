/** mypy. */
import type {Tool, ToolFiles} from "./tool.ts";

export const mypy: Tool = {
  name: "mypy",
  output: {
    markers: [".py:", ".pyi:"],
    lines: [
      /^(?<file>[^\s:][^:]*\.pyi?):(?<line>\d+)(?::(?<column>\d+))?(?::\d+:\d+)?: (?<severity>error|warning|note|info): (?<message>.*?)(?: {2}\[(?<code>[\w-]+)\])?$/,
    ],
  },
};

export const mypyFiles: ToolFiles = {
  kind: "typecheck",
  files: /^\.?mypy\.ini$/,
  programs: ["mypy"],
};
