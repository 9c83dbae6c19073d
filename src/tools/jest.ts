/** jest: one block per failed test, under a line that names the file. */

import {plainPath} from "../git/paths.ts";
import {configFiles, SCRIPT} from "./file-kinds.ts";
import {FRAME} from "./javascript-frames.ts";
import {fittingFiles, isOption, splitAt} from "./narrow-words.ts";
import {byTitle, escaped} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

/** A few tests never reach the coverage threshold of the whole suite. */
const JEST_UNCOVERED = "--coverage=false";

export const jest: Tool = {
  name: "jest",
  output: {
    markers: ["  ● ", "Test Suites: "],
    blocks: [
      {
        start: /^ {2}● (?<testId>(?!Console$)\S.*)$/,
        end: /^ {2}● |^Test Suites: |^(?:PASS|FAIL) | ^ PASS |^Snapshot Summary|^-{5,}\|/,
        maxLines: 250,
        detail: /^ {4,}(?:(?:Expected|Received)\b|[-+] )/,
        inside: [/^ {4,}(?<message>[A-Za-z][^|]*\S.*)$/, FRAME],
      },
    ],
  },
  summaries: [
    {pattern: /^Tests: {2,}(?<list>\d[^\n]* total)\s*$/gm},
    {pattern: /^(?<zero>No tests found, exiting with code)/gm},
  ],
  failedTests: {
    marker: /^Test Suites: /,
    above: /^FAIL (?:.* )?(?<file>\S+\.\w+)(?: \([\d.]+ m?s\))?$/,
    tests: [/^ {2}● (?<name>(?!Console$)\S.*)$/],
    wholeFile: /^Test suite failed to run$/,
    cutShort: /^Test Suites: .*\d of \d+ total/,
  },
  rerun: {
    calls: /^jest$|^react-scripts test$/,
    narrow: (tests) =>
      byTitle(tests, {separator: "›", uncovered: JEST_UNCOVERED, pathOf: (file) => escaped(plainPath(file))}),
    endsEarly: {end: ["--bail=1"]},
    never: ["-t*", "--testNamePattern", "--runTestsByPath", "--findRelatedTests"],
  },
  report: {
    commands: ["jest", "react-scripts test"],
    request: {kind: "arguments", words: (file) => ["--json", `--outputFile=${file}`]},
    never: ["--json", "--outputFile", "--listTests", "--showConfig", "--watch*"],
    unless: {files: /^(?:jest\.config\.\w+|package\.json)$/, says: /outputFile/},
    format: "jestJson",
  },
  narrowToFiles: {
    commands: ["jest"],
    narrow: ({words, files}) => {
      const [call, options] = splitAt(words, "jest");
      const scripts = fittingFiles(files, SCRIPT);
      if (scripts === null || !options.every(isOption)) return null;
      return [...call, ...options, "--passWithNoTests", JEST_UNCOVERED, "--findRelatedTests", ...scripts].join(" ");
    },
  },
};

const CONFIG_FILES = configFiles("jest.config");

export const jestCommand: ToolCommand = {
  programs: ["jest"],
  traits: ["node package", "may test browsers", "-u updates"],
  kinds: {test: ["jest"]},
  reads: {family: "node", commands: ["jest"]},
  testCount: {
    commands: ["jest"],
    unless: /^--(?:reporters?|config|json|outputFile)\b|^-c\b/,
    settings: {files: [...CONFIG_FILES, "package.json"], says: /reporters?\b|"jest-silent/},
  },
  bail: {
    commands: ["jest"],
    files: CONFIG_FILES,
    says: /\bbail\b(?!["']?\s*[:=]\s*(?:false|0))/,
    key: ["jest", "bail"],
  },
  buildFiles: ["jest.config.*"],
};

export const reactScriptsCommand: ToolCommand = {
  programs: ["react-scripts"],
  traits: ["may test browsers"],
  kinds: {test: ["react-scripts test"]},
  starts: {"react-scripts test": ["jest"]},
};
