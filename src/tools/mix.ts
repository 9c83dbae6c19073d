/** Elixir's mix: ExUnit, the compiler, the formatter, and credo. */
import {namedFiles} from "./narrow-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

/**
 * Packages of Hex need these tools, which a set-up action has put into CI's home (erlef/setup-beam, `install-hex` and
 * `install-rebar`), and a new home lacks: elixir-plug/plug. The options are those of `mix help local.hex`.
 */
export const MIX_TOOLS = "mix local.hex --force --if-missing && mix local.rebar --force --if-missing && ";

export const mix: Tool = {
  name: "mix",
  output: {
    markers: ["mix.exs", "** (", " tests, ", " test, ", "└─ "],
    blocks: [
      {
        start: /^ {2}\d+\) (?<testId>(?:test|property|doctest) .*)$/,
        end: /^ {2}\d+\) |^Finished in|^\d+ tests?,/,
        maxLines: 80,
        inside: [
          /^ {5}(?<file>[^\s:]+\.exs?):(?<line>\d+)$/,
          /^ {5}(?<message>(?!code:|left:|right:|stacktrace:|arguments:|\S+\.exs?:\d+$)\S.*)$/,
        ],
      },
      {
        start: /^ *(?<severity>error|warning): (?<message>.*)$/,
        end: /^$|^ *(?:error|warning): /,
        maxLines: 20,
        inside: [/└─ (?<file>[^\s:]+\.exs?):(?<line>\d+)(?::(?<column>\d+))?/],
      },
    ],
    lines: [/^\*\* \((?<code>[\w.]+)\) (?:(?<file>[^\s:]+\.exs?):(?<line>\d+)(?::(?<column>\d+))?: )?(?<message>.*)$/],
  },
  summaries: [
    {
      pattern:
        /^(?:\d+ doctests?, )?(?:\d+ properties, |\d+ property, )?(?<ran>\d+) tests?, (?<list>\d+ failures?[^\n]*)/gm,
    },
    {pattern: /^(?<zero>There are no tests to run)/gm},
  ],
  narrowToFiles: {
    commands: ["mix test"],
    narrow: (given) => namedFiles(given, {after: "test", pattern: ["_test.exs"]}),
  },
  fixes: [{commands: ["mix format"], with: ["--check-formatted"], fix: "format", files: [".ex", ".exs"]}],
  earlyStop: {isCompiler: true},
};

export const mixCommand: ToolCommand = {
  programs: ["mix"],
  kinds: {
    typecheck: ["mix dialyzer"],
    lint: ["mix format", "mix credo"],
    test: [
      "mix test",
      "mix coveralls",
      "mix coveralls.html",
      "mix coveralls.json",
      "mix coveralls.lcov",
      "mix coveralls.xml",
    ],
    build: ["mix compile"],
  },
  reads: {family: "elixir", commands: ["mix test"]},
  compiles: {family: "beam", commands: ["mix *"]},
  readOnly: [{commands: ["mix format"], with: ["--check-formatted"]}],
  unsafe: [
    {match: "mix test.watch", kind: "watch"},
    {match: "mix hex.publish", kind: "release"},
    {match: "mix phx.server", kind: "server"},
    {match: "mix deps.get|deps.update|local.hex|local.rebar|archive.install", kind: "download"},
    {match: "mix format !--check-formatted", add: ["--check-formatted"]},
  ],
};
