/** ty: framed problems, or one line for each. */

import {PYTHON, WRITES_REPORT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const ty: Tool = {
  name: "ty",
  output: {
    // Other programs print the same frames; only ty ends with this count.
    markers: [" diagnostic"],
    blocks: [
      {
        start: /^(?<severity>error|warning|info)\[(?<code>[a-z]+(?:-[a-z]+)*)\]: (?<message>\S.*)$/,
        end: /^(?:error|warning|info)\[|^Found \d|^$/,
        maxLines: 30,
        inside: [/^ *--> (?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+)$/],
      },
    ],
    lines: [lineFormat("%f:%l:%c: %t<error|warning|info>[%n] %m")],
  },
};

export const tyCommand: ToolCommand = {
  programs: ["ty"],
  traits: ["python package"],
  kinds: {typecheck: ["ty"]},
  readOnly: [{commands: ["ty check"], without: WRITES_REPORT}],
  unsafe: [{match: "ty check --add-ignore|--update-baseline"}],
  config: {
    kind: "typecheck",
    files: ["ty.toml"],
    readers: ["ty"],
  },
};

export const tyIntegrity: ToolIntegrity = {
  suppressions: [{name: "type: ignore", files: PYTHON, pattern: /#\s*ty:\s*ignore\b/}],
};
