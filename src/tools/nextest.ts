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
