/** ava: the message and the place of a failed test on lines that follow each other. */

import {configFiles} from "./file-kinds.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const ava: Tool = {
  name: "ava",
  output: {
    markers: ["✘ [fail]", "tests failed", "test failed"],
    lines: [
      {patterns: [/^ {2}(?<message>[^\s✓✔✘].*)$/, /^$/, /^ {2}(?<file>\S+\.[cm]?[jt]sx?):(?<line>\d+)$/]},
      /^ {2}✘ .*(?<message>(?:uncaught exception|unhandled rejection|No tests found).*)$/,
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
  traits: ["node package", "never a script", "needs only PATH", "may test browsers", "-w watches", "-u updates"],
  kinds: {test: ["ava"]},
  reads: {family: "node", commands: ["ava"]},
  bail: {
    commands: /^ava$/,
    files: configFiles("ava.config"),
    says: /\bfailFast\b/,
    key: ["ava", "failFast"],
  },
};

export const avaIntegrity: ToolIntegrity = {
  parts: {
    configStem: /ava/,
    packageKey: /ava/,
    lineFiles: /ava\.config\.\w+/,
    testSettings: /ava[^/]*\.[cm]?[jt]s(?:on)?/,
    pluginFiles: /ava\.config\.[cm]?[jt]s/,
    ownNames: /ava/,
    otherPackages: /ava/,
    letterSelects: /ava/,
  },
};
