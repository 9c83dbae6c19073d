/** rubocop and standardrb. */
import {RUBY} from "./file-kinds.ts";
import type {Tool, ToolFiles} from "./tool.ts";

export const rubocop: Tool = {
  name: "rubocop",
  output: {
    markers: [" C: ", " W: ", " E: ", " F: "],
    lines: [
      /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): (?<severity>[RCWEF]): (?:\[Corr?ectable\] )?(?:(?<code>[A-Z]\w*\/[\w/]+): )?(?<message>.*)$/,
    ],
  },
  fixes: [{check: /(?<tool>rubocop)(?!.* -[aA]\b)(?: |$)/, fix: "-a", files: RUBY}],
};

export const rubocopFiles: ToolFiles = {
  kind: "lint",
  files: /^\.rubocop\.yml$/,
  programs: ["rubocop", "standardrb"],
};

export const standardrb: Tool = {
  name: "standardrb",
  fixes: [{check: /(?<tool>standardrb)(?!.* --fix)(?: |$)/, fix: "--fix", files: RUBY}],
};
