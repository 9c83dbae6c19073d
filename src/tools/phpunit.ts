/** PHPUnit. */
import {identifyInClass} from "./junit-names.ts";
import {byName, escaped} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const phpunit: Tool = {
  name: "phpunit",
  output: {
    markers: ["PHPUnit ", "FAILURES!", "ERRORS!", "There was 1 ", "There were "],
    blocks: [
      {
        start: /^\d+\) (?<testId>[\w\\]+::\w+.*)$/,
        end: /^\d+\) |^--$|^(?:FAILURES|ERRORS)!|^Tests: |^There (?:was|were) /,
        maxLines: 120,
        inside: [
          /^(?<file>(?!.*\/vendor\/)(?:[A-Za-z]:)?[^\s:]+\.(?:php|phpt)):(?<line>\d+)$/,
          /^(?<message>[A-Z].*)$/,
        ],
      },
      {
        // Its other format, `--testdox`.
        start: /^ [✘☢∅] (?<testId>\S.*)$/,
        end: /^ [✘✔☢∅↩⚠] |^\S/,
        maxLines: 80,
        inside: [
          /^ {3}[│├┴] (?<file>(?!.*\/vendor\/)(?:[A-Za-z]:)?[^\s:]+\.(?:php|phpt)):(?<line>\d+)$/,
          /^ {3}[│├┴] (?<message>[A-Z].*)$/,
        ],
        needsMessage: true,
      },
    ],
  },
  summaries: [
    {pattern: /^OK \((?<ran>\d+) tests?, \d+ assertions?\)/gm},
    {pattern: /^Tests: (?<ran>\d+), Assertions: \d+(?<list>[^\n]*)\.\s*$/gm},
    {pattern: /^(?<zero>No tests executed!)/gm},
  ],
  failedTests: {
    marker: /^(?:FAILURES|ERRORS)!$/,
    from: /^There (?:was|were) \d+ (?:failure|error)s?:$/,
    tests: [/^\d+\) (?<name>[\w\\]+::\w+)(?: with data set .*)?$/],
    allRan: /\(100%\)$/,
  },
  rerun: {
    calls: /^phpunit$|^php \S*phpunit$/,
    narrow: (tests) =>
      byName(tests, (names) => ["--filter", `/^(?:${names.map(escaped).join("|")})(?: with data set .*)?$/`]),
    never: ["--filter"],
  },
  report: {
    commands: ["phpunit"],
    request: {kind: "arguments", words: (file) => ["--log-junit", file]},
    never: ["--log-junit", "--no-logging", "--list-*", "--migrate-*", "--check-version", "--version", "--help"],
    unless: {files: /^phpunit(?:\.dist)?\.xml(?:\.dist)?$/, says: /junit/i},
    format: {identify: (test) => identifyInClass(test, "::"), nonFailingTypes: /Risky|Warning/},
  },
};

const PHPUNIT_FILES = ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"];

export const phpunitCommand: ToolCommand = {
  programs: ["phpunit"],
  traits: ["may test browsers"],
  kinds: {test: ["phpunit"]},
  reads: {family: "php", commands: ["phpunit"]},
  namesProjects: {family: "php", files: PHPUNIT_FILES},
  bail: {commands: ["phpunit", "pest"], files: PHPUNIT_FILES, says: /\bstopOn\w+="true"/},
  buildFiles: ["phpunit.xml*"],
};
