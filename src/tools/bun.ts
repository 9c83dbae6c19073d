/** Bun's test runner. */
import {TEST_SCRIPT} from "./file-kinds.ts";
import {FRAME} from "./javascript-frames.ts";
import {orNull} from "./junit-names.ts";
import {namedFiles} from "./narrow-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const bun: Tool = {
  name: "bun",
  output: {
    markers: ["bun test v"],
    blocks: [
      {
        start: /^(?:\w*[Ee]rror): (?<message>.*)$/,
        end: /^\(pass\)|^ *\d+ \| |^\S+:$/,
        maxLines: 40,
        inside: [
          /^\(fail\) (?<testId>.*?)(?: \[[\d.]+ms\])?$/,
          FRAME,
          /^\s+at .*\((?<file>[^\s:()]+):(?<line>\d+):(?<column>\d+)\)$/,
        ],
      },
    ],
  },
  summaries: [{pattern: /^ (?<list>\d+ (?:pass|fail|skip|todo))\s*$/gm}, {pattern: /^(?<zero>No tests found!)/gm}],
  summaryParts: {apart: 2},
  report: {
    commands: ["bun test"],
    request: {kind: "arguments", words: (file) => ["--reporter=junit", `--reporter-outfile=${file}`]},
    never: ["--reporter*", "--watch", "--hot"],
    unless: {files: /^bunfig\.toml$/, says: /reporter/},
    format: {
      identify: ({file, classname, name}) => ({
        file: orNull(file),
        name,
        title: [classname, name].filter(Boolean).join(" > "),
      }),
    },
  },
  narrowToFiles: {commands: ["bun test"], narrow: (given) => namedFiles(given, {after: "test", pattern: TEST_SCRIPT})},
};

export const bunCommand: ToolCommand = {
  programs: ["bun"],
  traits: ["may test browsers"],
  kinds: {test: ["bun test"]},
  reads: {family: "node", commands: ["bun test"]},
  testCount: {commands: ["bun test"], unless: /^--reporter/},
};
