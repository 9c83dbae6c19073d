/** mocha: numbered failures at the end. */
import {FRAME, MESSAGE} from "./javascript-frames.ts";
import {anyOf, byName, escaped} from "./rerun-words.ts";
import type {Tool, ToolFiles} from "./tool.ts";

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
  summaries: [{pattern: /^ {2,}(?<list>\d+ (?:passing|failing|pending))\b(?: \(\d[^\n]*\))?\s*$/gm}],
  summaryParts: {apart: 2},
  failedTests: {
    marker: /^ {2}\d+ failing$/,
    from: /^ {2}\d+ failing$/,
    tests: [/^ {2}\d+\) (?<name>\S.*)$/],
    longTitles: true,
    // The tests behind a hook that failed were not run.
    cutShort: /"(?:before|after) (?:each|all)" hook/,
  },
  rerun: {
    calls: /^mocha$/,
    narrow: (tests) => byName(tests, (names) => ["--grep", anyOf(names.map(escaped))]),
    never: /^(?:-g|--grep|-f|--fgrep|-i|--invert)/,
  },
  earlyStop: {command: /^mocha$/, option: /^-b$/},
};

export const mochaFiles: ToolFiles = {
  kind: "test",
  files: /^\.mocharc\..+$/,
  programs: ["mocha"],
  declared: {in: "package.json", packages: ["mocha"]},
};
