/** What a stage's command comes down to, where that can be told: scripts of package.json are written out. */
import {posix} from "node:path";
import type {Stage} from "../../record/plan.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {scriptOf} from "./fix-commands.ts";
import type {Scripts} from "./scripts.ts";

/**
 * Gives for each stage the body of the script that it starts by its name, else its own command. Empty where the script is not
 * there, or others run before and after it. `scripts` are the base's: the change must not choose its own commands (P4).
 */
export async function expandScripts(
  stages: readonly Stage[],
  scripts: (cwd: string) => Promise<Scripts>,
): Promise<(stage: Stage) => string> {
  const lines = stages.map(async (stage): Promise<[Stage, string]> => {
    const name = scriptOf(stage.command);
    return [stage, name === null ? stage.command : bodyOf(await scripts(stage.cwd), name)];
  });
  const table = new Map(await Promise.all(lines));
  return (stage) => table.get(stage) ?? "";
}

function bodyOf(scripts: Scripts, name: string): string {
  const isSurrounded = scripts[`pre${name}`] !== undefined || scripts[`post${name}`] !== undefined;
  return isSurrounded ? "" : (scripts[name] ?? "");
}

/** Where the programs of a stage are that is started as it is written out, and not by its script: as npm says it. */
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
