/** rubocop and standardrb. */
import {RUBY} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const rubocop: Tool = {
  name: "rubocop",
  output: {
    markers: [" C: ", " W: ", " E: ", " F: "],
    lines: [
      /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): (?<severity>[RCWEF]): (?:\[Corr?ectable\] )?(?:(?<code>[A-Z]\w*\/[\w/]+): )?(?<message>.*)$/,
    ],
  },
  fixes: [{commands: ["rubocop"], without: ["-a", "-A"], fix: "-a", files: RUBY}],
};

export const standardrb: Tool = {
  name: "standardrb",
  fixes: [{commands: ["standardrb"], without: ["--fix*"], fix: "--fix", files: RUBY}],
};

export const rubocopCommand: ToolCommand = {
  programs: ["rubocop", "standardrb"],
  kinds: {lint: ["rubocop", "standardrb"]},
  lintedFiles: RUBY,
  readOnly: [{commands: ["rubocop"], without: ["-a", "-A", "--auto*", "--fix*"]}],
  unsafe: [
    {
      match: "rubocop|standardrb -a|-A|-x|--auto-correct|--autocorrect|--auto-correct-all|--autocorrect-all|--fix",
      drop: ["-a", "-A", "-x", "--auto-correct", "--autocorrect", "--auto-correct-all", "--autocorrect-all", "--fix"],
    },
  ],
  buildFiles: [".rubocop*.yml"],
};

export const rubocopIntegrity: ToolIntegrity = {
  suppressions: [
    {
      name: "rubocop:disable",
      files: RUBY,
      pattern: /#\s*(?:rubocop:(?:disable|todo)|:nocov:|steep:ignore)\b|^\s*#\s*typed:\s*(?:false|ignore)\b/,
    },
  ],
};
