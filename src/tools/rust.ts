/** rustc through cargo: errors and warnings with the place on the next line, panicking tests, rustfmt's differences, nextest. */
import {form, type ToolRules} from "./rules.ts";

export const rust: readonly ToolRules[] = [
  {
    tool: "rustc",
    signs: [" --> ", "-->"],
    blocks: [
      {
        start:
          /^(?<severity>error|warning)(?:\[(?<code>E\d+)\])?: (?<message>(?!aborting due to|could not compile|test failed|\d+ warnings? emitted|.* generated \d+ warning).*)$/,
        end: /^(?:error|warning)(?:\[E\d+\])?: |^$|^\s*Compiling /,
        maxLines: 60,
        inside: [/^ *--> (?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+)$/, /clippy::(?<code>[\w-]+)/],
      },
    ],
  },
  {
    tool: "cargo test",
    signs: ["panicked at ", "test result: "],
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
  {
    tool: "rustfmt",
    signs: ["Diff in "],
    blocks: [
      {
        start: /^(?<message>Diff) in (?<file>\S.*?)(?: at line |:)(?<line>\d+):$/,
        end: /^Diff in /,
        maxLines: 40,
        inside: [],
      },
    ],
  },
  {
    tool: "cargo",
    signs: ["error: ", "error["],
    lines: [form(/^error(?:\[\w+\])?: (?<message>(?:failed to|no matching package|package).*)$/)],
  },
];
