/** The same check for what a change touches only: a narrower command, if the tool has one. */

import {posix} from "node:path";
import {parse} from "smol-toml";
import type {Repository} from "../../git/repository.ts";
import {assignments} from "../../shell/quote.ts";
import type {SimpleCommand} from "../../shell/split.ts";
import {TOOLS} from "../../tools/all.ts";
import {toolOf} from "../../tools/command-name.ts";
import type {PackageNarrowing} from "../../tools/tool.ts";
import {allCommands} from "../commands/expand-scripts.ts";

/** More paths than this fit into no command line, and the narrower run would not be quick either. */
const MAX_FILES = 100;

/**
 * Takes a stage's command, written out, and the files that the change touches or that failed before, relative to `cwd`. Null:
 * this command is not understood well enough, or has nothing to do with these files.
 */
export function narrowCommand(options: {
  line: string;
  files: readonly string[];
  packages: readonly string[];
}): string | null {
  const only = onlyCommand(options.line);
  if (only === null || options.files.length > MAX_FILES) return null;
  const called = toolOf(only.words);
  const {narrowToFiles} = TOOLS.find((tool) => tool.narrowToFiles?.command.test(called)) ?? {};
  const narrow =
    narrowToFiles?.narrow({words: only.raws, files: options.files}) ?? narrowToPackages(only.raws, options.packages);
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

/** A package's manifest: Cargo calls its packages by the name in it, the others by the folder that it is in. */
export type Manifest = PackageNarrowing["manifest"];

const MAX_MANIFEST_BYTES = 1_000_000;

/**
 * Takes files of the repository and the folder of a workspace's root. Gives the packages' names for Cargo, and for the others
 * their folders, relative to the root. Empty where one file belongs to none, or to the root itself: then all may be concerned.
 */
export async function packagesOf(options: PackageSearch & {files: readonly string[]}): Promise<string[]> {
  const packages = new Set<string>();
  // Of a crate only its sources count: what else lies around is read by no build of it.
  for (const file of options.files.filter((path) => options.manifest !== "Cargo.toml" || path.endsWith(".rs"))) {
    const name = await packageOf(file, options);
    if (name === null) return [];
    packages.add(name);
  }
  return [...packages];
}

interface PackageSearch {
  readonly root: string;
  readonly manifest: Manifest;
  readonly base: string;
  readonly readText: Repository["readText"];
}

async function packageOf(file: string, options: PackageSearch): Promise<string | null> {
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    const isRoot = folder === options.root || folder === ".";
    if (isRoot && options.manifest !== "Cargo.toml") return null;
    const manifest = await options.readText(options.base, posix.join(folder, options.manifest), {
      maxBytes: MAX_MANIFEST_BYTES,
    });
    if (!manifest.ok) return null;
    if (manifest.value !== null)
      return options.manifest === "Cargo.toml" ? crateIn(manifest.value) : posix.relative(options.root, folder);
    if (isRoot) return null;
  }
}

function crateIn(manifest: string): string | null {
  try {
    const name: unknown = Object(parse(manifest)["package"]).name;
    return typeof name === "string" && /^[\w-]+$/.test(name) ? name : null;
  } catch {
    return null;
  }
}
