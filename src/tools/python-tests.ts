/** pytest and unittest: one block per failed or broken test, else the short summary. */
import {form, type ToolRules} from "./rules.ts";

export const pythonTests: readonly ToolRules[] = [
  {
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
        // A long name leaves room for one line on each side; frames are parted by many, and tox's summary is no test.
        start: /^_+ (?!_ _|summary _)(?:ERROR (?:collecting|at (?:setup|teardown) of) )?(?<testId>\S.*?) _+$/,
        end: /^(?:_+ (?!_ _).+ _+|={3,} .+ ={3,})$/,
        maxLines: 400,
        inside: [
          /^E {3} *(?<message>(?:[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)|Failed|assert)\b.*)$/,
          /^E {3} {0,3}(?<message>\S.*)$/,
          /^(?<file>[^\s:][^:]*):(?<line>\d+): (?:[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)|Failed|Skipped)\b/,
          /^(?<file>[^\s:<][^:]*\.py):(?<line>\d+): in <module>$/,
          /^E {3} *File "(?<file>[^"]+)", line (?<line>\d+)/,
        ],
      },
    ],
    lines: [
      form(/^(?:FAILED|ERROR) (?<file>[^\s:]+\.py)(?:::\S.*?)? - (?<message>.*)$/),
      form(/^E +(?<message>(?:[\w.]*(?:Error|Exception)): .*)$/),
    ],
  },
  {
    tool: "unittest",
    signs: ["Traceback (most recent call last):"],
    blocks: [
      {
        start: /^(?:ERROR|FAIL): (?<testId>\w.*)$/,
        end: /^={50,}$|^Ran \d+ tests? in/,
        maxLines: 120,
        inside: [
          /^ {2}File "(?<file>(?!<|.*\/(?:lib\/python|site-packages|unittest)\/)[^"]+)", line (?<line>\d+)/,
          /^(?<message>[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b.*)$/,
        ],
      },
    ],
  },
  {
    tool: "python",
    signs: ["Traceback (most recent call last):", "SyntaxError:"],
    blocks: [
      {
        start: /^\s*Traceback \(most recent call last\):$/,
        end: /^(?!\s|Traceback|During|The above|$|[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b)/,
        maxLines: 120,
        inside: [
          /^ *File "(?<file>[^"]+)", line (?<line>\d+)/,
          /^ *(?<message>[\w.]*(?:Error|Exception|Exit|Interrupt)\b.*)$/,
        ],
      },
    ],
  },
];
