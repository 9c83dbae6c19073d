/** tsc and the checkers that print like it, with and without `--pretty`, and svelte-check. */
import {form, headed, type ToolRules} from "./rules.ts";

export const typescript: readonly ToolRules[] = [
  {
    tool: "tsc",
    signs: [" TS"],
    lines: [
      form(
        /^(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): (?<severity>error|warning|info) (?<code>TS\d+): (?<message>.*)$/,
      ),
      form(
        /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|info) (?<code>TS\d+): (?<message>.*)$/,
      ),
      form(/^(?<severity>error) (?<code>TS\d+): (?<message>.*)$/),
    ],
  },
  {
    tool: "svelte-check",
    signs: ["svelte-check"],
    lines: [
      headed([/^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+)$/, /^(?<severity>Error|Warn|Hint): (?<message>.*)$/]),
      form(/^\d+ (?<severity>ERROR|WARNING) "(?<file>[^"]+)" (?<line>\d+):(?<column>\d+) "(?<message>.*)"$/),
    ],
  },
];
