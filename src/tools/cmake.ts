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

/** A call that only prepares later calls, and one that works only in a folder which an earlier call has configured. */
export const CONFIGURES = /^cmake (?!.*(--build|--workflow|--install|-P|-E)\b)/;
export const BUILDS_CONFIGURED = ["cmake --build *"];

export const cmakeCommand: ToolCommand = {
  kinds: {build: ["cmake", "ninja"]},
  programs: ["cmake"],
  traits: ["subcommands"],
  compiles: {family: "native", commands: ["cmake *", "ninja *", "./configure *"]},
};
