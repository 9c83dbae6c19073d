/** Make: targets with well-known names, by their recipes. */

import {plainPath} from "../../git/paths.ts";
import type {Note} from "../../record/plan.ts";
import {splitShell} from "../../shell/split.ts";
import {inside, type Project} from "../files/project.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {proposeTasks, type TaskRunner} from "../proposals/task-runners.ts";
import {MAKEFILES, makefileOf, STARTS, targetsOf} from "../scripts/makefile.ts";
import {scriptPath, shellBody} from "../scripts/shell-file.ts";

export const make: Ecosystem = {name: "make", title: "Make", manifests: MAKEFILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const makefile = makefileOf(project, root);
  if (makefile === null) return {};
  const {path: file, text} = makefile;
  const targets = targetsOf(text);
  const runner: TaskRunner = {
    name: "make",
    file,
    cwd: root,
    tools: [{name: "make", hint: "install make with the runner's package manager before Assay"}],
    start: (target) => `make ${target}`,
    starts: STARTS,
    whole: true,
    behind: (line) => scriptBehind(project, root, line),
  };
  const notes: Note[] = [];
  // An included library of rules may have targets that the project does not use.
  const ownTargets = targetsOf(project.text(file) ?? "");
  const namedTargets = proposeTasks(runner, targets).filter((candidate) => {
    const why = (candidate.runs ?? []).map((line) => whyUnfit(project, root, line)).find((reason) => reason !== null);
    if (why !== undefined) notes.push({about: `${file} ${candidate.origin.key}`, text: `skipped: ${why}`});
    return why === undefined && ownTargets.has(candidate.origin.key);
  });
  return {checks: namedTargets, notes};
}

/** Programs that change the files that their arguments name: all of them, or only the last. */
const CHANGES_ALL = new Set(["rm", "mv", "tee", "truncate"]);
const CHANGES_LAST = new Set(["cp", "install"]);
/**
 * A part of a word that only the caller of make knows. An undefined variable that is a whole word is often an optional
 * argument.
 */
const GLUED_VARIABLE = /[\w=/.-]\$[({]([a-z]\w*)[)}]/;
/** A virtual environment that people create by hand. A checkout does not have it. */
const OWN_ENVIRONMENT = /^(\.\/)?\w*(venv|virtualenv)\w*\/bin\/\w/;

/**
 * Why a recipe line disqualifies its target as a check: it changes a tracked file, or needs a file that only its author
 * has.
 */
function whyUnfit(project: Project, root: string, line: string): string | null {
  const [, variable] = GLUED_VARIABLE.exec(line) ?? [];
  if (variable !== undefined) return `nothing in the makefile sets \`${variable}\``;
  for (const {words, writes} of splitShell(line) ?? []) {
    const [program = "", ...rest] = words;
    if (OWN_ENVIRONMENT.test(program) && !project.has(inside(root, program)))
      return "it starts programs of a virtual environment that is not in the tree";
    const paths = rest.filter((word) => !word.startsWith("-"));
    const rewrittenPaths = CHANGES_ALL.has(program) ? paths : CHANGES_LAST.has(program) ? paths.slice(-1) : [];
    const path = [...writes, ...rewrittenPaths].find((name) => project.has(inside(root, plainPath(name))));
    if (path !== undefined) return `it rewrites \`${path}\`, a file of the tree`;
  }
  return null;
}

/** The commands of a tracked shell script, for a line that only starts this script; null for any other line. */
function scriptBehind(project: Project, root: string, line: string): string[] | null {
  const [command, ...more] = splitShell(line) ?? [];
  // If the safety screen rejects the line itself, that must not be lost.
  if (command === undefined || more.length > 0 || screen(line).kind !== "ok") return null;
  const path = scriptPath(project, root, command.words);
  const body = path === null ? null : shellBody(project, {...command, path, cwd: root});
  return body === null || body.length === 0 ? null : body;
}
