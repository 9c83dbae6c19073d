/** Attributes each changed path to the stages that read it. */
import type {PathCoverage, Plan, Stage} from "../../record/plan.ts";
import {type Change, changedPaths} from "../../record/verification.ts";
import {toolOf} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {readScriptBodies} from "../command-analysis/script-bodies.ts";
import {readBodies} from "../ecosystems/node-bodies.ts";
import {textEntries, valueAt} from "../files/manifest-values.ts";
import {inside, isBelow, type Project} from "../files/project.ts";
import {findProjects, isWorkspaceRoot, type Projects} from "./projects.ts";
import {commandReach, type Machine, membersReach, type Reach} from "./reach.ts";

/** Options by which a command works in another folder. */
const ELSEWHERE = /^(-C|--prefix|--cwd|--dir|--directory|--chdir|--manifest-path|-f|--project)(?:=(.+))?$/;
const ALL_MEMBERS = /^(--workspaces|-ws|-r|--recursive|foreach|--filter=?\*?)$/;
/** What stands around a check in a line, and reads nothing. */
const READS_NOTHING = /^(echo|printf|true|false|:|exit|set|export|mkdir|rm|cp|mv|sleep|test|\[)$/;
const MAX_DEPTH = 5;

/**
 * Attributes the changed paths of a candidate. `tree` is the candidate, because its boundaries are those that the tools meet;
 * the commands are the plan's. A deleted path counts for the project that it was in, if that is still there.
 */
export function attributeChanges(o: {
  plan: Pick<Plan, "stages">;
  tree: Project;
  changes: readonly Change[];
  /** source code by `codeExtensions` */
  isSource: (path: string) => boolean;
  /** documentation and what the owner's `skipPatterns` name: nobody has to read it */
  isSkipped: (path: string) => boolean;
  /** where the stages run, in Node's words */
  machine: Machine;
}): PathCoverage[] {
  const projects = findProjects(o.tree);
  const reaches = o.plan.stages.map((stage) => ({stage, reaches: reachesOf(stage, projects, o.machine)}));
  const named = (asks: (reach: Reach) => boolean) =>
    reaches.flatMap(({stage, reaches: all}) => (all.some(asks) ? [stage.name] : []));
  return changedPaths(o.changes)
    .filter((path) => !o.isSkipped(path))
    .map((path) => {
      const home = projects.homeOf(path);
      const isInProject = home !== null && !isWorkspaceRoot(projects, home);
      return {
        path,
        stages: named((reach) => reach.reads(path)),
        takenIn: named((reach) => reach.takesIn(path)),
        project: o.isSource(path) && isInProject ? home : null,
      };
    });
}

function reachesOf(stage: Stage, projects: Projects, machine: Machine): Reach[] {
  const isForHere = !Object.keys(stage.env).some((key) => FOR_ELSEWHERE.test(key));
  const given = {projects, machine: isForHere ? machine : null, cwd: stage.cwd, kind: stage.kind, depth: 0};
  const found = commandReaches(stage.command, given);
  return found ?? [everythingBelow(stage.cwd)];
}

/** Variables by which Go builds for another machine. */
const FOR_ELSEWHERE = /\b(?:GOOS|GOARCH|GOFLAGS|CGO_ENABLED)\b/;

interface Walk {
  readonly projects: Projects;
  /** null where the commands may build for another one */
  readonly machine: Machine | null;
  readonly cwd: string;
  readonly kind: Stage["kind"];
  readonly depth: number;
}

/** Null where a part of the line is not understood: then nothing is said against it. */
function commandReaches(line: string, walk: Walk): Reach[] | null {
  const commands = splitShell(line);
  if (commands === null || walk.depth > MAX_DEPTH) return null;
  const found: Reach[] = [];
  let {cwd} = walk;
  const machine = FOR_ELSEWHERE.test(line) ? null : walk.machine;
  for (const {words} of commands) {
    if (words.length === 0 || READS_NOTHING.test(words[0] ?? "")) continue;
    if (words[0] === "cd" && words.length === 2) {
      const folder = inside(cwd, (words[1] ?? "").replace(/^\.\//, "").replace(/\/+$/, ""));
      if (walk.projects.tree.below(folder).length === 0) return null;
      cwd = folder;
      continue;
    }
    const elsewhere = folderIn(words, {...walk, cwd});
    const reaches = pieceReaches(words, {...walk, machine, cwd: elsewhere ?? cwd});
    found.push(...(reaches ?? [everythingBelow(elsewhere ?? cwd)]));
  }
  return found;
}

function pieceReaches(words: readonly string[], walk: Walk): Reach[] | null {
  const known = commandReach(words, walk);
  if (known !== null) return [known];
  const tool = toolOf(words);
  const orchestrated = /^(?:turbo(?: run)?|lerna run|nx run-many(?: -t)?)[ =](?:-t[ =]?)?([\w:-]+)/.exec(
    ["turbo", "nx", "lerna"].includes(words[0] ?? "") ? words.join(" ").replace(/=/g, " ") : "",
  )?.[1];
  const script = /^script (\S+)$/.exec(tool)?.[1];
  const selection = (orchestrated ?? script) === undefined ? null : selectionIn(words);
  if (selection !== null) return chosenReaches(selection, walk);
  if (orchestrated !== undefined) return [membersReach(orchestrated, walk)];
  if (script === undefined) return bodyReaches(words, walk);
  if (words.some((word) => ALL_MEMBERS.test(word))) {
    const plain = words.filter((word) => !word.startsWith("-") && word !== "*");
    return [membersReach(plain.at(-1) ?? script, walk)];
  }
  const scripts = textEntries(valueAt(walk.projects.tree.json(inside(walk.cwd, "package.json")), "scripts"));
  const leaves = readBodies(scripts).leavesOf(script);
  const found = leaves.map((leaf) => commandReaches(leaf, {...walk, depth: walk.depth + 1}));
  return found.length === 0 ? null : found.flatMap((reaches) => reaches ?? [everythingBelow(walk.cwd)]);
}

/** What the recipe of a makefile's target, or a shell file, reads; null where its text is not known. */
function bodyReaches(words: readonly string[], walk: Walk): Reach[] | null {
  const bodies = readScriptBodies(words, {project: walk.projects.tree, cwd: walk.cwd});
  const deeper = (cwd: string): Walk => ({...walk, cwd, depth: walk.depth + 1});
  const found = bodies?.flatMap(({text, cwd}) => commandReaches(text, deeper(cwd)) ?? [everythingBelow(walk.cwd)]);
  return found === undefined || found.length === 0 ? null : found;
}

interface Selection {
  readonly members: readonly string[];
  /** null where the members are chosen by a pattern */
  readonly script: string | null;
}

function chosenReaches({members, script}: Selection, walk: Walk): Reach[] | null {
  const chosen = new Set<string>();
  const selected = (folder: string, name: unknown): boolean => {
    if (members.some((one) => one === name || inside(walk.cwd, one) === folder)) chosen.add(folder);
    return chosen.has(folder);
  };
  const reach = script === null ? null : membersReach(script, {...walk, selected});
  // `pnpm --filter a eslint .` starts no script.
  return reach === null || chosen.size === 0 ? null : [reach];
}

/** Members of a workspace by name or folder, as in `npm test -w a` and `yarn workspace a test`; null where there is no such choice. */
function selectionIn([manager, ...words]: readonly string[]): Selection | null {
  const members: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const choice = /^(?:-w|--workspace|--filter|-F|--scope)(?:=(.+))?$/.exec(word);
    if (choice !== null) members.push(choice[1] ?? words[++i] ?? "");
    else if (manager === "yarn" && word === "workspace" && rest.length === 0) members.push(words[++i] ?? "");
    else if (word === "--") break;
    else if (!word.startsWith("-")) rest.push(word);
  }
  if (members.every((one) => one === "*")) return null;
  const [first, second] = rest;
  const script = first === "run" || first === "run-script" ? second : first;
  const isPlain = members.every((one) => /^(?:\.\/)?[@\w][\w./@-]*$/.test(one) && !one.includes("..."));
  return {
    members: members.map((one) => one.replace(/^\.\//, "").replace(/\/$/, "")),
    script: isPlain ? (script ?? null) : null,
  };
}

function folderIn(words: readonly string[], walk: Walk): string | null {
  for (const [i, word] of words.entries()) {
    const option = ELSEWHERE.exec(word);
    if (option === null) continue;
    const given = (option[2] ?? words[i + 1] ?? "").replace(/^\.\//, "").replace(/\/+$/, "");
    const path = inside(walk.cwd, given);
    const folder = walk.projects.tree.has(path) ? path.slice(0, Math.max(0, path.lastIndexOf("/"))) || "." : path;
    if (given !== "" && walk.projects.tree.below(folder).length > 0) return folder;
  }
  return null;
}

function everythingBelow(cwd: string): Reach {
  const takesIn = (path: string) => isBelow(path, cwd);
  return {takesIn, reads: takesIn};
}
