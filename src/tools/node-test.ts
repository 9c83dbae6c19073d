/** Node's own test runner: TAP, and the output of its `spec` reporter. */
import {TEST_SCRIPT} from "./file-kinds.ts";
import {MESSAGE} from "./javascript-frames.ts";
import {fittingFiles} from "./narrow-words.ts";
import {nodeTestWords} from "./node-test-reporter.ts";
import {byFile} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

const NODE_FLAGS =
  /^--(?:experimental-(?!loader)[\w-]+|no-[\w-]+|enable-[\w-]+|trace-[\w-]+|test-(?:only|force-exit))$/;

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
          /^\s+(?!.*node:)(?:\S.* )?\(?(?:file:\/\/)?(?<file>[^\s:()']+\.\w{1,5}):(?<line>\d+):(?<column>\d+)\)?$/,
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
  summaries: [{pattern: /^(?:# |ℹ )(?<list>(?:pass|fail|skipped|cancelled|todo) \d+)\s*$/gm}],
  summaryParts: {apart: 2},
  failedTests: {
    marker: /^(?:# |ℹ )fail [1-9]/,
    from: /^(?:TAP version \d+|✖ failing tests:)$/,
    above: /^test at (?<file>.+):\d+:\d+$/,
    tests: [/^✖ (?<name>(?!failing tests:$).*?)(?: \([\d.]+ms\))?$/, /^\s*not ok \d+ - (?<name>.*)$/],
    place: /^\s+location: '(?:file:\/\/)?(?<file>.+):\d+:\d+'$/,
    passedOn: /^\s+failureType: 'subtestsFailed'$/,
    isCounted: true,
  },
  rerun: {
    // Selects by file: a name proves nothing, because newer versions count a file without a matching name as a passed
    // test.
    calls:
      /^(?:node|tsx)(?: (?:-r|-C|--(?:import|require|(?:experimental-)?loader|conditions|test-reporter(?:-destination)?)) \S+| --?[\w-]+(?:=\S+)?)* --test$/,
    narrow: byFile,
    selects: {flags: NODE_FLAGS},
    never: ["--test-shard"],
    standsAlone: true,
  },
  report: {
    commands: ["node --test"],
    request: {kind: "environment", variable: "NODE_OPTIONS", words: nodeTestWords},
    // A file may set NODE_OPTIONS or reporters. A loader is also loaded for the reporter, and may print something.
    never: [
      "--test-reporter*",
      "--watch*",
      "--env-file*",
      "--loader",
      "--experimental-loader",
      "--experimental-config-file",
      "--experimental-default-config-file",
    ],
    format: "nodeTestEvents",
  },
  coverage: {
    commands: ["node --test"],
    at: "start",
    // A loader such as tsx moves lines. With one reporter alone, nothing would be printed.
    words: (file) => [
      ...["--enable-source-maps", "--experimental-test-coverage"],
      ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
      ...["--test-reporter=lcov", `--test-reporter-destination=${file}`],
    ],
    never: ["--test-reporter*", "--watch*", "--experimental-test-coverage", "--test-coverage-*"],
    format: "lcov",
  },
  narrowToFiles: {
    commands: ["node --test"],
    narrow: ({words, files}) => {
      const tests = fittingFiles(files, TEST_SCRIPT);
      const flagIndex = words.indexOf("--test");
      if (tests === null || words.slice(flagIndex + 1).some((word) => word.startsWith("-"))) return null;
      return [...words.slice(0, flagIndex + 1), ...tests].join(" ");
    },
  },
};

export const nodeTestCommand: ToolCommand = {
  programs: ["node"],
  traits: ["may test browsers"],
  kinds: {test: ["node --test"]},
  reads: {family: "node", commands: ["node --test"]},
  testCount: {commands: ["node --test"], unless: /^--test-reporter/},
};
