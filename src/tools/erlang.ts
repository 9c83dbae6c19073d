/** Erlang: rebar3, and its test frameworks EUnit and Common Test. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

const PLACE = /\(.*?(?<file>[\w/.-]+\.[eh]rl), line (?<line>\d+)\)/;

export const eunit: Tool = {
  name: "eunit",
  output: {
    markers: ["*failed*", "*skipped*"],
    blocks: [
      {
        start: /^\s*(?<testId>\S.*?)\s*\.\.\.\s*(?:\[[\d.]+ s\] ?)?\*failed\*$/,
        end: /^\s*\S.*\.\.\.\s*(?:\[[\d.]+ s\] ?)?(?:ok|\*\w+\*)$|^={20,}$|^\s*\[done in /,
        maxLines: 60,
        inside: [/^\s*\*\*(?<message>\w+:.*)$/, PLACE],
      },
    ],
  },
};

export const commonTest: Tool = {
  name: "common test",
  output: {
    markers: ["_SUITE"],
    blocks: [
      {
        start: /^%%% (?<testId>\w+_SUITE ==> \S.*): FAILED$/,
        end: /^%%% .*: (?:OK|FAILED|SKIPPED)|^===> |^$/,
        maxLines: 40,
        inside: [/^ +line: (?<line>\d+)$/, /^(?:%%% .* ==> )?\s*(?<message>[^%\s].*)$/],
      },
    ],
  },
};

/** A program that ends with an uncaught exception. */
export const erlang: Tool = {
  name: "erlang",
  output: {
    markers: ["** exception ", "init terminating in do_boot", "{'EXIT',"],
    lines: [/^(?<message>\*\* exception (?:exit|error|throw): .*)$/],
  },
};

export const rebar3Command: ToolCommand = {
  kinds: {
    typecheck: ["rebar3 dialyzer", "rebar3 eqwalizer"],
    lint: ["rebar3 xref", "rebar3 fmt", "rebar3 lint", "rebar3 hank"],
    test: ["rebar3 ct", "rebar3 eunit", "rebar3 proper"],
    build: ["rebar3 compile"],
  },
  compiles: {family: "beam", commands: /^rebar3( |$)/},
  readOnly: [{commands: ["rebar3 fmt"], with: / (-c|--check)( |$)/}],
  unsafe: [
    {match: "rebar3 hex", kind: "release"},
    {match: "rebar3 shell", kind: "server"},
    {match: "rebar3 get-deps|upgrade|unlock", kind: "download"},
    {match: "rebar3 fmt !-c !--check", add: ["--check"]},
  ],
};
