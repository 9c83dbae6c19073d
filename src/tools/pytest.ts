/** pytest: one block per failed or broken test, else the short summary. */
import type {Tool} from "./tool.ts";

export const pytest: Tool = {
  name: "pytest",
  output: {
    markers: [
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
      /^(?:FAILED|ERROR) (?<file>[^\s:]+\.py)(?:::\S.*?)? - (?<message>.*)$/,
      /^E +(?<message>(?:[\w.]*(?:Error|Exception)): .*)$/,
    ],
  },
};
