/** pytest: one block per failed or broken test, else the short summary. */
import type {ToolRules} from "./rules.ts";

const RULE = /^(?:_{3,} .+ _{3,}|={3,} .+ ={3,})$/;

export const pytest: ToolRules = {
  tool: "pytest",
  signs: [
    "= test session starts =",
    "= FAILURES =",
    "= ERRORS =",
    "short test summary info",
    " passed in ",
    " failed in ",
  ],
  blocks: [
    {
      start: /^_{3,} (?:ERROR (?:collecting|at (?:setup|teardown) of) )?(?<testId>\S.*?) _{3,}$/,
      end: RULE,
      maxLines: 400,
      inside: [
        /^E {3}(?: *)(?<message>\S.*)$/,
        /^(?<file>[^\s:][^:]*):(?<line>\d+): (?:\w+(?:Error|Exception|Exit|Interrupt|Warning)|Failed|Skipped)\b/,
        /^(?<file>[^\s:<][^:]*\.py):(?<line>\d+): in <module>/,
        /^E {3} *File "(?<file>[^"]+)", line (?<line>\d+)/,
      ],
    },
  ],
  lines: [
    {severity: "error", pattern: {regexp: "^(?:FAILED|ERROR) ([^\\s:]+\\.py)(?:::\\S+)? - (.*)$", file: 1, message: 2}},
  ],
};
