/** Test runners of which only the summary is known. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const jasmine: Tool = {
  name: "jasmine",
  summaries: [{pattern: /^(?<list>\d+ specs?, \d+ failures?(?:, \d+ pending)?)/gm}],
};

export const karma: Tool = {
  name: "karma",
  summaries: [{pattern: /: Executed (?<executed>\d+) of \d+ ?(?:\((?<failed>\d+) FAILED\))?/gm, isRunningTotal: true}],
};

export const dart: Tool = {
  name: "dart",
  summaries: [
    {
      pattern:
        /^(?:\d\d:\d\d )\+(?<passed>\d+)(?: ~(?<skipped>\d+))?(?: -(?<failed>\d+))?: (?:All tests passed!|Some tests failed\.|[^\n]*)$/gm,
      isRunningTotal: true,
    },
  ],
  fixes: [{check: /(?<tool>dart) format\b.* --set-exit-if-changed\b/, fix: "format", files: /\.dart$/}],
};

export const cucumber: Tool = {
  name: "cucumber",
  summaries: [{pattern: /^(?<zero>(?:No|0) scenarios)$/gm}, {pattern: /^\d+ scenarios? \((?<list>[^\n)]*)\)/gm}],
};

export const catch2: Tool = {
  name: "catch2",
  summaries: [{pattern: /^(?<zero>No tests ran)\.?$/gm}],
};

export const scalatest: Tool = {
  name: "scalatest",
  summaries: [{pattern: /\bTests: (?<list>succeeded \d+, failed \d+, canceled \d+, ignored \d+)/gm}],
};

export const sbt: Tool = {
  name: "sbt",
  summaries: [
    {pattern: /\b(?:Passed|Failed): Total (?<ran>\d+), (?<list>Failed \d+, Errors \d+)/gm, unless: ["scalatest"]},
  ],
};

export const lein: Tool = {
  name: "lein",
  summaries: [
    {
      pattern: /^Ran (?<ran>\d+) tests containing \d+ assertions\.\s+(?<list>\d+ failures, \d+ errors)/gm,
      secondLine: ["0 failures, 0"],
    },
  ],
};

export const busted: Tool = {
  name: "busted",
  summaries: [{pattern: /^(?<list>\d+ success(?:es)? \/ \d+ failures? \/ \d+ errors? \/ \d+ pending)/gm}],
};

export const prove: Tool = {
  name: "prove",
  summaries: [{pattern: /^Files=\d+, Tests=(?<ran>\d+),/gm}],
};

export const ginkgo: Tool = {
  name: "ginkgo",
  summaries: [{pattern: /-- (?<list>\d+ Passed \| \d+ Failed \| \d+ Pending \| \d+ Skipped)/gm}],
};

export const robot: Tool = {
  name: "robot",
  summaries: [{pattern: /^\d+ tests?, (?<list>\d+ passed, \d+ failed(?:, \d+ skipped)?)/gm, isRunningTotal: true}],
};

export const behave: Tool = {
  name: "behave",
  summaries: [{pattern: /^(?<list>\d+ scenarios? passed, \d+ failed, \d+ skipped)/gm}],
};

export const meson: Tool = {
  name: "meson",
  summaries: [{pattern: /^(?<list>(?:Ok|Fail|Timeout|Skipped|Expected Fail): {2,}\d+)\s*$/gm}],
  summaryParts: {apart: 2},
};

export const ownRunner: Tool = {
  name: "own runner",
  summaries: [
    // What people write in a runner of their own, whose exit code need not say anything.
    {pattern: /^(?:total )?tests? (?<list>(?:passed|failed|skipped) ?[:=] *\d+)\s*$/gim},
    {pattern: /^(?<list>\d+ tests? (?:passed|failed|skipped))[.!]?\s*$/gim},
  ],
  summaryParts: {apart: 2},
};

export const otherTestRunnerCommands: readonly ToolCommand[] = [
  {
    kinds: {test: ["jasmine"]},
    reads: {family: "node", commands: ["jasmine"]},
  },
  {
    unsafe: [{match: "karma", kind: "browser"}],
  },
  {
    kinds: {
      typecheck: ["dart analyze", "flutter analyze"],
      lint: ["dart format"],
      test: ["dart test", "flutter test"],
    },
    reads: {family: "dart", commands: ["dart test", "flutter test"]},
    unsafe: [
      {match: "dart format !--set-exit-if-changed", add: ["--output=none", "--set-exit-if-changed"]},
      {match: "dart fix"},
      {match: "flutter run|drive|install|attach", kind: "server"},
      {match: "flutter|dart pub", kind: "download"},
    ],
  },
  {
    kinds: {test: ["sbt test"], build: ["sbt compile"]},
    compiles: {family: "jvm", commands: /^sbt( |$)/},
    unsafe: [
      {match: "sbt publish|publishSigned|publishLocal", kind: "release"},
      {match: "sbt scalafmt|scalafmtAll", swap: {scalafmt: "scalafmtCheck", scalafmtAll: "scalafmtCheckAll"}},
    ],
  },
  {
    kinds: {test: ["lein test"], build: ["lein compile"]},
    compiles: {family: "jvm", commands: /^(mill|lein|clojure)( |$)/},
  },
  {
    kinds: {test: ["busted"]},
    config: {
      kind: "test",
      files: /^\.busted$/,
      readers: ["busted"],
    },
  },
  {
    kinds: {test: ["meson test"], build: ["meson"]},
    compiles: {family: "native", commands: /^meson( |$)/},
    buildFiles: ["meson.build", "meson_options.txt"],
  },
  {
    programs: ["behave"],
    traits: ["python package"],
  },
  {
    kinds: {test: ["ginkgo", "cucumber", "prove"]},
  },
];
