/** RSpec. */
import type {Tool} from "./tool.ts";

export const rspec: Tool = {
  name: "rspec",
  output: {
    markers: [" examples, ", " example, "],
    blocks: [
      {
        start: /^ {2}\d+\) (?<testId>\S.*)$/,
        end: /^ {2}\d+\) |^(?:Finished in|Failed examples:|Top \d|\d+ examples?)/,
        maxLines: 80,
        inside: [
          /^ {5}(?:Failure\/Error: )?(?<message>(?:expected|undefined|uninitialized|wrong number|[A-Z]\w*(?:::\w+)*Error)\b.*)$/,
          /^ {7}(?<message>(?!#)\S.*)$/,
          /^ {5}# (?:\.\/)?(?<file>(?!\/)[^\s:]+\.rb):(?<line>\d+):in /,
        ],
      },
    ],
    lines: [/^rspec (?<file>[^\s:]+):(?<line>\d+) # (?<message>.*)$/],
  },
};
