/** The same check for what a change touches only: a narrower command, if the tool has one. */

import {assignments} from "../../shell/quote.ts";
import type {SimpleCommand} from "../../shell/split.ts";
import {TOOLS} from "../../tools/all.ts";
import {toolOf} from "../../tools/command-name.ts";
import type {PackageNarrowing} from "../../tools/tool.ts";
import {allCommands} from "../commands/expand-scripts.ts";
import type {Manifest} from "./changed-packages.ts";

/** More paths than this fit into no command line, and the narrower run would not be quick either. */
const MOST_FILES = 100;

/**
 * Takes a stage's command, written out, and the files that the change touches or that failed before, relative to `cwd`. Null:
 * this command is not understood well enough, or has nothing to do with these files.
 */
export function narrowCommand(o: {line: string; files: readonly string[]; packages: readonly string[]}): string | null {
  const only = onlyCommand(o.line);
  if (only === null || o.files.length > MOST_FILES) return null;
  const called = toolOf(only.words);
  const {narrowToFiles} = TOOLS.find((tool) => tool.narrowToFiles?.command.test(called)) ?? {};
  const narrow = narrowToFiles?.narrow({words: only.raws, files: o.files}) ?? narrowToPackages(only.raws, o.packages);
  return narrow === null ? null : [...assignments(only.env), narrow].join(" ");
}

/** The manifest of the packages to which this command can be narrowed; null if it cannot. */
export function manifestFor(line: string): Manifest | null {
  const only = onlyCommand(line);
  return only === null ? null : (packageRules(only.raws)[0]?.manifest ?? null);
}

function onlyCommand(line: string): SimpleCommand | null {
  const commands = allCommands(line);
  return commands?.length === 1 ? (commands[0] ?? null) : null;
}

/** The command for these packages and those that need them; null if no tool is certain. */
function narrowToPackages(words: readonly string[], packages: readonly string[]): string | null {
  if (packages.length === 0) return null;
  return packageRules(words).reduce<string | null>((narrow, rule) => narrow ?? rule.narrow({words, packages}), null);
}

function packageRules(words: readonly string[]): PackageNarrowing[] {
  const called = toolOf(words);
  return TOOLS.flatMap(({narrowToPackages: rule}) => (rule?.command.test(called) === true ? [rule] : []));
}
