/** mocha: numbered failures at the end. */

import {configFiles} from "./file-kinds.ts";
import {FRAME, MESSAGE} from "./javascript-frames.ts";
import {anyOf, byName, escaped, fullName} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

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
    // The tests after a failed hook did not run.
    cutShort: /"(?:before|after) (?:each|all)" hook/,
  },
  rerun: {
    calls: /^mocha$/,
    narrow: (tests) => byName(tests, (names) => ["--grep", anyOf(names.map(escaped))]),
    choose: (tests) => ({
      end: ["--grep", anyOf(tests.map((test) => escaped(fullName(test, " "))))],
    }),
    endsEarly: {end: ["--bail"]},
    never: ["-g*", "--grep", "-f*", "--fgrep", "-i*", "--invert"],
  },
  earlyStop: {commands: ["mocha"], letters: "b"},
};

export const mochaCommand: ToolCommand = {
  programs: ["mocha"],
  traits: ["node package", "never a script", "may test browsers", "-w watches"],
  kinds: {test: ["mocha"]},
  reads: {family: "node", commands: ["mocha"]},
  testCount: {
    commands: ["mocha"],
    unless: /^-R|^--(?:reporter|config|package)\b/,
    settings: {files: configFiles(".mocharc"), says: /reporter/},
  },
  bail: {
    commands: ["mocha"],
    files: configFiles(".mocharc"),
    says: /\bbail\b(?!["']?\s*[:=]\s*false)/,
    key: ["mocha", "bail"],
  },
  buildFiles: [".mocharc*"],
};
