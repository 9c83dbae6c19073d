/** Runners that start the same script in several packages. */
import {quoteWords} from "../shell/quote.ts";
import {choosesPackages} from "./narrow-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

/** Makes a folder the root of a workspace of packages. */
export const LERNA_FILE = "lerna.json";

export const turbo: Tool = {
  name: "turbo",
  summaries: [{pattern: /^\s*(?:WARNING\s+)?(?<zero>No tasks were executed as part of this run)/gm}],
  narrowToPackages: {
    commands: ["turbo *"],
    manifest: "package.json",
    narrow: ({words, packages}) => {
      if (words.includes("--") || words.some(choosesPackages)) return null;
      return [...words, ...packages.map((folder) => quoteWords(`--filter=...{./${folder}}`))].join(" ");
    },
  },
  earlyStop: {commands: ["turbo *"], packagesUnless: ["--continue"]},
};

export const lerna: Tool = {
  name: "lerna",
  summaries: [{pattern: /^lerna info (?<zero>No packages found with the lifecycle script)/gm}],
  earlyStop: {commands: ["lerna *"], packagesUnless: ["--no-bail"]},
};

export const nx: Tool = {
  name: "nx",
  summaries: [{pattern: /^\s*(?:NX\s+)?(?<zero>No tasks were run)/gm}],
};

export const nox: Tool = {
  name: "nox",
  summaries: [{pattern: /^nox > Session \S+ (?<zero>skipped): /gm}],
};

export const workspaceRunnerCommands: readonly ToolCommand[] = [
  {
    programs: ["turbo"],
    traits: ["node package", "never a script", "starts package scripts"],
    startsInAll: /^turbo(?: run)? (?:-t ?)?([\w:-]+)/,
    unsafe: [{match: "turbo watch", kind: "watch"}],
    buildFiles: ["turbo.json"],
  },
  {
    programs: ["lerna"],
    traits: ["node package", "never a script", "starts package scripts"],
    startsInAll: /^lerna run (?:-t ?)?([\w:-]+)/,
    unsafe: [{match: "lerna publish|pub|version", kind: "release"}],
    buildFiles: [LERNA_FILE],
  },
  {
    programs: ["nx"],
    traits: ["node package", "never a script", "starts package scripts", "targets by -t"],
    startsInAll: /^nx run-many(?: -t)? (?:-t ?)?([\w:-]+)/,
    unsafe: [
      {match: "nx watch", kind: "watch"},
      {match: "nx publish|pub", kind: "release"},
    ],
    buildFiles: ["nx.json"],
  },
  {programs: ["nx-cloud"], traits: ["records a command"]},
  {
    kinds: {test: ["nox *"]},
  },
];
