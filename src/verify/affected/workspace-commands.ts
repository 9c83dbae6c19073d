/** The same check for the packages that a change touches, and those that need them: narrower commands of workspace tools, as data. */
import {toolOf} from "../../shell/program.ts";
import {quoteWords} from "../../shell/quote.ts";
import type {Manifest} from "./changed-packages.ts";

interface Row {
  /** the command, as `toolOf` names it */
  readonly tool: RegExp;
  /** what its packages are told by */
  readonly manifest: Manifest;
  /** words as written, and the packages; null where it cannot tell */
  readonly narrow: (given: {words: readonly string[]; packages: readonly string[]}) => string | null;
}

/** Options that choose packages, or another folder: what is added behind them could mean something else. */
const CHOOSES =
  /^--?(?:F|filter|affected|only|cwd|pl|projects|amd?|also-\S+|rf|resume-from|N|non-recursive|f|file)(?:=|$)/;

/** With a filter, `-r` says nothing new. */
const PNPM_OPTION = /^(?:-r|--(?:recursive|(?:no-)?bail|silent|stream|parallel|workspace-concurrency=\d+))$/;

/** From the tools' manuals; each was tried on a workspace of three packages. */
const WORKSPACES: readonly Row[] = [
  {
    tool: /^cargo (?:test|check|clippy|build|nextest)$/,
    manifest: "Cargo.toml",
    narrow: ({words, packages}) => {
      const wide = words.findIndex((word) => word === "--workspace" || word === "--all");
      if (wide < 0) return null;
      return words.flatMap((word, at) => (at === wide ? packages.flatMap((name) => ["-p", name]) : [word])).join(" ");
    },
  },
  {
    tool: /^turbo /,
    manifest: "package.json",
    narrow: ({words, packages}) => {
      if (words.includes("--") || words.some((word) => CHOOSES.test(word))) return null;
      return [...words, ...packages.map((folder) => quoteWords(`--filter=...{./${folder}}`))].join(" ");
    },
  },
  {
    tool: /^script /,
    manifest: "package.json",
    narrow: ({words, packages}) => {
      const [program, ...rest] = words;
      const options = rest.filter((word) => word.startsWith("-") && word !== "--if-present");
      const [script, ...more] = rest.filter((word) => !word.startsWith("-") && word !== "run");
      const isWide = options.some((word) => word === "-r" || word === "--recursive");
      if (program !== "pnpm" || !isWide || script === undefined || script === "exec" || more.length > 0) return null;
      if (!options.every((word) => PNPM_OPTION.test(word))) return null;
      const filters = packages.map((folder) => `--filter=${quoteWords(`...{./${folder}}`)}`);
      return [program, ...options, ...filters, "run", "--if-present", script].join(" ");
    },
  },
  {
    tool: /^script /,
    manifest: "package.json",
    narrow: ({words, packages}) => {
      const wide = words.findIndex((word) => word === "-ws" || word === "--workspaces");
      const isPlain = words.every(
        (word) => !word.startsWith("-") || /^(?:-ws|--workspaces|--if-present|-s|--silent)$/.test(word),
      );
      if (words[0] !== "npm" || wide < 0 || !isPlain) return null;
      const chosen = packages.flatMap((folder) => ["-w", quoteWords(folder)]);
      return [
        ...words.filter((word) => word !== "--if-present").flatMap((word, at) => (at === wide ? chosen : [word])),
        "--if-present",
      ].join(" ");
    },
  },
  {
    tool: /^mvn /,
    manifest: "pom.xml",
    narrow: ({words, packages}) => {
      if (words.some((word) => CHOOSES.test(word))) return null;
      return [...words, "-pl", packages.map((folder) => quoteWords(folder)).join(","), "-am"].join(" ");
    },
  },
];

/** Which manifest tells the packages of the workspace that the command runs in; null for a command of no table. */
export function manifestOf(words: readonly string[]): Manifest | null {
  return rowsFor(words)[0]?.manifest ?? null;
}

/** The words of a command for all packages, as written, turned into one for these and those that need them; null where it cannot tell. */
export function narrowToPackages(given: {words: readonly string[]; packages: readonly string[]}): string | null {
  if (given.packages.length === 0) return null;
  return rowsFor(given.words).reduce<string | null>((found, row) => found ?? row.narrow(given), null);
}

const rowsFor = (words: readonly string[]): readonly Row[] => {
  const tool = toolOf(words);
  return WORKSPACES.filter((row) => row.tool.test(tool));
};
