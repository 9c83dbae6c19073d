/** Less common test runners, and PHP's own. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const karma: Tool = {
  name: "karma",
  summaries: [{pattern: /: Executed (?<executed>\d+) of \d+ ?(?:\((?<failed>\d+) FAILED\))?/gm, isRunningTotal: true}],
};

export const sbt: Tool = {
  name: "sbt",
  summaries: [{pattern: /\b(?:Passed|Failed): Total (?<ran>\d+), (?<list>Failed \d+, Errors \d+)/gm}],
};

export const dart: Tool = {
  name: "dart",
  summaries: [
    {
      pattern:
        /^(?:\d\d:\d\d )\+(?<passed>\d+)(?: ~(?<skipped>\d+))?(?: -(?<failed>\d+))?: (?:All tests passed!|Some tests failed\.|[^\n]*)$/gm,
      isRunningTotal: true,
    },
    {pattern: /^(?<zero>No tests ran)\.?$/gm},
  ],
  fixes: [{commands: ["dart format"], with: ["--set-exit-if-changed"], fix: "format", files: [".dart"]}],
};

export const busted: Tool = {
  name: "busted",
  summaries: [{pattern: /^(?<list>\d+ success(?:es)? \/ \d+ failures? \/ \d+ errors? \/ \d+ pending)/gm}],
};

export const meson: Tool = {
  name: "meson",
  summaries: [
    {pattern: /^(?<list>(?:Ok|Fail|Timeout|Skipped|Expected Fail): {2,}\d+)\s*$/gm},
    {pattern: /^(?<zero>No tests defined)\.$/gm},
  ],
  summaryParts: {apart: 2},
};

export const ginkgo: Tool = {
  name: "ginkgo",
  summaries: [{pattern: /-- (?<list>\d+ Passed \| \d+ Failed \| \d+ Pending \| \d+ Skipped)/gm}],
};

export const lein: Tool = {
  name: "lein",
  summaries: [{pattern: /^Ran (?<ran>\d+) tests containing \d+ assertions\.\s+(?<list>\d+ failures, \d+ errors)/gm}],
};

export const uvu: Tool = {
  name: "uvu",
  // Its total contains no skipped tests, and it prints no number of failed ones.
  summaries: [
    {
      pattern:
        /^ {2}Passed: {4}(?<passed>\d+)$|^ {2}Skipped: {3}(?<skipped>\d+)$|^\s+(?<word>FAIL) {2}(?:\S.* {2})?".*"$/gm,
    },
  ],
};

export const cucumber: Tool = {
  name: "cucumber",
  summaries: [{pattern: /^(?<zero>(?:No|0) scenarios)$/gm}],
};

/** The output of hand-written runners, whose exit code may be wrong. */
export const ownRunner: Tool = {
  name: "own runner",
  summaries: [
    {pattern: /^(?:total )?tests? (?<list>(?:passed|failed|skipped)\s?[:=] *\d+)\s*$/gim},
    {pattern: /^(?<list>\d+ tests? (?:passed|failed|skipped))[.!]?\s*$/gim},
  ],
  summaryParts: {apart: 2},
};

/** The tests of PHP itself and of its extensions: the difference comes before the name. */
export const phpt: Tool = {
  name: "phpt",
  output: {
    markers: [".phpt]"],
    blocks: [
      {
        start: /^={4,}DIFF={4,}$/,
        end: /^={4,}DIFF={4,}$|^(?:TEST \d|PASS |SKIP |TIME END|=====+$)/,
        unless: [/^XFAIL /],
        maxLines: 100,
        inside: [/^FAIL (?<testId>.*) \[(?<file>\S+\.phpt)\]\s*$/, /^\d+\+ (?<message>.*)$/],
      },
    ],
  },
};

export const otherTestRunnerCommands: readonly ToolCommand[] = [
  {
    kinds: {test: ["jasmine"]},
    reads: {family: "node", commands: ["jasmine"]},
  },
  {
    programs: ["ava"],
    traits: ["node package", "never a script", "may test browsers", "-w watches", "-u updates"],
    kinds: {test: ["ava"]},
    reads: {family: "node", commands: ["ava"]},
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
      {match: "flutter run", kind: "server"},
      {match: "flutter|dart pub !--dry-run !-n", kind: "download"},
    ],
  },
  {
    programs: ["sbt"],
    traits: ["commands as arguments"],
    kinds: {
      lint: ["sbt scalafmtCheck", "sbt scalafmtCheckAll", "sbt scalafmtSbtCheck", "sbt scalafixAll --check"],
      test: ["sbt test"],
      build: ["sbt compile"],
    },
    compiles: {family: "jvm", commands: ["sbt *"]},
    unsafe: [{match: "sbt publish|publishSigned|publishLocal", kind: "release"}],
  },
  {
    kinds: {test: ["lein test"], build: ["lein compile"]},
    compiles: {family: "jvm", commands: ["mill *", "lein *", "clojure *"]},
  },
  {
    kinds: {test: ["busted"]},
  },
  {
    kinds: {test: ["meson test"], build: ["meson"]},
    compiles: {family: "native", commands: ["meson *"]},
    buildFiles: ["meson.build", "meson_options.txt"],
  },
  {
    programs: ["behave"],
    traits: ["python package"],
  },
  {
    kinds: {
      typecheck: ["rebar3 dialyzer"],
      lint: ["rebar3 xref", "rebar3 fmt"],
      test: ["rebar3 ct", "rebar3 eunit"],
      build: ["rebar3 compile"],
    },
    compiles: {family: "beam", commands: ["rebar3 *"]},
    unsafe: [{match: "rebar3 fmt !-c !--check", add: ["--check"]}],
  },
];
