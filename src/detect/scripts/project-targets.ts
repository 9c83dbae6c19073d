/** Reads the commands behind the targets of a workspace's projects, including the targets that they need. */
import {COMMANDS} from "../../tools/all-commands.ts";
import {unwrap} from "../../tools/command-name.ts";
import {listOf, mapOf, textAt, textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {comparesFiles} from "../proposals/compared-files.ts";
import {screen} from "../proposals/screen.ts";
import {readBodies} from "./package-script-parts.ts";

const MAX_PROJECTS = 500;
const MAX_LINES = 100;
/** An executor that starts commands, and one that does nothing. */
const RUNS_COMMANDS = /(?:^|:)run-commands$/;

interface Workspace {
  readonly project: Project;
  readonly defaults: unknown;
  readonly projects: readonly {readonly folder: string; readonly name: string; readonly targets: unknown}[];
}

/**
 * A call and the commands that it runs in its projects, if these rewrite or compare files; null for others, because
 * plugins may add commands that no file names.
 */
export function targetCommands(project: Project, root: string, words: readonly string[]): string[] | null {
  const [program = "", verb = "", ...rest] = unwrap(words);
  const files = COMMANDS.find(({programs, targetFiles}) => targetFiles !== undefined && programs?.includes(program));
  if (files?.targetFiles === undefined || !project.has(inside(root, files.targetFiles.workspace))) return null;
  const workspace = workspaceOf(project, root, files.targetFiles);
  const seen = new Set<string>();
  const lines = targetsIn(verb, rest).flatMap((target) => commandsOfTarget(workspace, target, seen));
  const isNotable = lines.some((line) => comparesFiles(line) || screen(line).kind === "mutates");
  return isNotable ? [unwrap(words).join(" "), ...new Set(lines)].slice(0, MAX_LINES) : null;
}

interface TargetCall {
  readonly target: string;
  /** the one project that runs it; null for all */
  readonly only: string | null;
}

function targetsIn(verb: string, rest: readonly string[]): TargetCall[] {
  if (/^(run-many|affected)$/.test(verb)) {
    const at = rest.findIndex((word) => /^(-t|--targets?)(=|$)/.test(word));
    const end = rest.findIndex((word, i) => i > at && word.startsWith("-"));
    const words = rest[at]?.includes("=")
      ? [rest[at]?.split("=")[1] ?? ""]
      : rest.slice(at + 1, end < 0 ? undefined : end);
    return at < 0 ? [] : words.flatMap((word) => word.split(",")).map((target) => ({target, only: null}));
  }
  const [named, target] = verb === "run" ? (rest[0] ?? "").split(":") : [rest[0] ?? "", verb];
  return named === undefined || named === "" || target === undefined ? [] : [{target, only: named}];
}

function workspaceOf(project: Project, root: string, files: {workspace: string; project: string}): Workspace {
  const paths = project.named(files.project).slice(0, MAX_PROJECTS);
  const projects = paths.map((path) => {
    const manifest = project.json(path);
    const folder = folderOf(path);
    const name = textAt(manifest, "name") ?? textAt(project.json(inside(folder, "package.json")), "name") ?? folder;
    return {folder, name, targets: valueAt(manifest, "targets")};
  });
  return {project, projects, defaults: valueAt(project.jsonc(inside(root, files.workspace)), "targetDefaults")};
}

function commandsOfTarget(workspace: Workspace, {target, only}: TargetCall, seen: Set<string>): string[] {
  return workspace.projects
    .filter(({name, targets}) => (only === null || name === only) && mapOf(targets).has(target))
    .flatMap(({folder, name, targets}) => {
      if (seen.has(`${name}:${target}`)) return [];
      seen.add(`${name}:${target}`);
      const own = valueAt(targets, target);
      const defaults = valueAt(workspace.defaults, target);
      const needs = listOf(valueAt(own, "dependsOn") ?? valueAt(defaults, "dependsOn"));
      return [
        ...needs.flatMap((need) => commandsOfTarget(workspace, neededTarget(need, name), seen)),
        ...(ownCommands(own) ?? ownCommands(defaults) ?? scriptCommands(workspace.project, folder, target, own)),
      ];
    });
}

/** A target that must run before: of the same project, or of the one that it names. Those of dependencies build them. */
function neededTarget(need: unknown, project: string): TargetCall {
  const text = typeof need === "string" ? need : (textAt(need, "target") ?? "");
  const [first = "", second] = text.split(":");
  return second === undefined ? {target: first, only: project} : {target: second, only: first};
}

/** The commands that a target names itself; null if it names none. */
function ownCommands(target: unknown): string[] | null {
  const executor = textAt(target, "executor") ?? "";
  if (executor !== "" && !RUNS_COMMANDS.test(executor)) return [];
  const options = valueAt(target, "options");
  const single = textAt(target, "command") ?? textAt(options, "command");
  if (single !== null) return [single];
  const listed = listOf(valueAt(options, "commands")).map((one) => textAt(one, "command") ?? textsOf([one])[0] ?? "");
  return listed.length > 0 ? listed.filter((line) => line !== "") : null;
}

/** A target without a command is the script of that name. */
function scriptCommands(project: Project, folder: string, target: string, own: unknown): string[] {
  const scripts = textEntries(valueAt(project.json(inside(folder, "package.json")), "scripts"));
  const name = textAt(own, "options", "script") ?? target;
  return scripts.has(name) ? [...readBodies(scripts).leavesOf(name)] : [];
}
