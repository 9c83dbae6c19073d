/** cargo-nextest. */
import {orNull} from "./junit-names.ts";
import {namesIn} from "./names.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const nextest: Tool = {
  name: "nextest",
  summaries: [{pattern: /^\s*Summary \[[^\]]*\] +\d+(?:\/\d+)? tests? run: (?<list>[^\n]*)/gm}],
  // nexte.st/docs/features/retries
  retried: /^\s*Summary \[.*\([^)\n]*\b[1-9]\d* flaky\b.*$/m,
  failedTests: {
    marker: /^ +Summary \[/,
    from: /^ +Summary \[/,
    tests: [
      /^ +(?:TRY \d+ )?(?:FAIL|TMT|TIMEOUT|ABORT|SIG[A-Z]+) \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(?<file>\S+) (?<name>\S+)$/,
    ],
    cutShort: /^warning: \d+\/\d+ tests? w(?:as|ere) not run /,
  },
  rerun: {
    // Before the words that cargo passes on to the tests.
    calls: /^cargo(?: \+\S+)? nextest run$/,
    narrow: (tests) => {
      const words = tests.map(({file, name}) => [file ?? "", name ?? ""]);
      if (!words.flat().every((word) => /^[\w:./-]+$/.test(word))) return null;
      return {start: words.flatMap(([file, name]) => ["-E", `binary_id(=${file}) & test(=${name})`]), end: []};
    },
  },
  report: {
    commands: ["cargo nextest"],
    // Has a lower priority than the repository's own settings, so that their reports stay.
    request: {
      kind: "arguments",
      words: (_report, settings) => ["--tool-config-file", `assay:${settings}`],
      settings: (file) =>
        `[profile.default]\nfail-fast = false\n\n[profile.default.junit]\npath = ${JSON.stringify(file)}\n`,
    },
    never: namesIn(
      "--tool-config-file --message-format --no-run --help --version",
      "list archive show-config self debug bench help",
    ),
    format: {
      identify: ({classname, name}) => ({file: orNull(classname), name, title: `${classname} ${name}`.trim()}),
      // A thread's number differs in each run.
      noise: / \(\d+\)(?= panicked at )/g,
    },
  },
};

export const nextestCommand: ToolCommand = {
  kinds: {test: ["cargo nextest"]},
  starts: {"cargo nextest": ["cargo test"]},
  reads: {family: "rust", commands: ["cargo nextest"]},
};
