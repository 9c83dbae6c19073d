/** mocha: numbered failures at the end. */
import {FRAME, MESSAGE} from "./javascript-frames.ts";
import type {Tool} from "./tool.ts";

export const mocha: Tool = {
  name: "mocha",
  output: {
    markers: [" failing", " passing"],
    blocks: [
      {
        needsMessage: true,
        start: /^ {2}\d+\) (?:(?<testId>\S.*):|(?<suite>\S.*))$/,
        end: /^ {2}\d+\) /,
        maxLines: 80,
        inside: [MESSAGE, FRAME, /^ {6}(?<message>[A-Z].*\S)$/, /^ {7,}(?<testId>\S.*):$/],
      },
    ],
  },
};
