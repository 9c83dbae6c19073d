/** Erlang: rebar3. */
import type {ToolCommand} from "./tool-command.ts";

export const rebar3Command: ToolCommand = {
  kinds: {
    typecheck: ["rebar3 dialyzer", "rebar3 eqwalizer"],
    lint: ["rebar3 xref", "rebar3 fmt", "rebar3 lint", "rebar3 hank"],
    test: ["rebar3 ct", "rebar3 eunit", "rebar3 proper"],
    build: ["rebar3 compile"],
  },
  compiles: {family: "beam", commands: ["rebar3 *"]},
  readOnly: [{commands: ["rebar3 fmt"], with: ["-c", "--check"]}],
  unsafe: [
    {match: "rebar3 hex", kind: "release"},
    {match: "rebar3 shell", kind: "server"},
    {match: "rebar3 get-deps|upgrade|unlock", kind: "download"},
    {match: "rebar3 fmt !-c !--check", add: ["--check"]},
  ],
};
