/** Deno: its test runner and its formatter. */
import {SCRIPT, TEST_SCRIPT} from "./file-kinds.ts";
import {orNull} from "./junit-names.ts";
import {namedFiles} from "./narrow-words.ts";
import {byFile} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

const DENO_FLAGS =
  /^(?:-[APq]|--(?:allow|deny|no|unstable)(?:-[\w-]+)?|--(?:parallel|trace-leaks|doc|quiet|cached-only|frozen))$/;

export const deno: Tool = {
  name: "deno",
  output: {
    markers: ["running 1 test from", " tests from "],
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
  summaries: [
    {pattern: /^(?:ok|FAILED) \| (?<list>\d+ passed[^\n]*failed[^\n(]*)/gm},
    {pattern: /^error: (?<zero>No test modules found)/gm},
  ],
  failedTests: {
    marker: /^FAILED \| \d+ passed/,
    from: /^ FAILURES ?$/,
    // The name of a step is printed after the name of its test.
    tests: [/^(?<name>\S.*?)(?: \.\.\. .+)? => (?<file>\S+?):\d+:\d+$/, /^(?<file>\S+) \(uncaught error\)$/],
    isCounted: true,
  },
  rerun: {
    // Selects by file, because its filter matches part of a name.
    calls: /^deno test$/,
    narrow: byFile,
    selects: {flags: DENO_FLAGS},
  },
  report: {
    commands: ["deno test *"],
    request: {kind: "arguments", words: (file) => [`--junit-path=${file}`]},
    never: ["--junit-path", "--no-run", "--watch*"],
    format: {
      identify: ({classname, name}) => ({file: orNull(classname), name, title: name}),
    },
  },
  narrowToFiles: {commands: ["deno test"], narrow: (given) => namedFiles(given, {after: "test", pattern: TEST_SCRIPT})},
  fixes: [{commands: ["deno fmt"], with: ["--check"], fix: "fmt", files: [...SCRIPT, ".json", ".jsonc", ".md"]}],
};

export const denoCommand: ToolCommand = {
  programs: ["deno"],
  traits: ["may test browsers", "rehearses releases"],
  kinds: {typecheck: ["deno check"], lint: ["deno lint", "deno fmt"], test: ["deno test"]},
  testCount: {commands: ["deno test *"], unless: /^--reporter/},
  unsafe: [
    {match: "deno fmt !--check", add: ["--check"]},
    {match: "deno serve|run --watch", kind: "server"},
  ],
};

export const denoIntegrity: ToolIntegrity = {
  suppressions: [{name: "eslint-disable", files: SCRIPT, pattern: /\bdeno-lint-ignore\b/}],
};
