/** Python itself: an uncaught exception. */
import type {Tool} from "./tool.ts";

export const python: Tool = {
  name: "python",
  output: {
    markers: ["Traceback (most recent call last):", "SyntaxError:"],
    blocks: [
      {
        start: /^\s*Traceback \(most recent call last\):$/,
        end: /^(?!\s|Traceback|During|The above|$|[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b)/,
        maxLines: 120,
        inside: [
          /^ *File "(?<file>[^"]+)", line (?<line>\d+)/,
          /^ *(?<message>[\w.]*(?:Error|Exception|Exit|Interrupt)\b.*)$/,
        ],
      },
    ],
  },
};
