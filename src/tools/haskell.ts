/** GHC and hlint. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

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
        patterns: [lineFormat("%f<hs>:%l:%c: %t<Suggestion|Warning|Error>: %m")],
        severity: "warning",
      },
    ],
  },
  earlyStop: {isCompiler: true},
};

/** Options of cabal that name a program of the machine, which may have another path on each. */
export const CHOOSES_COMPILER = ["-w", "--with-*"];

export const haskellCommand: ToolCommand = {
  programs: ["cabal", "cabal-docspec"],
  kinds: {
    lint: ["hlint", "ormolu", "fourmolu"],
    check: ["cabal haddock", "cabal check"],
    test: ["stack test", "cabal test"],
    build: ["cabal build", "stack build"],
  },
  compiles: {family: "haskell", commands: ["cabal *", "stack *"]},
  // ndmitchell/hlint, .github/workflows/ci.yml: it writes `cabal.project.freeze`.
  unsafe: [{match: "cabal freeze|v2-freeze|new-freeze"}, {match: "ormolu|fourmolu -i|--mode=inplace"}],
};
