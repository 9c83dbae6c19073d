/** ava: each failed test has its title, its place, and below them the reason. */

import {configFiles} from "./file-kinds.ts";
import {FRAME, MESSAGE} from "./javascript-frames.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

const TITLE = /^ {2}(?<testId>[^\s✓✔✘✖─›].*)$/;
/** An error that is no assertion. Version 3 shows its place, later versions its stack. */
const THROWN = /^ {2}(?:Error thrown in \w+|Rejected promise returned by \w+\. Reason):$/;

/** A line of each passed test, which the summary does not count if other tests have failed. */
export const AVA_PASSED = /^ {2}✔ \S/;

export const ava: Tool = {
  name: "ava",
  output: {
    markers: ["✘ [fail]", "tests failed", "test failed"],
    blocks: [
      {
        start: /^ {2}(?<file>\S+\.[cm]?[jt]sx?):(?<line>\d+)$/,
        title: TITLE,
        end: /^ {2}[›─]/,
        maxLines: 80,
        inside: [
          /^ {2}(?<message>(?!Error thrown in|Rejected promise)[^\s}─›].*?[^\s{:]):?$/,
          /^ {4}message: ['"`](?<message>.*)['"`],$/,
        ],
      },
      {
        start: THROWN,
        title: TITLE,
        end: /^ {2}(?![\w$]*(?:Error|Exception)\b)[^\s}]/,
        maxLines: 40,
        inside: [MESSAGE, /^ {4}message: ['"`](?<message>.*)['"`],$/, FRAME],
      },
    ],
  },
  summaries: [
    {
      pattern:
        /^ {2}(?<list>\d+ (?:tests?|known failures?|uncaught exceptions?|unhandled rejections?)(?: (?:passed|failed|skipped|todo))?)\s*$/gm,
    },
    {pattern: /^\s*✖?\s*(?<zero>Couldn.t find any files to test)/gm},
  ],
  summaryParts: {apart: 2},
};

export const avaCommand: ToolCommand = {
  programs: ["ava"],
  traits: ["node package", "never a script", "may test browsers", "-w watches", "-u updates"],
  kinds: {test: ["ava"]},
  reads: {family: "node", commands: ["ava"]},
  bail: {
    commands: ["ava"],
    files: configFiles("ava.config"),
    says: /\bfailFast\b/,
    key: ["ava", "failFast"],
  },
};
