/** Attributes each changed path to the stages that read it. */

import {readScriptBodies} from "../../detect/command-analysis/script-bodies.ts";
import {textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import {folderOf, inside, isBelow, type Project} from "../../detect/files/project.ts";
import {readBodies} from "../../detect/scripts/package-script-parts.ts";
import {plainPath} from "../../git/paths.ts";
import type {PathCoverage, Plan, Stage} from "../../record/plan.ts";
import {type Change, changedPaths} from "../../record/verification.ts";
import {splitShell} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {toolOf} from "../../tools/command-name.ts";
import {nameSet} from "../../tools/names.ts";
import {findProjects, isWorkspaceRoot, type Projects} from "./projects.ts";
import {type CommandPlace, commandReach, membersReach, type Reach, type ReadEnvironment} from "./reach.ts";

/** Options with which a command works in another folder. */
const FOLDER_OPTION = /^(-C|--prefix|--cwd|--dir|--directory|--chdir|--manifest-path|-f|--project)(?:=(.+))?$/;
const ALL_MEMBERS = nameSet("--workspaces -ws -r --recursive foreach --filter --filter* --filter= --filter=*");
/** Commands that read no source file. */
const READS_NOTHING = nameSet("echo printf true false : exit set export mkdir rm cp mv sleep test [");
const MAX_DEPTH = 5;

/**
 * Attributes the changed paths of a candidate. `tree` is the candidate, because the tools run on its projects; the
 * commands are those of the plan. A deleted path belongs to its former project, if that project still exists.
 */
export function attributeChanges(options: {
  plan: Pick<Plan, "stages">;
  tree: Project;
  changes: readonly Change[];
  /** source code by `codeExtensions` */
  isSource: (path: string) => boolean;
  /** documentation and the owner's `skipPatterns`, which no stage has to read */
  isSkipped: (path: string) => boolean;
  /** where the stages run, with Node's names */
  machine: ReadEnvironment;
}): PathCoverage[] {
  const {plan, tree, changes, isSource, isSkipped, machine} = options;
  const projects = findProjects(tree);
  const reachesByStage = plan.stages.map(({name, ...stage}) => ({name, reaches: reachesOf(stage, projects, machine)}));
  const stagesWith = (fits: (reach: Reach) => boolean) =>
    reachesByStage.flatMap(({name, reaches}) => (reaches.some(fits) ? [name] : []));
  return changedPaths(changes)
    .filter((path) => !isSkipped(path))
    .map((path) => {
      const home = projects.homeOf(path);
      const isInProject = home !== null && !isWorkspaceRoot(projects, home);
      return {
        path,
        stages: stagesWith((reach) => reach.reads(path)),
        takenIn: stagesWith((reach) => reach.takesIn(path)),
        project: isSource(path) && isInProject ? home : null,
      };
    });
}

function reachesOf(
  {command, cwd, kind, env}: Omit<Stage, "name">,
  projects: Projects,
  machine: ReadEnvironment,
): Reach[] {
  const isNativeBuild = !Object.keys(env).some((key) => CROSS_BUILD.test(key));
  const context = {projects, machine: isNativeBuild ? machine : null, cwd, kind, depth: 0};
  return lineReaches(command, context) ?? [everythingBelow(cwd)];
}

/** Variables with which Go builds for another machine. */
const CROSS_BUILD = /\b(?:GOOS|GOARCH|GOFLAGS|CGO_ENABLED)\b/;

interface ReachContext extends CommandPlace {
  readonly depth: number;
}

/** The reach of the commands in a line. Null if the line cannot be parsed: then it is assumed to read everything. */
function lineReaches(line: string, context: ReachContext): Reach[] | null {
  const commands = splitShell(line);
  if (commands === null || context.depth > MAX_DEPTH) return null;
  const reaches: Reach[] = [];
  let {cwd} = context;
  const machine = CROSS_BUILD.test(line) ? null : context.machine;
  for (const {words} of commands) {
    const [program = "", argument = ""] = words;
    if (words.length === 0 || READS_NOTHING.has(program)) continue;
    if (program === "cd" && words.length === 2) {
      cwd = inside(cwd, plainPath(argument));
      if (context.projects.tree.below(cwd).length === 0) return null;
      continue;
    }
    const folder = findFolderOption(words, {...context, cwd}) ?? cwd;
    reaches.push(...(commandReaches(words, {...context, machine, cwd: folder}) ?? [everythingBelow(folder)]));
  }
  return reaches;
}

function commandReaches(words: readonly string[], context: ReachContext): Reach[] | null {
  const reach = commandReach(words, context);
  if (reach !== null) return [reach];
  const tool = toolOf(words);
  const workspaceScript = startedInAll(words);
  const script = /^script (\S+)$/.exec(tool)?.[1];
  const selection = (workspaceScript ?? script) === undefined ? null : selectionIn(words);
  if (selection !== null) return selectedReaches(selection, context);
  if (workspaceScript !== undefined) return [membersReach(workspaceScript, context)];
  if (script === undefined) return bodyReaches(words, context);
  if (words.some((word) => ALL_MEMBERS.has(word))) {
    const plainWords = words.filter((word) => !word.startsWith("-") && word !== "*");
    return [membersReach(plainWords.at(-1) ?? script, context)];
  }
  const scripts = textEntries(valueAt(context.projects.tree.json(inside(context.cwd, "package.json")), "scripts"));
  const leaves = readBodies(scripts).leavesOf(script);
  const lines = leaves.map((leaf) => lineReaches(leaf, {...context, depth: context.depth + 1}));
  return lines.length === 0 ? null : lines.flatMap((reaches) => reaches ?? [everythingBelow(context.cwd)]);
}

const STARTS_IN_ALL = COMMANDS.flatMap(({startsInAll}) => startsInAll ?? []);

/** The script that a workspace runner starts in all packages. */
function startedInAll(words: readonly string[]): string | undefined {
  const line = words.join(" ").replace(/=/g, " ");
  return STARTS_IN_ALL.map((pattern) => pattern.exec(line)?.[1]).find((script) => script !== undefined);
}

/** The reach of a makefile target's recipe, or of a shell file; null if its text is unknown. */
function bodyReaches(words: readonly string[], context: ReachContext): Reach[] | null {
  const bodies = readScriptBodies(words, {project: context.projects.tree, cwd: context.cwd}) ?? [];
  const reaches = bodies.flatMap(
    ({text, cwd}) => lineReaches(text, {...context, cwd, depth: context.depth + 1}) ?? [everythingBelow(context.cwd)],
  );
  return reaches.length === 0 ? null : reaches;
}

interface Selection {
  readonly members: readonly string[];
  /** null if a pattern selects the members */
  readonly script: string | null;
}

function selectedReaches({members, script}: Selection, context: ReachContext): Reach[] | null {
  const folders = new Set<string>();
  const isSelected = (folder: string, name: unknown): boolean => {
    if (members.some((member) => member === name || inside(context.cwd, member) === folder)) folders.add(folder);
    return folders.has(folder);
  };
  const reach = script === null ? null : membersReach(script, {...context, selected: isSelected});
  // `pnpm --filter a eslint .` starts no script.
  return reach === null || folders.size === 0 ? null : [reach];
}

/**
 * Members of a workspace by name or folder, as in `npm test -w a` and `yarn workspace a test`; null if the words select
 * none.
 */
function selectionIn([manager, ...words]: readonly string[]): Selection | null {
  const members: string[] = [];
  const plainWords: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const option = /^(?:-w|--workspace|--filter|-F|--scope)(?:=(.+))?$/.exec(word);
    if (option !== null) members.push(option[1] ?? words[++i] ?? "");
    else if (manager === "yarn" && word === "workspace" && plainWords.length === 0) members.push(words[++i] ?? "");
    else if (word === "--") break;
    else if (!word.startsWith("-")) plainWords.push(word);
  }
  if (members.every((member) => member === "*")) return null;
  const [first, second] = plainWords;
  const script = first === "run" || first === "run-script" ? second : first;
  const isPlain = members.every((member) => /^(?:\.\/)?[@\w][\w./@-]*$/.test(member) && !member.includes("..."));
  return {
    members: members.map(plainPath),
    script: isPlain ? (script ?? null) : null,
  };
}

function findFolderOption(words: readonly string[], {projects: {tree}, cwd}: ReachContext): string | null {
  for (const [i, word] of words.entries()) {
    const option = FOLDER_OPTION.exec(word);
    if (option === null) continue;
    const value = plainPath(option[2] ?? words[i + 1] ?? "");
    const path = inside(cwd, value);
    const folder = tree.has(path) ? folderOf(path) : path;
    if (value !== "" && tree.below(folder).length > 0) return folder;
  }
  return null;
}

function everythingBelow(cwd: string): Reach {
  const takesIn = (path: string) => isBelow(path, cwd);
  return {takesIn, reads: takesIn};
}
