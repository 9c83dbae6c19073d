/** C and C++: gcc and clang, the linker, sanitizers, make, ninja, cmake, ctest, googletest. */
import {form, type ToolRules} from "./rules.ts";

export const native: readonly ToolRules[] = [
  {
    tool: "gcc",
    signs: [": error: ", ": warning: ", ": fatal error: "],
    lines: [
      form(
        /^(?<file>(?:[A-Za-z]:)?[^\s:][^:]*):(?<line>\d+)(?::(?<column>\d+))?: (?<severity>(?:fatal )?error|warning|note): (?<message>.*?)(?: \[(?<code>-W[\w=+-]+)\])?$/,
      ),
      form(/^(?:clang|cc1|cc1plus|gcc|g\+\+): (?:fatal )?error: (?<message>.*)$/),
    ],
  },
  {
    tool: "ld",
    signs: ["undefined reference", "Undefined symbols", "ld: ", "ld returned", "ld.lld"],
    lines: [
      form(
        /^(?:\S*\/)?(?:ld(?:\.\w+)?|collect2)(?:\.exe)?: (?:fatal )?(?:error: )?(?<message>(?!warning)(?!.*: in function ).*)$/,
      ),
      form(
        /^(?:.*: )?(?<file>[^\s:()]+\.(?:c|cc|cpp|cxx|h|hpp|m|f90|o)):(?:\((?<message2>\.[^)]*)\)|(?<line>\d+)): (?<message>undefined reference to .*)$/,
      ),
      form(/^(?:.*: )?(?<message>[Uu]ndefined (?:reference to|symbols? for) .*)$/),
    ],
  },
  {
    tool: "sanitizer",
    signs: ["Sanitizer", "runtime error: "],
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
    lines: [form(/^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): (?<message>runtime error: .*)$/)],
  },
  {
    tool: "cmake",
    signs: ["CMake "],
    blocks: [
      {
        start: /^CMake (?<severity>Error|Warning)(?: \(dev\))?(?: at (?<file>[^\s:]+):(?<line>\d+))?.*:$/,
        end: /^-- |^CMake |^\S/,
        maxLines: 40,
        inside: [/^ {2}(?<message>\S.*)$/],
      },
      {
        start: /^CMake Error: (?<message>.*)$/,
        end: /^./,
        maxLines: 2,
        inside: [],
      },
    ],
  },
  {
    tool: "make",
    signs: ["***", "ninja: ", "FAILED: "],
    lines: [
      form(
        /^g?make(?:\[\d+\])?: \*\*\* (?:\[(?:(?<file>[^\s:\]]+):(?<line>\d+): )?.*\] (?<message>Error \d+.*)|(?<message2>.*))$/,
      ),
      form(/^(?<file>[Mm]akefile\S*|\S+\.mk):(?<line>\d+): \*\*\* (?<message>.*)$/),
      form(/^(?<message>ninja: error: .*)$/),
      form(/^FAILED: (?<message>\S.*)$/),
    ],
  },
  {
    tool: "ctest",
    signs: ["% tests passed", "The following tests FAILED"],
    lines: [form(/^\s*\d+\/\d+ Test +#\d+: (?<message>.*\*\*\*(?:Failed|Exception|Timeout|Not Run).*)$/)],
  },
  {
    tool: "googletest",
    signs: ["[  FAILED  ]", ": Failure"],
    blocks: [
      {
        start: /^(?:\d+: )?(?<file>[^\s:][^:]*):(?<line>\d+): Failure$/,
        end: /^(?:\d+: )?\[ /,
        maxLines: 30,
        inside: [/^(?:\d+: )?(?<message>\S.*)$/],
      },
    ],
  },
];
