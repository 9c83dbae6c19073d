/** eslint and the linters that use its formats: stylish, compact, unix. */

import {posix} from "node:path";
import {ESLINT_WRITES, LINTED_SCRIPT, SCRIPT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import {nameSet} from "./names.ts";
import {fittingFiles, splitAt} from "./narrow-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const HEADER = /^(?<file>(?:[A-Za-z]:)?[^\s:]+\.\w{1,10}|\/[^:]+)$/;
/** Options of ESLint that take the next word, written without `=`. */
const VALUED = nameSet(
  "--ext --max-warnings --config --format --cache-location --cache-strategy --ignore-pattern --rule",
  "--parser --plugin",
);

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
      lineFormat("%f: line %l, col %c, %t<Error|Warning> - %m{ (%n)}"),
    ],
  },
  narrowToFiles: {
    commands: ["eslint"],
    narrow: ({words, files}) => {
      const [call, rest] = splitAt(words, "eslint");
      const options = rest.filter((word) => word.startsWith("-"));
      const places = rest.filter((word) => !word.startsWith("-"));
      const isPlain = options.every((word) => /^--[\w-]+(=\S+)?$/.test(word) && !VALUED.has(word));
      const isInPlace = (file: string) => places.some((place) => !/^\.\.(?:\/|$)/.test(posix.relative(place, file)));
      const scripts = fittingFiles(files.filter(isInPlace), SCRIPT);
      if (scripts === null || !isPlain || places.some((place) => /[*?{['"]/.test(place))) return null;
      return [...call, ...options, "--no-error-on-unmatched-pattern", ...scripts].join(" ");
    },
  },
  fixes: [{commands: ["eslint"], without: ["--fix*"], fix: "--fix", files: LINTED_SCRIPT}],
};

export const eslintCommand: ToolCommand = {
  programs: ["eslint"],
  traits: ["node package", "never a script"],
  kinds: {lint: ["eslint"]},
  lintedFiles: LINTED_SCRIPT,
  readOnly: [{commands: ["eslint"], without: ESLINT_WRITES}],
  buildFiles: [".eslintrc*", "eslint.config.*", ".eslintignore"],
};

export const eslintIntegrity: ToolIntegrity = {
  suppressions: [
    {
      name: "eslint-disable",
      files: SCRIPT,
      pattern: /\/\*\s*(?:eslint|oxlint)-disable(?!-)\b(?![\s\w@/,-]*--)(?:\s*\*\/|(?=\s))/,
      isWide: true,
    },
    {
      name: "eslint rule: off",
      files: SCRIPT,
      pattern: /\/\*\s*eslint\s+(?:[^*]*,\s*)?[\w@/-]+\s*:\s*\[?\s*["']?(?:off|0)\b/,
      isWide: true,
    },
    {name: "eslint-disable", files: SCRIPT, pattern: /(?:eslint|oxlint)-disable-(?:next-)?line\b/},
  ],
};
