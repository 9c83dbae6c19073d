/** stylelint and remark: problems under a line that names the file. */
import {HEADER} from "./eslint.ts";
import type {Tool} from "./tool.ts";

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
  fixes: [{check: /(?<tool>stylelint)(?!.* --fix)(?: |$)/, fix: "--fix", files: /\.(?:css|s[ac]ss|less)$/}],
};
