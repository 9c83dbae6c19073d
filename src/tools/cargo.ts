/** cargo: `cargo test`, and cargo's own errors. */
import type {Tool} from "./tool.ts";

export const cargoTest: Tool = {
  name: "cargo test",
  output: {
    markers: ["panicked at ", "test result: "],
    blocks: [
      {
        start: /^---- (?<testId>\S.*) stdout ----$/,
        end: /^---- \S.* stdout ----$|^failures:$|^test result: /,
        maxLines: 80,
        inside: [
          /^thread '.*' (?:\(\d+\) )?panicked at (?<file>[^\s:']+):(?<line>\d+):(?<column>\d+):$/,
          /^thread '.*' (?:\(\d+\) )?panicked at '(?<message>.*)', (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)$/,
          /^(?<message>(?!thread|note:|stack backtrace)\S.*)$/,
        ],
      },
      {
        start:
          /^ *thread '(?<testId>.*)' (?:\(\d+\) )?panicked at (?:'(?<message>.*)', )?(?<file>[^\s:']+):(?<line>\d+):(?<column>\d+):?$/,
        end: /^ *(?:note: |stack backtrace|$)/,
        maxLines: 20,
        inside: [/^ *(?<message>\S.*)$/],
      },
    ],
  },
};

export const cargo: Tool = {
  name: "cargo",
  output: {
    markers: ["error: ", "error["],
    lines: [/^error(?:\[\w+\])?: (?<message>(?:failed to|no matching package|package).*)$/],
  },
};
