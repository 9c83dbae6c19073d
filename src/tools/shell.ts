/** The shell: a program or a file is missing. */
import type {Tool} from "./tool.ts";

export const shell: Tool = {
  name: "shell",
  output: {
    markers: ["not found", "No such file or directory", "ermission denied", "unbound variable", "syntax error"],
    lines: [
      /^(?<file>[\w./-]+): (?:line )?(?<line>\d+): (?<message>\S.*(?:not found|No such file or directory|Permission denied|unbound variable|syntax error.*))$/,
    ],
  },
};
