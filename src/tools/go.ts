/** go build, vet and test, staticcheck and golangci-lint. */
import {form, type ToolRules} from "./rules.ts";

export const go: readonly ToolRules[] = [
  {
    tool: "go test",
    signs: ["--- FAIL: ", "panic: ", "FAIL\t"],
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
    lines: [form(/^FAIL\s(?<file>\S+) (?<message>\[(?:build|setup) failed\])$/)],
  },
  {
    tool: "golangci-lint",
    signs: [".go:"],
    lines: [
      form(
        /^(?<file>[^\s:]+\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.*) \((?<code>[a-z]\w+|[A-Z]+\d{3,4})\)$/,
      ),
    ],
  },
  {
    tool: "go",
    signs: [".go:"],
    lines: [form(/^(?:vet: )?(?<file>[^\s:]+\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.*)$/)],
  },
];
