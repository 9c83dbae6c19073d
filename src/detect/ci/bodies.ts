/** Finds the plain commands behind a command that starts scripts, targets or recipes. */

import {baseName} from "../../shell/program.ts";
import {toolOf} from "../../tools/command-name.ts";
import {textAt, textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {findFirst, foldersBelow} from "../proposals/candidate-stages.ts";
import {isSampleFolder} from "../proposals/project-roots.ts";
import {expandTask} from "../proposals/task-runners.ts";
import {JUST} from "../scripts/just-recipes.ts";
import {makefileOf, targetRuns} from "../scripts/makefile.ts";
import {readBodies} from "../scripts/package-script-parts.ts";
import {scriptPath, shellBody} from "../scripts/shell-file.ts";
import {TASK} from "../scripts/taskfile-tasks.ts";
import {toxSessionCommands} from "../scripts/tox-sessions.ts";
import {declaresPackage} from "./moved-command.ts";

const MAX_LINES = 100;
const MAX_PACKAGES = 300;
/** Scripts of the tree that start a build tool with their arguments. */
export const BUILD_WRAPPERS = /^(gradlew|mvnw|mill|millw|sbt|sbtx|bazelisk)$/;

/** The plain commands that a command finally runs; null if it starts no known script. */
export function bodyOf(options: {project: Project; cwd: string; words: readonly string[]}): string[] | null {
  const {project, cwd, words} = options;
  const tool = toolOf(words);
  const script = /^script (\S+)$/.exec(tool)?.[1];
  if (script !== undefined) {
    const inMembers = startsInMembers(words) ? bodiesInMembers(project, cwd, script) : [];
    if (inMembers.length > 0) return inMembers;
    const scripts = textEntries(valueAt(project.json(inside(cwd, "package.json")), "scripts"));
    if (!scripts.has(script)) return null;
    return readBodies(scripts)
      .leavesOf(script)
      .flatMap((leaf) => {
        const started = /^script (\S+)$/.exec(toolOf(leaf.split(" ")))?.[1];
        const isInAll = started !== undefined && startsInMembers(leaf.split(" "));
        const bodies = isInAll ? bodiesInMembers(project, cwd, started) : [];
        return bodies.length > 0 ? bodies : [leaf];
      });
  }
  const ofSession = toxSessionCommands(project, cwd, words);
  if (ofSession !== null) return ofSession;
  const target = /^make (\S+)$/.exec(tool)?.[1];
  if (target !== undefined) {
    const makefile = makefileOf(project, cwd);
    return makefile === null ? null : targetRuns(makefile.text, target);
  }
  const composer = /^composer (?:run |run-script )?(\S+)$/.exec(tool)?.[1];
  if (composer !== undefined) return composerScript(project.json(inside(cwd, "composer.json")), composer, new Set());
  const ofRunner = taskRuns(project, cwd, tool);
  if (ofRunner !== null) return ofRunner;
  if (tool === "mvn ") return defaultGoal(project.text(inside(cwd, "pom.xml")) ?? "");
  const path = scriptPath(project, cwd, words);
  // The shell code of a build wrapper does not depend on the task.
  if (path === null || BUILD_WRAPPERS.test(baseName(path))) return null;
  return shellBody(project, {path, cwd, words})?.map((line) => withoutNpx(project, cwd, line)) ?? null;
}

/** `npx` starts an installed package without a download. */
function withoutNpx(project: Project, cwd: string, line: string): string {
  const name = /^npx ([\w-]+)(?= |$)/.exec(line)?.[1];
  return name !== undefined && declaresPackage(project, cwd, name) ? line.slice("npx ".length) : line;
}

/** Options with which a package manager starts a script in the packages of a workspace. */
const IN_MEMBERS = /^(-r|--recursive|-ws|--workspaces|foreach|-F|--filter(=.*)?)$/;

/** True for a command of a package manager that starts a script in the packages of a workspace. */
const startsInMembers = (words: readonly string[]): boolean => words.some((word) => IN_MEMBERS.test(word));

/** The commands that a script runs in the packages of a workspace that have it. */
function bodiesInMembers(project: Project, cwd: string, script: string): string[] {
  const folders = foldersBelow(project, cwd, ["package.json"]).filter((folder) => !isSampleFolder(folder));
  const bodies = folders.slice(0, MAX_PACKAGES).flatMap((folder) => {
    const scripts = textEntries(valueAt(project.json(inside(folder, "package.json")), "scripts"));
    return scripts.has(script) ? readBodies(scripts).leavesOf(script) : [];
  });
  return [...new Set(bodies)].slice(0, MAX_LINES);
}

/** The commands of a task of just or Task; null for another tool, or a task that its file does not have. */
function taskRuns(project: Project, cwd: string, tool: string): string[] | null {
  const [, program = "", name = ""] = /^(just|task) (\S+)$/.exec(tool) ?? [];
  const runner = [JUST, TASK].find((one) => one.command === program);
  const file = runner === undefined ? null : findFirst(project, cwd, runner.files);
  if (runner === undefined || file === null) return null;
  const tasks = runner.readTasks(project, file, cwd);
  const task = tasks.get(name);
  return task === undefined || (task.cwd ?? cwd) !== cwd ? null : expandTask(runner, tasks, name);
}

/** The goals of `mvn` without arguments; null if the pom names none. */
function defaultGoal(pom: string): string[] | null {
  const goals = /<defaultGoal>([^<]{1,1000})<\/defaultGoal>/.exec(pom)?.[1]?.trim().split(/\s+/);
  return goals === undefined ? null : [`mvn ${goals.join(" ")}`];
}

function composerScript(manifest: unknown, name: string, seen: Set<string>): string[] | null {
  const scripts = valueAt(manifest, "scripts");
  const single = textAt(scripts, name);
  const lines = single === null ? textsOf(valueAt(scripts, name)) : [single];
  if (lines.length === 0) return null;
  if (seen.has(name) || seen.size > MAX_LINES) return [];
  seen.add(name);
  return lines.slice(0, MAX_LINES).flatMap((line) => {
    const scriptName = /^@(?:composer (?:run-script |run )?)?([\w:-]+)$/.exec(line.trim())?.[1];
    const inner = scriptName === undefined ? null : composerScript(manifest, scriptName, seen);
    return inner ?? [line.replace(/^@php (?=artisan\b)/, "php ").replace(/^@php (-\S+ )*/, "")];
  });
}
