/** Python's unittest. */
import type {Tool} from "./tool.ts";

export const unittest: Tool = {
  name: "unittest",
  output: {
    markers: ["Traceback (most recent call last):"],
    blocks: [
      {
        start: /^(?:ERROR|FAIL): (?<testId>\w.*)$/,
        end: /^={50,}$|^Ran \d+ tests? in/,
        maxLines: 120,
        inside: [
          /^ {2}File "(?<file>(?!<|.*\/(?:lib\/python|site-packages|unittest)\/)[^"]+)", line (?<line>\d+)/,
          /^(?<message>[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b.*)$/,
        ],
      },
    ],
  },
};
