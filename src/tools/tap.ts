/** The Test Anything Protocol (testanything.org), with the details that its producers add, and Perl's tests. */
import type {Tool} from "./tool.ts";

export const tap: Tool = {
  name: "tap",
  output: {
    markers: ["not ok "],
    blocks: [
      {
        start: /^\s*not ok\b(?!.*# *(?:TODO|SKIP|todo|skip)\b)(?: \d+)?(?: -)?(?: (?<testId>\S.*?))?(?: # .*)?$/,
        end: /^\s*(?:not )?ok\b|^\s*\.\.\.$|^\s*# Subtest: |^\s*1\.\.\d+$|^# (?:tests?|pass|fail|time|Looks like)\b|^\S+\.t \.{2,}/,
        maxLines: 60,
        inside: [
          /^\s+(?:message|error): ['"]?(?<message>(?!Error thrown in|Rejected promise)[^'">|].*?)['"]?,?$/,
          // ava: what its assertion saw; the cause of another error is below
          /^ {6}'(?<message>(?!Error thrown in|Rejected promise)[A-Z].*?):?': /,

          /^#?\s+(?:at|location):? .*?(?<file>(?:(?<=file:\/\/)|(?<![\w./:-]))[\w./-]+\.\w+)(?: line |:)(?<line>\d+)/,
        ],
      },
    ],
  },
};

/** The messages of Perl's Test::More about a failed test on stderr, if `prove` hides the test points. */
export const perl: Tool = {
  name: "perl",
  notInstalled: [
    /Can't locate (?:Test\/(?:More|Simple|Deep|Exception|Fatal|Warn\w*|Pod\w*|Requires|Needs|Differences|Most)|Test2\/V0|Module\/Build|ExtUtils\/MakeMaker|Devel\/Cover)\.pm in @INC/,
  ],
  output: {
    markers: ["Failed test ", ".t line ", ".pm line ", ".pl line "],
    blocks: [
      {
        start: /^\s*#\s+Failed (?:\(TODO\) )?test (?:'(?<testId>.*?)'?|\(.*|at .*)$/,
        end: /^(?!\s*#)|^\s*#\s+(?:Failed test|Looks like)\b/,
        maxLines: 40,
        inside: [
          /^\s*#\s+(?:in|at) (?<file>\S+?) (?:at )?line (?<line>\d+)\.?$/,
          /^\s*#\s+(?<message>(?!at |in |')\S.*)$/,
        ],
      },
    ],
    lines: [
      /^(?<message>(?!#|\s).* at) (?<file>[^\s:]+\.(?:t|pm|pl)) line (?<line>\d+)[.,].*$/,
      /^(?<message>\S+\.t\s+\(Wstat: [1-9].*)$/,
    ],
  },
};

export const prove: Tool = {
  name: "prove",
  summaries: [{pattern: /^Files=\d+, Tests=(?<ran>\d+),/gm}],
};
