/** biome: framed diagnostics with the place on their first line. */
import type {Tool, ToolFiles} from "./tool.ts";

export const biome: Tool = {
  name: "biome",
  output: {
    markers: ["━━━"],
    blocks: [
      {
        start:
          /^(?<file>[^\s:]+)(?::(?<line>\d+):(?<column>\d+))? (?<code>(?:lint|assist|format|parse|organizeImports|suppressions)\b\S*)(?: +[A-Z]+)* +━+$/,
        end: /━━━$|^(?:Checked|Found|Skipped) \d/,
        maxLines: 80,
        inside: [/^ {2}(?<severity>[×✖!i]) (?<message>\S.*)$/, /^ *> (?<line>\d+) [│|]/],
      },
    ],
  },
  fixes: [
    {check: /(?<tool>biome) (?:ci|check)(?!.* --write)\b/, fix: "check --write --no-errors-on-unmatched", files: /./},
    {check: /(?<tool>biome) lint(?!.* --write)\b/, fix: "lint --write --no-errors-on-unmatched", files: /./},
    {check: /(?<tool>biome) format(?!.* --write)\b/, fix: "format --write --no-errors-on-unmatched", files: /./},
  ],
};

export const biomeFiles: ToolFiles = {
  kind: "lint",
  files: /^\.?biome\.jsonc?$/,
  programs: ["biome"],
  declared: {in: "package.json", packages: ["@biomejs/biome"]},
};
