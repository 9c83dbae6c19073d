/** biome: framed diagnostics with the place on their first line. */

import {ANY_FILE, MARKED_UP, SCRIPT} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const biome: Tool = {
  name: "biome",
  output: {
    warningsPass: true,
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
    {
      commands: ["biome ci", "biome check"],
      without: ["--write*"],
      fix: "check --write --no-errors-on-unmatched",
      files: ANY_FILE,
    },
    {commands: ["biome lint"], without: ["--write*"], fix: "lint --write --no-errors-on-unmatched", files: ANY_FILE},
    {
      commands: ["biome format"],
      without: ["--write*"],
      fix: "format --write --no-errors-on-unmatched",
      files: ANY_FILE,
    },
  ],
};

export const biomeCommand: ToolCommand = {
  programs: ["biome"],
  traits: ["node package", "never a script"],
  kinds: {lint: ["biome"]},
  lintedFiles: MARKED_UP,
  readOnly: [
    {
      commands: ["biome"],
      with: ["ci", "check", "lint", "format"],
      without: ["--write", "--fix", "--unsafe", "--apply*"],
    },
  ],
  unsafe: [
    {
      match: "biome check|lint|format|ci --write|--fix|--apply|--unsafe|--apply-unsafe",
      drop: ["--write", "--fix", "--apply", "--unsafe", "--apply-unsafe"],
    },
  ],
  buildFiles: ["biome.json", "biome.jsonc"],
};

export const biomeIntegrity: ToolIntegrity = {
  suppressions: [
    {name: "biome ignore", files: SCRIPT, pattern: /biome-(?:ignore-all|ignore-start)\b/, isWide: true},
    // The group keeps this line from being a suppression itself.
    {name: "eslint-disable", files: SCRIPT, pattern: /\bbiome-(?:ignore)\b/},
  ],
};
