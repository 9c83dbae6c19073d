/** rustfmt: the differences that `cargo fmt --check` shows. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const rustfmt: Tool = {
  name: "rustfmt",
  output: {
    markers: ["Diff in "],
    blocks: [
      {
        start: /^(?<message>Diff) in (?<file>\S.*?)(?: at line |:)(?<line>\d+):$/,
        end: /^Diff in /,
        maxLines: 40,
        inside: [],
      },
    ],
  },
};

export const rustfmtCommand: ToolCommand = {
  kinds: {lint: ["cargo fmt"]},
  reads: {family: "rust", commands: ["cargo fmt"]},
  readOnly: [{commands: ["cargo fmt"], with: ["--check"]}],
  unsafe: [
    {match: "cargo fmt !--check", add: ["--check"]},
    {match: "rustfmt !--check", add: ["--check"]},
  ],
  actions: {"actions-rust-lang/rustfmt": "cargo fmt --all -- --check"},
};

export const rustfmtIntegrity: ToolIntegrity = {
  suppressions: [{name: "#[allow]", files: [".rs"], pattern: /#\[\s*rustfmt::skip\b/}],
};
