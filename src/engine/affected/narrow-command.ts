/** Narrows a command to the changed files or packages, if its tool can do that. */

import {posix} from "node:path";
import {parse} from "smol-toml";
import type {Repository} from "../../git/repository.ts";
import {assignments} from "../../shell/quote.ts";
import type {SimpleCommand} from "../../shell/split.ts";
import {TOOLS} from "../../tools/all.ts";
import {toolOf} from "../../tools/command-name.ts";
import {isCommandIn} from "../../tools/names.ts";
import type {PackageNarrowing} from "../../tools/tool.ts";
import {allCommands} from "../commands/expand-scripts.ts";

/** More paths do not fit into a command line, and a narrowed run of more files is not quick. */
const MAX_FILES = 100;

/**
 * `line` is a stage's expanded command; `files` are changed or previously failed files, relative to `cwd`. Null if the
 * command is not understood well enough, or does not concern these files.
 */
export function narrowCommand(options: {
  line: string;
  files: readonly string[];
  packages: readonly string[];
}): string | null {
  const only = onlyCommand(options.line);
  if (only === null || options.files.length > MAX_FILES) return null;
  const toolName = toolOf(only.words);
  const {narrowToFiles} = TOOLS.find((tool) => isCommandIn(tool.narrowToFiles?.commands, toolName)) ?? {};
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

/** The command for these packages and their dependents; null if no tool's rule applies. */
function narrowToPackages(words: readonly string[], packages: readonly string[]): string | null {
  if (packages.length === 0) return null;
  return packageRules(words).reduce<string | null>((narrow, rule) => narrow ?? rule.narrow({words, packages}), null);
}

function packageRules(words: readonly string[]): PackageNarrowing[] {
  const toolName = toolOf(words);
  return TOOLS.flatMap(({narrowToPackages: rule}) =>
    rule !== undefined && isCommandIn(rule.commands, toolName) ? [rule] : [],
  );
}

/** A package's manifest. Cargo identifies a package by the name in its manifest, other tools by its folder. */
export type Manifest = PackageNarrowing["manifest"];

const MAX_MANIFEST_BYTES = 1_000_000;

/**
 * The packages that contain these files: for Cargo their names, for other tools their folders, relative to the
 * workspace's root. Empty if a file belongs to no package or to the root itself, because then all packages may be
 * affected.
 */
export async function packagesOf(options: PackageSearch & {files: readonly string[]}): Promise<string[]> {
  const packages = new Set<string>();
  // Only a crate's sources count, because no build of it reads its other files.
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
