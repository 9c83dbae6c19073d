/** tsc and the checkers that print like it, with and without `--pretty`. */

import {SCRIPT} from "./file-kinds.ts";
import {lineFormat} from "./line-format.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

/** From the compiler's manual. The command line overrides the settings of a tsconfig.json. */
const HAS_OWN = /^(?:--?(?:incremental|i|tsBuildInfoFile|composite|assumeChangesOnlyAffectDirectDependencies)|@.*)$/i;
/** How it writes the build info of a run, and reads that of an earlier one. */
export const INCREMENTAL = {
  commands: ["tsc", "tsgo", "vue-tsc"],
  never: HAS_OWN,
  words: (file: string): string[] => ["--incremental", "--tsBuildInfoFile", file],
};

export const tsc: Tool = {
  name: "tsc",
  output: {
    markers: [" TS"],
    lines: [
      lineFormat("%f(%l,%c): %t<error|warning|info> %n<TS>: %m"),
      lineFormat("%f:%l:%c - %t<error|warning|info> %n<TS>: %m"),
      lineFormat("%t<error> %n<TS>: %m"),
    ],
  },
  earlyStop: {
    commands: ["tsc", "vue-tsc"],
    skipsProjects: ["-b", "--build"],
    // The parser's codes; the checker has others among them.
    syntaxErrors: /^TS1[01]\d\d$/,
  },
};

export const tscCommand: ToolCommand = {
  programs: ["tsc", "tsgo", "vue-tsc"],
  traits: ["node package", "never a script", "-w watches"],
  kinds: {typecheck: ["tsc", "tsgo", "vue-tsc"]},
  reads: {family: "node", commands: ["tsc", "tsgo", "vue-tsc"]},
  readOnly: [
    {
      commands: ["tsc", "tsgo", "vue-tsc"],
      with: ["--noEmit"],
      without: ["-b", "--build", "-w", "--watch", "--init"],
    },
  ],
  buildFiles: ["tsconfig*.json"],
};

export const tscIntegrity: ToolIntegrity = {
  suppressions: [
    {name: "ts-nocheck", files: SCRIPT, pattern: /^\s*(?:\/\/|\/\*)\s*@ts-nocheck\b/, isWide: true},
    {name: "ts-ignore", files: SCRIPT, pattern: /@ts-(?:ignore|expect-error)\b/},
  ],
};
