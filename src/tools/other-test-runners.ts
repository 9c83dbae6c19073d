/** Less common test runners: those of behave, Lua, Meson and sbt, and hand-written ones. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const busted: Tool = {
  name: "busted",
  output: {
    markers: [" successes / ", " success / "],
    blocks: [
      {
        start: /^(?:Failure|Error)(?: (?:→|->)|:) (?<file>\S+\.(?:lua|moon)) @ (?<line>\d+)$/,
        end: /^(?:Failure|Error|Pending)(?: (?:→|->)|:) |^\d+ success/,
        maxLines: 40,
        inside: [/^(?<testId>(?!\S+\.(?:lua|moon):\d)[^\s:].*)$/, /^(?:\S+\.(?:lua|moon):\d+: )(?<message>\S.*)$/],
      },
    ],
  },
  summaries: [{pattern: /^(?<list>\d+ success(?:es)? \/ \d+ failures? \/ \d+ errors? \/ \d+ pending)/gm}],
};

export const cucumber: Tool = {
  name: "cucumber",
  summaries: [{pattern: /^(?<zero>(?:No|0) scenarios)$/gm}, {pattern: /^\d+ scenarios? \((?<list>[^\n)]*)\)/gm}],
};

export const ginkgo: Tool = {
  name: "ginkgo",
  summaries: [{pattern: /-- (?<list>\d+ Passed \| \d+ Failed \| \d+ Pending \| \d+ Skipped)/gm}],
};

export const behave: Tool = {
  name: "behave",
  output: {
    markers: ["Assertion Failed: ", "ASSERT FAILED: ", "Failing scenarios:", "Errored scenarios:"],
    listsFailures: true,
    blocks: [
      {
        start: /^\s*Scenario(?: Outline)?: (?<testId>\S.*?)\s+# (?<file>\S+\.feature):(?<line>\d+)$/,
        end: /^$|^\s*(?:Scenario(?: Outline)?|Feature): /,
        blankUntil: /^\s+\w.*# |^\s+(?:Assertion Failed|ASSERT FAILED|Traceback)/,
        maxLines: 80,
        // A step without a definition has no place; the steps after a failed one have none either.
        inside: [
          /^\s+(?:Assertion Failed|ASSERT FAILED): (?<message>.*)$/,

          /^\s+(?<message>\S.*?)\s+# None$/,
        ],
        needsMessage: true,
      },
    ],
    lines: [
      /^\s*(?:Assertion Failed|ASSERT FAILED): (?<message>.*)$/,
      /^ {2}(?<file>\S+\.feature):(?<line>\d+) +(?<message>\S.*)$/,
    ],
  },
  summaries: [{pattern: /^(?<list>\d+ scenarios? passed, \d+ failed, \d+ skipped)/gm}],
};

export const meson: Tool = {
  name: "meson",
  output: {
    markers: ["Summary of Failures:", "Full log written to "],
    blocks: [
      {
        start: /^ *\d+\/\d+ (?<testId>\S.*?) +(?:FAIL|ERROR|TIMEOUT) +[\d.]+s\b/,
        end: /^―+$|^ *\d+\/\d+ |^$/,
        maxLines: 100,
        inside: [/^(?<message>(?!―)\S.*)$/],
      },
    ],
  },
  summaries: [{pattern: /^(?<list>(?:Ok|Fail|Timeout|Skipped|Expected Fail): {2,}\d+)\s*$/gm}],
  summaryParts: {apart: 2},
};

export const ownRunner: Tool = {
  name: "own runner",
  summaries: [
    // The output of hand-written runners, whose exit code may be wrong.
    {pattern: /^(?:total )?tests? (?<list>(?:passed|failed|skipped)\s?[:=] *\d+)\s*$/gim},
    {pattern: /^(?<list>\d+ tests? (?:passed|failed|skipped))[.!]?\s*$/gim},
  ],
  summaryParts: {apart: 2},
};

export const sbt: Tool = {
  name: "sbt",
  summaries: [{pattern: /\b(?:Passed|Failed): Total (?<ran>\d+), (?<list>Failed \d+, Errors \d+)/gm}],
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
      {match: "flutter|dart pub !--dry-run !-n", kind: "download"},
    ],
  },
  {
    programs: ["sbt"],
    traits: ["commands as arguments"],
    kinds: {
      lint: [
        ...["scalafmtCheck", "scalafmtCheckAll", "scalafmtSbtCheck", "scalafix --check", "scalafixAll --check"],
        ...["headerCheck", "headerCheckAll", "scalastyle"],
      ].map((name) => `sbt ${name}`),
      test: ["sbt test", "sbt scripted"],
      build: ["sbt compile", "sbt doc"],
    },
    compiles: {family: "jvm", commands: ["sbt *"]},
    unsafe: [
      {match: "sbt publish|publishSigned|publishLocal", kind: "release"},
      {match: "sbt scalafmt|scalafmtAll", swap: {scalafmt: "scalafmtCheck", scalafmtAll: "scalafmtCheckAll"}},
    ],
  },
  {
    kinds: {test: ["lein test"], build: ["lein compile"]},
    compiles: {family: "jvm", commands: ["mill *", "lein *", "clojure *"]},
  },
  {
    kinds: {test: ["busted"]},
    config: {
      kind: "test",
      files: [".busted"],
      readers: ["busted"],
    },
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
    kinds: {test: ["ginkgo", "cucumber", "prove"]},
  },
];
