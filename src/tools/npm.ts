/** npm. */
import type {Tool} from "./tool.ts";

export const npm: Tool = {
  name: "npm",
  output: {
    markers: ["npm ERR!", "npm error"],
    lines: [
      /^npm (?:ERR!|error) code (?<message>E\w+)$/,
      /^npm (?:ERR!|error) (?<message>(?:Missing script|Could not resolve|Invalid|Missing:|404|network|Unsupported|`npm ci`|notarget|peer dep).*)$/,
    ],
  },
};
