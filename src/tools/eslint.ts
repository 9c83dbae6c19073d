/** eslint and the linters that use its formats: stylish, compact, unix. */
import {posix} from "node:path";
import {ESLINT_WRITES, LINTED_SCRIPT, SCRIPT} from "./file-kinds.ts";
import {fitting, splitAt} from "./narrow-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const HEADER = /^(?<file>(?:[A-Za-z]:)?[^\s:]+\.\w{1,10}|\/[^:]+)$/;
/** Options of ESLint that take the next word, written without `=`. */
const VALUED = /^--(?:ext|max-warnings|config|format|cache-location|cache-strategy|ignore-pattern|rule|parser|plugin)$/;

export const eslint: Tool = {
  name: "eslint",
  output: {
    warningsPass: true,
    markers: [
      "  error  ",
      "  warning  ",
      "  error ",
      "  warning ",
      " Error - ",
      " Warning - ",
      "[Error/",
      "[Warning/",
      "✖ ",
    ],
    lines: [
      {
        patterns: [
          HEADER,
          /^ {1,4}(?<line>\d+):(?<column>\d+)(?:-\d+:\d+)? +(?<severity>error|warning|info) +(?<message>\S.*?)(?: {2,}(?<code>[@\w/:-]+))?$/,
        ],
        isList: true,
      },
      /^(?<file>[^\s:][^:]*): line (?<line>\d+), col (?<column>\d+), (?<severity>Error|Warning) - (?<message>.*?)(?: \((?<code>[@\w/-]+)\))?$/,
      /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+): (?<message>.*) \[(?<severity>Error|Warning)\/(?<code>[@\w/-]+)\]$/,
    ],
  },
  narrowToFiles: {
    command: /^eslint$/,
    narrow: ({words, files}) => {
      const [call, rest] = splitAt(words, "eslint");
      const options = rest.filter((word) => word.startsWith("-"));
      const places = rest.filter((word) => !word.startsWith("-"));
      const isPlain = options.every((word) => /^--[\w-]+(=\S+)?$/.test(word) && !VALUED.test(word));
      const isInPlace = (file: string) => places.some((place) => !/^\.\.(?:\/|$)/.test(posix.relative(place, file)));
      const scripts = fitting(files.filter(isInPlace), SCRIPT);
      if (scripts === null || !isPlain || places.some((place) => /[*?{['"]/.test(place))) return null;
      return [...call, ...options, "--no-error-on-unmatched-pattern", ...scripts].join(" ");
    },
  },
  fixes: [{check: /(?<tool>eslint)(?!.* --fix)(?: |$)/, fix: "--fix", files: LINTED_SCRIPT}],
};

export const eslintCommand: ToolCommand = {
  programs: ["eslint"],
  traits: ["node package", "never a script", "needs only PATH"],
  kinds: {lint: ["eslint"]},
  lintedFiles: LINTED_SCRIPT,
  readOnly: [{commands: ["eslint"], without: ESLINT_WRITES}],
  buildFiles: [".eslintrc*", "eslint.config.*", ".eslintignore"],
  config: {
    kind: "lint",
    files: /^(eslint\.config\.[cm]?[jt]s|\.eslintrc(\.(c?js|json|ya?ml))?)$/,
    readers: ["eslint", "xo", "standard", "next lint", "ng lint"],
    declared: {in: "package.json", packages: ["eslint"]},
  },
};
