/** svelte-check, for people and for machines. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const svelteCheck: Tool = {
  name: "svelte-check",
  output: {
    markers: ["svelte-check"],
    lines: [
      {
        patterns: [lineFormat("%f:%l:%c"), lineFormat("%t<Error|Warn|Hint>: %m")],
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
