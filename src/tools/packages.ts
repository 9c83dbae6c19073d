/** Package managers and interpreters that stop before any check has run. */
import {form, type ToolRules} from "./rules.ts";

export const packages: readonly ToolRules[] = [
  {
    tool: "npm",
    signs: ["npm ERR!", "npm error"],
    lines: [
      form(/^npm (?:ERR!|error) code (?<message>E\w+)$/),
      form(
        /^npm (?:ERR!|error) (?<message>(?:Missing script|Could not resolve|Invalid|Missing:|404|network|Unsupported|`npm ci`|notarget|peer dep).*)$/,
      ),
    ],
  },
  {tool: "pnpm", signs: ["ERR_PNPM"], lines: [form(/^ ?(?:ERR_PNPM_|\[)?(?<code>ERR_PNPM_\w+)\]? +(?<message>.*)$/)]},
  {
    tool: "yarn",
    signs: ["YN0", "error "],
    lines: [
      form(
        /^➤ (?<code>YN(?!0000)\d{4}): (?:│ )?(?<message>.*(?:rror|annot|ould not|forbidden|issing|isn't|failed).*)$/,
      ),
      form(
        /^error (?<message>(?:An unexpected|Couldn't|Command "|Your lockfile|Failed|package |Found incompatible).*)$/,
      ),
    ],
  },
  {
    tool: "pip",
    signs: ["ERROR: "],
    lines: [
      form(
        /^ERROR: (?<message>(?:Could not|No matching|Cannot|Failed|Ignored|Package|Invalid|Exception|ResolutionImpossible|Hash|Directory).*)$/,
      ),
    ],
  },
  {
    tool: "uv",
    signs: ["× No solution found", "× Failed to "],
    blocks: [
      {
        start: /^ {2}× (?<message>(?:No solution found|Failed to) .*)$/,
        end: /^\S|^$/,
        maxLines: 40,
        inside: [],
      },
    ],
  },
  {
    tool: "composer",
    signs: ["Your requirements could not be resolved", "Your lock file does not contain"],
    blocks: [
      {
        start: /^ {2}Problem \d+$/,
        end: /^$|^ {2}Problem \d+$|^\S/,
        maxLines: 40,
        inside: [/^ {4}- (?<message>\S.*)$/],
      },
    ],
    lines: [form(/^(?<message>Your (?:requirements could not be resolved|lock file does not contain).*)$/)],
  },
  {
    tool: "node",
    signs: ["Node.js v", "node:internal", "throw er", "    at "],
    blocks: [
      {
        start: /^(?:file:\/\/)?(?<file>\/[^\s:]+\.(?:[cm]?[jt]sx?)):(?<line>\d+)$/,
        end: /^Node\.js v|^$(?=x)/,
        maxLines: 40,
        inside: [/^(?:Uncaught )?(?<message>(?:[A-Z]\w*)?(?:Error|Exception)\b.*)$/, /^ {2}code: '(?<code>\w+)'/],
      },
    ],
  },
  {
    tool: "shell",
    signs: ["not found", "No such file or directory", "ermission denied", "unbound variable", "syntax error"],
    lines: [
      form(
        /^(?<file>[\w./-]+): (?:line )?(?<line>\d+): (?<message>\S.*(?:not found|No such file or directory|Permission denied|unbound variable|syntax error.*))$/,
      ),
      form(
        /^(?:\/\S+\/)?(?:sh|bash|zsh|dash|env): (?:\d+: )?(?<message>\S.*(?:not found|No such file or directory|Permission denied))$/,
      ),
    ],
  },
];
