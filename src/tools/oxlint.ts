/** oxlint: framed diagnostics with the place in the frame. */
import {ESLINT_WRITES, LINTED_SCRIPT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const oxlint: Tool = {
  name: "oxlint",
  output: {
    warningsPass: true,
    markers: ["╭─[", ",-["],
    blocks: [
      {
        start: /^ {1,2}(?<severity>[⚠×✖!x]) (?<code>[@\w-]+\([\w/-]+\)): (?<message>.*)$/,
        end: /^ {1,2}[⚠×✖!x] |^(?:Found|Finished) /,
        maxLines: 60,
        inside: [/(?:╭─|,-)\[(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)\]/],
      },
    ],
  },
  fixes: [{commands: ["oxlint"], without: ["--fix*"], fix: "--fix", files: LINTED_SCRIPT}],
};

export const oxlintCommand: ToolCommand = {
  programs: ["oxlint"],
  traits: ["node package", "never a script"],
  kinds: {lint: ["oxlint", "oxfmt"]},
  lintedFiles: LINTED_SCRIPT,
  readOnly: [{commands: ["oxlint"], without: ESLINT_WRITES}],
  unsafe: [{match: "oxfmt !--check !--list-different", add: ["--check"]}],
};
