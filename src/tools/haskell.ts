/** GHC, hlint, and the tests of tasty. */
import type {Tool, ToolFiles} from "./tool.ts";

export const ghc: Tool = {
  name: "ghc",
  output: {
    markers: [".hs:"],
    blocks: [
      {
        start:
          /^(?<file>[^\s:][^:]*\.hs):(?<line>\d+):(?<column>\d+)(?:-\d+)?: (?<severity>error|warning):?(?: \[(?<code>[\w-]+)\])?(?: (?<message>\S.*))?$/,
        end: /^$|^\S/,
        maxLines: 40,
        inside: [/^ +(?:• )?(?<message>\S.*)$/],
      },
    ],
    lines: [
      {
        patterns: [
          /^(?<file>[^\s:][^:]*\.hs):(?<line>\d+):(?<column>\d+): (?<severity>Suggestion|Warning|Error): (?<message>.*)$/,
        ],
        severity: "warning",
      },
    ],
  },
  earlyStop: {isCompiler: true},
};

export const hlintFiles: ToolFiles = {
  kind: "lint",
  files: /^\.hlint\.yaml$/,
  programs: ["hlint"],
};

export const tasty: Tool = {
  name: "tasty",
  summaries: [{pattern: /^(?:All (?<passed>\d+)|(?<failed>\d+) out of (?<ran>\d+)) tests (?:passed|failed)/gm}],
};
