/** rustfmt: the differences that `cargo fmt --check` shows. */
import type {Tool} from "./tool.ts";

export const rustfmt: Tool = {
  name: "rustfmt",
  output: {
    markers: ["Diff in "],
    blocks: [
      {
        start: /^(?<message>Diff) in (?<file>\S.*?)(?: at line |:)(?<line>\d+):$/,
        end: /^Diff in /,
        maxLines: 40,
        inside: [],
      },
    ],
  },
};
