/** Reads the scripts of package.json, and expands commands that start one: the script is replaced by its body. */

import {readFile} from "node:fs/promises";
import {join, posix} from "node:path";
import type {Repository} from "../../git/repository.ts";
import {parseJson} from "../../record/parse-json.ts";
import type {Stage} from "../../record/plan.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import type {PackageScripts} from "../../shell/started-script.ts";
import {scriptOf} from "./fix-commands.ts";

/**
 * Returns for each stage the body of the script that it starts, else its own command. Empty if the script is missing,
 * or has pre- and post-scripts. `scripts` are the base's, because the change must not choose its own commands (P4).
 */
export async function expandScripts(
  stages: readonly Stage[],
  scripts: (cwd: string) => Promise<PackageScripts>,
): Promise<(stage: Stage) => string> {
  const lines = stages.map(async (stage): Promise<[Stage, string]> => {
    const name = scriptOf(stage.command);
    return [stage, name === null ? stage.command : bodyOf(await scripts(stage.cwd), name)];
  });
  const table = new Map(await Promise.all(lines));
  return (stage) => table.get(stage) ?? "";
}

function bodyOf(scripts: PackageScripts, name: string): string {
  const hasHooks = scripts[`pre${name}`] !== undefined || scripts[`post${name}`] !== undefined;
  return hasHooks ? "" : (scripts[name] ?? "");
}

/** The PATH folders of an expanded command: the ones that npm adds for a script. */
export const withPrograms = ({path, cwd}: Pick<Stage, "path" | "cwd">): string[] => [
  ...path,
  posix.join(cwd, "node_modules/.bin"),
  "node_modules/.bin",
];

/** The simple commands of a line that runs each of them and passes only when all do; null for any other line. */
export function allCommands(line: string): readonly SimpleCommand[] | null {
  const commands = splitShell(line) ?? [];
  const isPlain = ({joint, dynamic, writes, input, isNegated, isBackground, inside}: SimpleCommand) =>
    (joint === "start" || joint === "&&") &&
    !(dynamic || isNegated || isBackground) &&
    input === null &&
    writes.length + inside.length === 0;
  return commands.length > 0 && commands.every(isPlain) ? commands : null;
}

const MANIFEST_BYTES = 1_000_000;

/** The scripts in a commit; empty if the file is missing or cannot be read. */
export async function scriptsAt(options: {
  repository: Repository;
  commit: string;
  cwd: string;
}): Promise<PackageScripts> {
  const path = posix.join(options.cwd, "package.json");
  const manifest = await options.repository.readText(options.commit, path, {maxBytes: MANIFEST_BYTES});
  return manifest.ok ? scriptsIn(manifest.value ?? "") : {};
}

/** The scripts in a developer's own folder. */
export async function scriptsOf(folder: string): Promise<PackageScripts> {
  return scriptsIn(await readFile(join(folder, "package.json"), "utf8").catch(() => ""));
}

function scriptsIn(manifest: string): PackageScripts {
  const parsed = parseJson(manifest);
  const scripts = typeof parsed === "object" && parsed !== null && "scripts" in parsed ? parsed.scripts : null;
  if (typeof scripts !== "object" || scripts === null) return {};
  return Object.fromEntries(Object.entries(scripts).filter(([, body]) => typeof body === "string"));
}
