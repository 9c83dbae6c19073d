/** cmake. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const cmake: Tool = {
  name: "cmake",
  output: {
    markers: ["CMake "],
    blocks: [
      {
        start: /^CMake (?<severity>Error|Warning)(?: \(dev\))?(?: at (?<file>[^\s:]+):(?<line>\d+))?.*:$/,
        end: /^-- |^CMake |^\S/,
        maxLines: 40,
        inside: [/^ {2}(?<message>\S.*)$/],
      },
    ],
  },
  earlyStop: {isCompiler: true},
};

export const cmakeCommand: ToolCommand = {
  needsConfigured: /^cmake --build /,
  kinds: {build: ["cmake", "ninja"]},
  programs: ["cmake"],
  traits: ["subcommands"],
  prepares: /^cmake (?!.*(--build|--workflow|--install|-P|-E)\b)/,
  compiles: {family: "native", commands: ["cmake *", "ninja *", "./configure *"]},
};
