/** gcc and clang, the linker, sanitizers, and clang-format. */
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const gcc: Tool = {
  name: "gcc",
  output: {
    warningsPass: true,
    markers: [": error: ", ": warning: ", ": fatal error: "],
    lines: [lineFormat("%f:%l{:%c}: %t<fatal error|error|warning|note>: %m{ [%n<-W>]}")],
  },
  earlyStop: {isCompiler: true},
};

export const ld: Tool = {
  name: "ld",
  output: {
    markers: ["undefined reference", "Undefined symbols", "ld: ", "ld returned", "ld.lld"],
    lines: [
      /^(?:\S*\/)?(?:ld(?:\.(?:bfd|gold|lld|mold))?|collect2)(?:\.exe)?: (?:fatal )?(?:error: )?(?<message>(?!warning)(?!.*: in function ).*)$/,
      /^(?:.*: )?(?<file>[^\s:()]+\.(?:c|cc|cpp|cxx|h|hpp|m|f90|o)):(?:\((?<message2>\.[^)]*)\)|(?<line>\d+)): (?<message>undefined reference to .*)$/,
      /^(?:.*: )?(?<message>[Uu]ndefined (?:reference to|symbols? for) .*)$/,
    ],
  },
  earlyStop: {isCompiler: true},
};

export const sanitizer: Tool = {
  name: "sanitizer",
  output: {
    markers: ["Sanitizer", "runtime error: "],
    blocks: [
      {
        start: /^(?:[\s=]*)==\d+==ERROR: (?<message>\w+Sanitizer: .*)$/,
        end: /ABORTING$|^\s*Shadow bytes around|^=+$/,
        maxLines: 120,
        inside: [
          /^[\s=]*#\d+ 0x[0-9a-f]+ in (?!__|std::).* (?<file>(?!\.\.\/)(?!.*\/compiler-rt\/)\S+\.(?:c|cc|cpp|cxx|h|hpp|m|rs|go)):(?<line>\d+)/,
        ],
      },
    ],
    lines: [/^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): (?<message>runtime error: .*)$/],
  },
};

export const clangFormatCommand: ToolCommand = {
  kinds: {lint: ["clang-format", "clang-tidy", "cppcheck", "cpplint"]},
  unsafe: [{match: "clang-format -i", drop: ["-i"], add: ["--dry-run", "-Werror"]}],
};
