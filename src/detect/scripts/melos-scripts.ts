/** melos: the scripts of a workspace of Dart packages, by their commands. */
import {minimatch} from "minimatch";
import {splitShell} from "../../shell/split.ts";
import {kindsOf} from "../../tools/stage-kind.ts";
import {listOf, mapOf, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project, within} from "../files/project.ts";
import {findFirst, foldersBelow, isInWorkflows} from "../proposals/candidate-stages.ts";
import {expandTask, type Task, type TaskFile} from "../proposals/task-runners.ts";

const MAX_SCRIPTS = 500;
const NAME = /^[\w:.-]+$/;

export const MELOS: TaskFile = {
  name: "melos",
  // Since melos 7 its settings are in the manifest.
  files: ["melos.yaml", "pubspec.yaml"],
  hint: "add the step `bluefireteam/melos-action` before Assay",
  command: "melos run",
  starts: /^melos (?:run )?([\w:.-]+)(?: --no-select)?$/,
  readTasks: (project, file) => {
    const scripts = [...mapOf(valueAt(settingsOf(project, file), "scripts"))]
      .slice(0, MAX_SCRIPTS)
      .filter(([name]) => NAME.test(name));
    return new Map(scripts.map(([name, script]) => [name, taskOf(script)]));
  },
};

const settingsOf = (project: Project, file: string): unknown =>
  file.endsWith("melos.yaml") ? project.yaml(file) : valueAt(project.yaml(file), "melos");

/** The folders of the packages in a workspace of melos; null for a folder without one. */
export function melosPackages(project: Project, root: string): string[] | null {
  const file = findFirst(project, root, MELOS.files);
  const settings = file === null ? undefined : settingsOf(project, file);
  if (file === null || settings === undefined) return null;
  const listed = textsOf(valueAt(settings, "packages"));
  const members = textsOf(valueAt(project.yaml(inside(root, "pubspec.yaml")), "workspace"));
  return foldersBelow(project, root, ["pubspec.yaml"]).filter((folder) =>
    [...listed, ...members].some((pattern) => minimatch(within(root, folder), pattern)),
  );
}

/** A script with the commands behind it. */
export interface MelosScript {
  readonly name: string;
  readonly runs: readonly string[];
}

/** The scripts that workflows run. */
export function melosScriptsOfCi(project: Project, root: string): MelosScript[] {
  const file = findFirst(project, root, MELOS.files);
  if (file === null) return [];
  const tasks = MELOS.readTasks(project, file, root);
  return [...tasks.keys()]
    .filter((name) => isInWorkflows(project, new RegExp(`\\bmelos run ${name.replaceAll(".", "\\.")}(?![\\w:-])`)))
    .map((name) => ({name, runs: expandTask(MELOS, tasks, name)}));
}

/** The packages whose types and tests CI checks by scripts of melos; empty if it does not check both. */
export function packagesOfCi(project: Project, root: string): string[] {
  const packages = melosPackages(project, root) ?? [];
  if (packages.length === 0) return [];
  // A script with checks of several kinds becomes no stage.
  const kinds = melosScriptsOfCi(project, root).flatMap(({runs}) => {
    const own = new Set(runs.flatMap(kindsOf));
    return own.size === 1 ? [...own] : [];
  });
  return kinds.includes("typecheck") && kinds.includes("test") ? packages : [];
}

/** `exec` runs in each package, as `melos exec` does. */
function taskOf(script: unknown): Task {
  const commands = [script, valueAt(script, "run"), valueAt(script, "exec"), ...listOf(valueAt(script, "steps"))];
  const lines = commands.flatMap((text) => (typeof text === "string" ? text.split("\n") : []));
  return {
    lines: lines.map((line) => executed(line.trim())).filter((line) => line !== ""),
    needs: [],
  };
}

/** The command that `melos exec` runs in each package, which may be one quoted word. */
function executed(line: string): string {
  const [command, ...others] = splitShell(line) ?? [];
  const [program, verb] = command?.words ?? [];
  if (command === undefined || others.length > 0 || program !== "melos" || verb !== "exec") return line;
  const end = command.words.indexOf("--");
  const [first = "", ...rest] = command.words.slice(end + 1);
  return end < 0 ? line : rest.length === 0 ? first : command.raws.slice(end + 1).join(" ");
}
