/** prettier: a line for each file that is not formatted. */

import {ANY_FILE, MARKED_UP, SCRIPT} from "./file-kinds.ts";
import {fittingFiles} from "./narrow-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

export const prettier: Tool = {
  name: "prettier",
  output: {
    defaultMessage: "not formatted as prettier wants it",
    markers: ["Code style issues", "Checking formatting", "[error] "],
    lines: [/^\[(?<severity>warn)\] (?<file>[^\s:]+\.\w{1,10})(?<message>)$/],
  },
  narrowToFiles: {
    commands: ["prettier"],
    narrow: ({words, files}) => {
      const paths = fittingFiles(files, ANY_FILE);
      const isPlain = words.slice(1).every((word) => ["--check", "-c", ".", "--list-different", "-l"].includes(word));
      return paths === null || !isPlain ? null : [...words.filter((word) => word !== "."), "-u", ...paths].join(" ");
    },
  },
  fixes: [
    {
      commands: ["prettier"],
      with: ["--check", "-c", "--list-different", "-l"],
      fix: "--write --ignore-unknown",
      files: ANY_FILE,
    },
  ],
};

export const prettierCommand: ToolCommand = {
  programs: ["prettier"],
  traits: ["node package", "never a script"],
  kinds: {lint: ["prettier"]},
  lintedFiles: MARKED_UP,
  readOnly: [
    {
      commands: ["prettier"],
      with: ["--check", "-c", "--list-different", "-l"],
      without: ["--write", "-w"],
    },
  ],
  unsafe: [{match: "prettier --write|-w", swap: {"--write": "--check", "-w": "--check"}}],
  buildFiles: [".prettierrc*", "prettier.config.*", ".prettierignore"],
};

export const prettierIntegrity: ToolIntegrity = {
  suppressions: [{name: "eslint-disable", files: SCRIPT, pattern: /\bprettier-ignore\b/}],
};
