/** tsc and the checkers that print like it, with and without `--pretty`. */
import type {ToolRules} from "./rules.ts";

export const typescript: ToolRules = {
  tool: "tsc",
  signs: [" TS", "(ts)"],
  lines: [
    {
      severity: "error",
      pattern: {
        regexp: "^(\\S[^()\\n]*)\\((\\d+),(\\d+)\\): (error|warning|info) (TS\\d+): (.*)$",
        file: 1,
        line: 2,
        column: 3,
        severity: 4,
        code: 5,
        message: 6,
      },
    },
    {
      severity: "error",
      pattern: {
        regexp: "^(\\S[^:\\n]*):(\\d+):(\\d+) - (error|warning|info) (TS\\d+): (.*)$",
        file: 1,
        line: 2,
        column: 3,
        severity: 4,
        code: 5,
        message: 6,
      },
    },
    {severity: "error", pattern: {regexp: "^(error) (TS\\d+): (.*)$", severity: 1, code: 2, message: 3}},
  ],
};
