/** npm. */
import {quoteWords} from "../shell/quote.ts";
import type {Tool} from "./tool.ts";

export const npm: Tool = {
  name: "npm",
  output: {
    markers: ["npm ERR!", "npm error"],
    lines: [
      /^npm (?:ERR!|error) code (?<message>E\w+)$/,
      // Not the empty lines of 404, and not its advice.
      /^npm (?:ERR!|error) (?<message>(?:Missing script|Could not resolve|Invalid|Missing:|404 +(?!Note that|tarball, folder)\S|network|Unsupported|`npm ci`|notarget|peer dep).*)$/,
    ],
  },
  narrowToPackages: {
    commands: ["script *"],
    manifest: "package.json",
    narrow: ({words, packages}) => {
      const workspacesIndex = words.findIndex((word) => word === "-ws" || word === "--workspaces");
      const isPlain = words.every(
        (word) => !word.startsWith("-") || ["-ws", "--workspaces", "--if-present", "-s", "--silent"].includes(word),
      );
      if (words[0] !== "npm" || workspacesIndex < 0 || !isPlain) return null;
      const workspaceOptions = packages.flatMap((folder) => ["-w", quoteWords(folder)]);
      return [
        ...words
          .filter((word) => word !== "--if-present")
          .flatMap((word, at) => (at === workspacesIndex ? workspaceOptions : [word])),
        "--if-present",
      ].join(" ");
    },
  },
};
