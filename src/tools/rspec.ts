/** RSpec. */
import {lineFormat} from "./line-format.ts";
import {namedFiles} from "./narrow-words.ts";
import {byPlace} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

const RSPEC_FLAGS = /^(?:-[cbw]|--(?:(?:no-|force-)?colou?r|backtrace|warnings|profile))$/;

export const rspec: Tool = {
  name: "rspec",
  notInstalled: [/cannot load such file -- (?:(?:rspec|bundler)\b\S*|rake|simplecov|test\/unit)(?: \(|$)/],
  output: {
    listsFailures: true,
    markers: [" examples, ", " example, "],
    blocks: [
      {
        start: /^ {2}\d+\) (?<testId>\S.*)$/,
        end: /^ {2}\d+\) |^(?:Finished in|Failed examples:|Top \d|\d+ examples?)/,
        maxLines: 80,
        inside: [
          /^ {5}(?:Failure\/Error: )?(?<message>(?:expected|undefined|uninitialized|wrong number|[A-Z]\w*(?:::\w+)*Error)\b.*)$/,
          /^ {7}(?<message>(?!#)\S.*)$/,
          /^ {5}# (?:\.\/)?(?<file>(?!\/)[^\s:]+\.rb):(?<line>\d+):in /,
        ],
      },
    ],
    lines: [lineFormat("rspec %F:%l # %m")],
  },
  summaries: [{pattern: /^(?<ran>\d+) examples?, (?<list>\d+ failures?[^\n]*)/gm}],
  failedTests: {
    marker: /^\d+ examples?, /,
    from: /^Failed examples:$/,
    tests: [/^rspec (?<file>\S+?)(?<name>:\d+|\[[\d:]+\]) # .*$/],
    cutShort: /errors? occurred outside of examples/,
  },
  rerun: {
    calls: /^rspec$/,
    narrow: (tests) => byPlace(tests, ""),
    selects: {flags: RSPEC_FLAGS},
  },
  report: {
    commands: ["rspec"],
    request: {kind: "arguments", words: (file) => ["--format", "progress", "--format", "json", "--out", file]},
    never: ["-f*", "-o*", "--format", "--out", "--dry-run", "--bisect", "--init", "--options"],
    // A format on the command line replaces all formats in these files.
    unless: {files: /^\.rspec(?:-local)?$/, says: /(?:^|\s)-(?:f|-format|-out|o)/},
    format: "rspecJson",
  },
  narrowToFiles: {commands: ["rspec"], narrow: (given) => namedFiles(given, {after: "rspec", pattern: ["_spec.rb"]})},
};

export const rspecCommand: ToolCommand = {
  programs: ["rspec"],
  traits: ["may test browsers"],
  kinds: {test: ["rspec"]},
  reads: {family: "ruby", commands: ["rspec"]},
  namesProjects: {family: "ruby", files: [".rspec"]},
  bail: {commands: ["rspec"], files: [".rspec"], says: /--fail-fast/},
  buildFiles: [".rspec"],
};
