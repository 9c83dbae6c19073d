/** shellcheck, shfmt and bats. bats prints TAP. */

import {SHELL, WRITES_REPORT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const shellcheck: Tool = {
  name: "shellcheck",
  output: {
    markers: ["SC1", "SC2", "SC3"],
    blocks: [
      {
        start: /^In (?<file>\S.*) line (?<line>\d+):$/,
        end: /^In \S.* line \d+:$|^For more information:$/,
        maxLines: 20,
        inside: [/\^-* (?<code>SC\d+) \((?<severity>error|warning|info|style)\): (?<message>.*)$/],
      },
    ],
    lines: [lineFormat("%f:%l:%c: %t<error|warning|note|info|style>: %m [%n<SC>]")],
  },
};

export const shfmt: Tool = {
  name: "shfmt",
  fixes: [{commands: ["shfmt"], with: ["-d", "-l"], fix: "-w", files: SHELL}],
};

export const shellcheckCommand: ToolCommand = {
  programs: ["shellcheck"],
  kinds: {lint: ["shellcheck"]},
  lintedFiles: SHELL,
  readOnly: [{commands: ["shellcheck"], without: WRITES_REPORT}],
};

export const shfmtCommand: ToolCommand = {
  kinds: {lint: ["shfmt"]},
  unsafe: [{match: "shfmt -w", swap: {"-w": "-d"}}],
};

export const batsCommand: ToolCommand = {
  kinds: {test: ["bats"]},
};

export const shellChecksIntegrity: ToolIntegrity = {
  suppressions: [{name: "shellcheck disable", files: [...SHELL, ".bats"], pattern: /#\s*shellcheck\s+disable=/}],
};
