/** rustc and clippy through cargo: errors and warnings with the place on the next line. */
import type {Tool} from "./tool.ts";

export const rustc: Tool = {
  name: "rustc",
  output: {
    warningsPass: true,
    markers: [" --> ", "-->"],
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
};
