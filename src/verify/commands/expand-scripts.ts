/** Expands a stage's command: a script of package.json is replaced by its body. */
import {posix} from "node:path";
import type {Stage} from "../../record/plan.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import type {PackageScripts} from "../../shell/started-script.ts";
import {scriptOf} from "./fix-commands.ts";

/**
 * Gives for each stage the body of the script that it starts, else its own command. Empty if the script is missing, or has pre-
 * and post-scripts. `scripts` are the base's, because the change must not choose its own commands (P4).
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
  const isPlain = ({joint, dynamic, writes}: SimpleCommand) =>
    (joint === "start" || joint === "&&") && !dynamic && writes.length === 0;
  return commands.length > 0 && commands.every(isPlain) ? commands : null;
}
