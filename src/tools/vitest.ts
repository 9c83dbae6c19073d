/** vitest: one block per failed test. */

import {configFiles, SCRIPT} from "./file-kinds.ts";
import {FRAME} from "./javascript-frames.ts";
import {orNull} from "./junit-names.ts";
import {isOptionIn, nameSet, namesIn} from "./names.ts";
import {fittingFiles, isOption, splitAt} from "./narrow-words.ts";
import {byTitle} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

/** A few tests never reach the coverage threshold of the whole suite. */
const VITEST_UNCOVERED = "--coverage.enabled=false";

const NEVER_ASKED = namesIn(
  "--reporter* --outputFile* --output-file* --mergeReports --merge-reports --config --root -c -r",
  "bench list init watch dev",
);

export const vitest: Tool = {
  name: "vitest",
  output: {
    markers: ["Test Files ", " FAIL "],
    blocks: [
      {
        start: /^ ?FAIL +(?:\|[^|]+\| )?(?<testId>\S+ (?:>|\[) .*)$/,
        end: /^⎯|^ ?FAIL |^ *Test Files /,
        maxLines: 120,
        inside: [/^(?<message>(?:\w*(?:Error|Exception)|Snapshot|Caused by)\b.*)$/, FRAME],
      },
    ],
  },
  summaries: [
    {pattern: /^ {2,}Tests {2}(?:(?<list>\d[^\n]*) \(\d+\)|(?<zero>no tests))\s*$/gm},
    {pattern: /^(?<zero>No test files found)/gm},
  ],
  failedTests: {
    marker: /^ *Test Files {2}/,
    tests: [/^ ?FAIL +(?:\|[^|]+\| )?(?<file>\S+)(?: > (?<name>.*)| \[ .* \])$/],
    cutShort: /^⎯+ (?:Unhandled|Uncaught) |^ *Errors {2}\d/,
  },
  rerun: {
    calls: /^vitest(?: run)?$/,
    narrow: (tests) => byTitle(tests, {separator: ">", uncovered: VITEST_UNCOVERED, pathOf: (file) => file}),
    endsEarly: {end: ["--bail=1"]},
    never: ["-t*", "--testNamePattern", "related"],
  },
  report: {
    commands: ["vitest"],
    request: {
      kind: "arguments",
      words: (file) => ["--reporter=default", "--reporter=junit", `--outputFile.junit=${file}`],
    },
    never: NEVER_ASKED,
    besideFile(words) {
      const isToFile = words.some((word) => /^--outputFile(?:\.\w+)?=/.test(word));
      const others = words.filter((word) => !/^--(?:reporter=(?:json|junit)$|outputFile(?:\.\w+)?=)/.test(word));
      if (!isToFile || others.some((word) => isOptionIn(NEVER_ASKED, word))) return null;
      return {commands: ["vitest"], request: {kind: "arguments", words: () => ["--reporter=default"]}, format: null};
    },
    unless: {files: /^vi(?:test|te)\.(?:config|workspace)\.\w+$/, says: /reporters?\b|outputFile/},
    format: {
      identify: ({classname, name}) => ({file: orNull(classname), name: name === classname ? null : name, title: name}),
    },
  },
  leaveOut: {
    ...{commands: ["vitest"], option: "--exclude"},
    never: [...NEVER_ASKED, ...namesIn("--shard --dir --project --coverage*")],
  },
  coverage: {
    commands: ["vitest"],
    words: (file, paths) => [
      "--coverage.enabled=true",
      "--coverage.reporter=lcovonly",
      `--coverage.reportsDirectory=${file}`,
      ...paths.map((path) => `--coverage.include=${path}`),
      ...["lines", "functions", "branches", "statements"].map((of) => `--coverage.thresholds.${of}=0`),
    ],
    without: VITEST_UNCOVERED,
    never: NEVER_ASKED.filter((name) => !name.startsWith("--reporter")),
    format: "lcov",
  },
  narrowToFiles: {
    commands: ["vitest"],
    narrow: ({words, files}) => {
      const [call, rest] = splitAt(words, "vitest");
      const options = rest.filter((word, at) => !(at === 0 && word === "run") && word !== "--run");
      const scripts = fittingFiles(files, SCRIPT);
      if (scripts === null || !options.every(isOption)) return null;
      return [...call, "related", "--run", ...options, "--passWithNoTests", VITEST_UNCOVERED, ...scripts].join(" ");
    },
  },
};

const CONFIG_FILES = configFiles("vitest.config", "vite.config", "vitest.workspace");

/** It watches files unless a subcommand or an option ends it; `once` is the subcommand that replaces those that watch. */
export const WATCH_MODE = {
  once: "run",
  subcommands: ["dev", "watch"],
  ends: nameSet("run related list typecheck bench init --run --watch=false --no-watch --version --help"),
};

export const vitestCommand: ToolCommand = {
  programs: ["vitest"],
  traits: ["node package", "never a script", "may test browsers", "-u updates"],
  kinds: {test: ["vitest"]},
  reads: {family: "node", commands: ["vitest"]},
  unsafe: [
    {match: "vitest watch", kind: "watch"},
    {match: "vitest --browser|--browser.headless|--browser.enabled|--browser.name", kind: "browser"},
  ],
  testCount: {
    commands: ["vitest"],
    unless:
      /^--(?:reporter|outputFile|silent|config|root|typecheck|merge-?reports)\b|^-[cr]\b|^(?:bench|list|init|watch|dev)$/i,
    settings: {files: CONFIG_FILES, says: /reporters?\b|typecheck/},
  },
  bail: {commands: ["vitest"], files: CONFIG_FILES, says: /\bbail\b(?!["']?\s*[:=]\s*0)/},
  buildFiles: ["vitest.config.*"],
};
