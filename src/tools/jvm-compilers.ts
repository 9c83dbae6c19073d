/** scalac and javac, alone or through a build tool, and exceptions of the JVM. */

import {JAVA_FRAME} from "./java-frames.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";

export const scalac: Tool = {
  name: "scalac",
  output: {
    warningsPass: true,
    markers: ["[error] ", "[warn] ", ".scala:"],
    lines: [
      /^\[(?<severity>error|warn)\] (?:-- .*: )?(?<file>[^\s:]+):(?<line>\d+)(?::(?<column>\d+))?:? (?<message>.*)$/,
      /^\[(?<severity>error|warn)\] (?<file>[^\s:]+\.scala): (?<message>.*)$/,
    ],
  },
  earlyStop: {isCompiler: true},
};

export const javac: Tool = {
  name: "javac",
  output: {
    warningsPass: true,
    markers: [".java:"],
    lines: [lineFormat("%f<java>:%l: %t<error|warning>: %m")],
  },
  earlyStop: {isCompiler: true},
};

export const java: Tool = {
  name: "java",
  output: {
    markers: ["\tat ", "Exception in thread"],
    blocks: [
      {
        start:
          /^(?:Exception in thread "[^"]*" |Caused by: )?(?<message>(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Error|Exception|Failure)\b.*)$/,
        end: /^(?!\s+at |\s+\.\.\. \d|Caused by|\s*Suppressed|$|\s)/,
        maxLines: 80,
        inside: [JAVA_FRAME],
      },
    ],
  },
};
