/** Test runners of JavaScript: one block per failed test, its message, and the first place outside of libraries. */
import {form, sequence, type ToolRules} from "./rules.ts";

const MESSAGE = /^\s*(?:Uncaught )?(?<message>(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: .*)$/;
/** A stack frame in the project: not of Node itself and not of an installed package. */
const FRAME =
  /^\s*(?:at |❯ |› )(?!.*(?:node_modules|node:))(?:.* )?\(?(?:file:\/\/)?(?<file>(?:[A-Za-z]:)?[^\s:()]+\.\w{1,5}):(?<line>\d+):(?<column>\d+)\)?$/;

export const javascriptTests: readonly ToolRules[] = [
  {
    tool: "vitest",
    signs: ["Test Files ", " FAIL "],
    blocks: [
      {
        start: /^ ?FAIL +(?:\|[^|]+\| )?(?<testId>\S+ (?:>|\[) .*)$/,
        end: /^⎯|^ ?FAIL |^ *Test Files /,
        maxLines: 120,
        inside: [/^(?<message>(?:\w*(?:Error|Exception)|Snapshot|Caused by)\b.*)$/, FRAME],
      },
      {
        start: /^⎯+ (?:Unhandled|Uncaught) (?<testId>\w+) ⎯+$/,
        end: /^⎯/,
        maxLines: 60,
        inside: [/^(?<message>(?:\w*(?:Error|Exception)|Snapshot|Caused by)\b.*)$/, FRAME],
      },
    ],
  },
  {
    tool: "jest",
    signs: ["  ● ", "Test Suites: "],
    blocks: [
      {
        start: /^ {2}● (?<testId>(?!Console$)\S.*)$/,
        end: /^ {2}● |^Test Suites: |^(?:PASS|FAIL) | ^ PASS |^Snapshot Summary/,
        maxLines: 150,
        inside: [/^ {4,}(?<message>[A-Za-z][^|]*\S.*)$/, FRAME],
      },
    ],
  },
  {
    tool: "playwright",
    signs: ["[chromium]", "[firefox]", "[webkit]", " › "],
    blocks: [
      {
        start: /^ {2}\d+\) (?:\[\w[\w ]*\] › )?(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) › (?<testId>.*?)(?: ─+)?$/,
        end: /^ {2}\d+\) (?:\[|\S+:\d+:\d+ ›)|^ {2}\d+ (?:failed|passed|flaky)/,
        maxLines: 80,
        inside: [/^ {4}(?<message>(?:\w*Error|Test timeout)\b.*)$/],
      },
    ],
  },
  {
    tool: "mocha",
    signs: [" failing", " passing"],
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
  {
    tool: "node:test",
    signs: ["failureType:", "✖ "],
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
  {
    tool: "ava",
    signs: ["✘ [fail]", "tests failed", "test failed"],
    lines: [
      sequence([/^ {2}(?<message>[^\s✔✘].*)$/, /^$/, /^ {2}(?<file>\S+\.[cm]?[jt]sx?):(?<line>\d+)$/]),
      form(/^ {2}✘ .*(?<message>(?:uncaught exception|unhandled rejection|No tests found).*)$/),
    ],
  },
  {
    tool: "bun",
    signs: ["bun test v"],
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
  {
    tool: "deno",
    signs: ["running 1 test from", " tests from "],
    blocks: [
      {
        needsMessage: true,
        start: /^(?<testId>\S.*) => (?<file>[^\s:]+):(?:\d+):(?:\d+)$/,
        end: /^\S.* => |^ ?FAILURES|^(?:ok|FAILED) \|/,
        maxLines: 60,
        inside: [
          /^error: (?:Uncaught )?(?<message>.*)$/,
          /^\s+at (?:.* )?\(?file:\/\/\/[^\s:()]+:(?<line>\d+):(?<column>\d+)\)?$/,
        ],
      },
    ],
  },
];
