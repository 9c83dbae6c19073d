/** make and ninja. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const make: Tool = {
  name: "make",
  output: {
    markers: ["***", "ninja: ", "FAILED: "],
    lines: [
      /^g?make(?:\[\d+\])?: \*\*\* (?:\[(?:(?<file>[^\s:\]]+):(?<line>\d+): )?.*\] (?<message>Error \d+.*)|(?<message2>.*))$/,
      /^FAILED: (?<message>\S.*)$/,
    ],
  },
  summaries: [
    // If a folder `test` exists and the target `test` is not phony, make considers it up to date and runs nothing.
    // Counts only if it is the whole output.
    {
      pattern:
        /^(?:(?:> [^\n]*|g?make(?:\[\d+\])?: (?:Entering|Leaving)[^\n]*|[ \t]*)\n)*g?make(?:\[\d+\])?: (?<zero>['`][^\n]+' is up to date|Nothing to be done for ['`][^\n]+')\.\n*$/g,
    },
  ],
};

export const makeCommand: ToolCommand = {
  compiles: {family: "native", commands: ["make *"]},
};
