/** Node itself: an uncaught exception. */
import type {Tool} from "./tool.ts";

export const node: Tool = {
  name: "node",
  output: {
    markers: ["Node.js v", "node:internal", "throw er", "    at "],
    blocks: [
      {
        start: /^(?:file:\/\/)?(?<file>\/[^\s:]+\.(?:[cm]?[jt]sx?)):(?<line>\d+)$/,
        end: /^Node\.js v|^$(?=x)/,
        maxLines: 40,
        inside: [/^(?:Uncaught )?(?<message>(?:[A-Z]\w*)?(?:Error|Exception)\b.*)$/, /^ {2}code: '(?<code>\w+)'/],
      },
    ],
  },
};
