/** Package managers that stop before any check has run. */
import type {Tool} from "./tool.ts";

export const yarn: Tool = {
  name: "yarn",
  output: {
    markers: ["YN0", "error "],
    lines: [
      /^➤ (?<code>YN(?!0000)\d{4}): (?:│ )?(?<message>.*(?:rror|annot|ould not|forbidden|issing|isn't|failed).*)$/,
    ],
  },
};

export const pip: Tool = {
  name: "pip",
  output: {
    markers: ["ERROR: "],
    lines: [
      /^ERROR: (?<message>(?:Could not|No matching|Cannot|Failed|Ignored|Package|Invalid|Exception|ResolutionImpossible|Hash|Directory).*)$/,
    ],
  },
};

export const uv: Tool = {
  name: "uv",
  output: {
    markers: ["× No solution found", "× Failed to "],
    blocks: [
      {
        start: /^ {2}× (?<message>(?:No solution found|Failed to) .*)$/,
        end: /^\S|^$/,
        maxLines: 40,
        inside: [],
      },
    ],
  },
};

export const composer: Tool = {
  name: "composer",
  output: {
    markers: ["Your requirements could not be resolved", "Your lock file does not contain"],
    blocks: [
      {
        start: /^ {2}Problem \d+$/,
        end: /^$|^ {2}Problem \d+$|^\S/,
        maxLines: 40,
        inside: [/^ {4}- (?<message>\S.*)$/],
      },
    ],
    lines: [/^(?<message>Your (?:requirements could not be resolved|lock file does not contain).*)$/],
  },
};
