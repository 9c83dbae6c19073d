/** stylelint and remark: problems under a line that names the file. */
import {HEADER} from "./eslint.ts";
import {ESLINT_WRITES} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const stylelint: Tool = {
  name: "stylelint",
  output: {
    markers: ["✖ ", "⚠ ", "✖  "],
    lines: [
      {
        patterns: [
          HEADER,
          /^ {1,4}(?<line>\d+):(?<column>\d+) +(?<severity>[✖⚠×]) +(?<message>\S.*?)(?: {2,}(?<code>[@\w/-]+))?$/,
        ],
        isList: true,
      },
    ],
  },
  fixes: [{commands: ["stylelint"], without: ["--fix*"], fix: "--fix", files: [".css", ".sass", ".scss", ".less"]}],
};

export const stylelintCommand: ToolCommand = {
  programs: ["stylelint"],
  traits: ["node package"],
  kinds: {lint: ["stylelint"]},
  readOnly: [{commands: ["stylelint"], without: ESLINT_WRITES}],
};
