/** pyrefly: framed problems, or one line for each. */

import {PYTHON, WRITES_REPORT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const pyrefly: Tool = {
  name: "pyrefly",
  output: {
    markers: ["ERROR ", " WARN "],
    blocks: [
      {
        start:
          /^ ?(?<severity>ERROR|WARN|INFO) (?!\S+:\d+:\d+-)(?<message>\S.*) \[(?<code>[a-z]+(?:-[a-z]+)+|deprecated|redefinition|regex|unreachable|unsupported)\]$/,
        end: /^ ?(?:ERROR|WARN|INFO) |^$/,
        maxLines: 30,
        inside: [/^ *--> (?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+)$/],
      },
    ],
    lines: [lineFormat("{ }%t<ERROR|WARN|INFO> %f:%l:%c-{%e:}%k: %m [%n]")],
  },
};

export const pyreflyCommand: ToolCommand = {
  programs: ["pyrefly"],
  traits: ["python package"],
  kinds: {typecheck: ["pyrefly check"]},
  reads: {family: "python", commands: ["pyrefly check"]},
  readOnly: [{commands: ["pyrefly check"], without: WRITES_REPORT}],
  unsafe: [
    {match: "pyrefly init|infer|suppress|stubgen"},
    {match: "pyrefly check --suppress-errors|--remove-unused-ignores|--update-baseline|--prune-baseline"},
  ],
  config: {
    kind: "typecheck",
    files: ["pyrefly.toml"],
    readers: ["pyrefly check"],
  },
};

export const pyreflyIntegrity: ToolIntegrity = {
  suppressions: [
    {name: "mypy: ignore-errors", files: PYTHON, pattern: /^\s*#\s*pyrefly:\s*ignore-errors/, isWide: true},
    {name: "type: ignore", files: PYTHON, pattern: /#\s*pyrefly:\s*ignore\b/},
  ],
};
