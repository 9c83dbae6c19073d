/** Python itself: an uncaught exception, and an interpreter that the makers of environments do not find. */
import type {Tool} from "./tool.ts";

export const python: Tool = {
  name: "python",
  // As tox 4 (also with tox-uv), nox 2026.10, hatch 1.18 and uv 0.13 print it (pallets/itsdangerous, `tox run -e py3.13`).
  notInstalled: [
    /could not find python interpreter (?:matching any of the specs|with spec\(s\):) (?<missing>[\w.-]+)/,
    /^nox > Session \S+ (?:failed|skipped): Python interpreter (?<missing>\S+) not found/,
    /^Environment `[^`]+` is incompatible: cannot locate Python: (?<missing>\S+)/,
    /^error: No interpreter found for Python (?<missing>\S+) in /,
  ],
  output: {
    markers: ["Traceback (most recent call last):", "SyntaxError:"],
    blocks: [
      {
        start: /^\s*Traceback \(most recent call last\):$/,
        end: /^(?!\s|Traceback|During|The above|$|[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b)/,
        maxLines: 120,
        inside: [
          /^ *File "(?<file>[^"]+)", line (?<line>\d+)/,
          /^ *(?<message>[\w.]*(?:Error|Exception|Exit|Interrupt)\b.*)$/,
        ],
      },
    ],
  },
};
