/** svelte-check, for people and for machines. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const svelteCheck: Tool = {
  name: "svelte-check",
  output: {
    markers: ["svelte-check"],
    lines: [
      {
        patterns: [
          /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+)$/,
          /^(?<severity>Error|Warn|Hint): (?<message>.*)$/,
        ],
        isList: true,
      },
    ],
  },
};

export const svelteCheckCommand: ToolCommand = {
  programs: ["svelte-check"],
  traits: ["node package", "never a script"],
  kinds: {typecheck: ["svelte-check"]},
  reads: {family: "node", commands: ["svelte-check"]},
  readOnly: [{commands: ["svelte-check"], without: ["--fix*", "--watch*"]}],
};
