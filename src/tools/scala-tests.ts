/** Test frameworks of Scala, which print through sbt and without it. */
import {JAVA_FRAME} from "./java-frames.ts";
import type {Tool} from "./tool.ts";

/** sbt puts its log level in front of each line. */
const PLACE = /^(?:\[\w+\] )?\s+(?<message>(?!at )\S.*) \((?<file>[\w$]+\.scala):(?<line>\d+)\)$/;
const MESSAGE = /^(?:\[\w+\] )?\s+(?<message>(?!at )\S.*)$/;

export const scalatest: Tool = {
  name: "scalatest",
  output: {
    markers: ["*** FAILED ***", "*** ABORTED ***"],
    blocks: [
      {
        start: /^(?:\[\w+\] )?\s*(?:- )?(?<testId>[^\s-].*?) \*\*\* (?:FAILED|ABORTED) \*\*\*(?: \(.*\))?$/,
        // Reasons are indented deeper than the name of the test.
        end: /^\[\w+\] (?! {2,}\S)|^(?!\[\w+\] | {2,}\S)|^(?:\[\w+\] )?\s*- /,
        maxLines: 60,
        inside: [PLACE, MESSAGE, JAVA_FRAME],
      },
    ],
  },
  summaries: [{pattern: /\bTests: (?<list>succeeded \d+, failed \d+, canceled \d+, ignored \d+)/gm}],
};

export const munit: Tool = {
  name: "munit",
  output: {
    markers: ["==> X "],
    blocks: [
      {
        start:
          /^(?:\[\w+\] )?==> X (?<testId>.*?) +[\d.]+s (?<message>[\w.$]+(?:: (?<file>\/?[^\s:]+):(?<line>\d+))?.*)$/,
        end: /^(?:\[\w+\] )?(?:==> |\s+[+-] |\s+at )|^\[\w+\] [A-Z]\w+:/,
        maxLines: 40,
        inside: [],
      },
    ],
  },
};

export const specs2: Tool = {
  name: "specs2",
  output: {
    markers: ["[error]   x ", "[error]   ! ", "[error]     x ", "[error]     ! "],
    blocks: [
      {
        start: /^\[error\] {2,}[x!] (?<testId>\S.*)$/,
        end: /^\[\w+\]\s+[x!+] |^\[info\]|^$/,
        maxLines: 30,
        inside: [/^\[error\]\s+(?<message>\S.*?) \((?<file>[\w$]+\.scala):(?<line>\d+)\)$/],
      },
    ],
  },
};

export const sbt: Tool = {
  name: "sbt",
  summaries: [
    {pattern: /\b(?:Passed|Failed): Total (?<ran>\d+), (?<list>Failed \d+, Errors \d+)/gm, unless: ["scalatest"]},
  ],
};
