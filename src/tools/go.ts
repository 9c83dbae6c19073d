/** Go: `go test`, and what `go build`, `go vet` and staticcheck print. */
import type {Tool} from "./tool.ts";

export const goTest: Tool = {
  name: "go test",
  output: {
    markers: ["--- FAIL: ", "panic: ", "FAIL\t"],
    blocks: [
      {
        start: /^\s*--- FAIL: (?<testId>\S+) \(\d[^)]*\)$/,
        above: /^\s+(?:\S+: )?(?<file>[\w./-]+\.go):(?<line>\d+): (?<message>.*)$/,
        end: /^\s*(?:---|===) |^(?:FAIL|PASS|ok|exit status|coverage:)\b|^\S+\s+\[no test files\]/,
        maxLines: 120,
        inside: [
          /^\s+(?:\S+: )?(?<file>[\w./-]+\.go):(?<line>\d+): (?<message>.*)$/,
          /^\s*(?<message>panic: .*)$/,
          /^\s+Error: +\t?(?<message>\S.*)$/,
          /^\t(?!\/(?:opt|usr\/local|usr\/lib)\/go)(?<file>\/(?!.*\/(?:src\/testing|src\/runtime|pkg\/mod)\/)\S+\.go):(?<line>\d+)/,
        ],
      },
      {
        start: /^(?<message>panic: .*)$/,
        end: /^(?:FAIL|exit status)\b/,
        maxLines: 60,
        inside: [/^\t(?<file>\/(?!.*\/(?:src\/testing|src\/runtime|pkg\/mod)\/)\S+\.go):(?<line>\d+)/],
      },
    ],
    lines: [/^FAIL\s(?<file>\S+) (?<message>\[(?:build|setup) failed\])$/],
  },
};

export const go: Tool = {
  name: "go",
  output: {
    markers: [".go:"],
    lines: [/^(?:vet: )?(?<file>[^\s:]+\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.*)$/],
  },
};
