/** Node's own test runner, as TAP and as its `spec` reporter prints. */
import {MESSAGE} from "./javascript-frames.ts";
import type {Tool} from "./tool.ts";

export const nodeTest: Tool = {
  name: "node:test",
  output: {
    markers: ["failureType:", "✖ "],
    blocks: [
      {
        start: /^\s*not ok \d+ - (?<testId>.*)$/,
        unless: [/^\s*type: 'suite'$/, /^\s*failureType: 'subtestsFailed'$/],
        end: /^\s*\.\.\.$|^\s*(?:not )?ok \d/,
        maxLines: 80,
        inside: [
          /^\s*error: ['"](?<message>.*)['"]$/,
          /^ {4,}(?<message>(?!TestContext|Test\.|code:|name:|stack:)[A-Z].*)$/,
          /^\s+(?!.*node:)(?:\S.* )?\(?(?:file:\/\/)?(?<file>\/[^\s:()']+):(?<line>\d+):(?<column>\d+)\)?$/,
        ],
      },
      {
        start: /^test at (?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)$/,
        end: /^test at /,
        maxLines: 60,
        inside: [/^✖ (?<testId>.*?)(?: \(\d[\d.]*ms\))?$/, MESSAGE],
      },
    ],
  },
};
