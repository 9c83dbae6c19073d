/** oxlint: framed diagnostics with the place in the frame. */
import {LINTED_SCRIPT} from "./file-kinds.ts";
import type {Tool, ToolFiles} from "./tool.ts";

export const oxlint: Tool = {
  name: "oxlint",
  output: {
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
  fixes: [{check: /(?<tool>oxlint)(?!.* --fix)(?: |$)/, fix: "--fix", files: LINTED_SCRIPT}],
};

export const oxlintFiles: ToolFiles = {
  kind: "lint",
  files: /^(\.?oxlintrc\.jsonc?|oxlint\.config\..+)$/,
  programs: ["oxlint"],
  declared: {in: "package.json", packages: ["oxlint"]},
};
