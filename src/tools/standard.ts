/** standard and xo, which run eslint with rules of their own. */
import {LINTED_SCRIPT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";

export const standard: Tool = {
  name: "standard",
  output: {
    markers: ["standard: "],
    lines: [/^ {2}(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<message>.*?)(?: \((?<code>[@\w/-]+)\))?$/],
  },
  fixes: [{check: /(?<tool>standard)(?!.* --fix)(?: |$)/, fix: "--fix", files: LINTED_SCRIPT}],
};

export const xo: Tool = {
  name: "xo",
  fixes: [{check: /(?<tool>xo)(?!.* --fix)(?: |$)/, fix: "--fix", files: LINTED_SCRIPT}],
};
