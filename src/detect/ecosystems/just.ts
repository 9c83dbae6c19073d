/** just: the recipes of a justfile, by their commands. */

import {findFirst} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL, type ProjectFolder, type Proposal} from "../proposals/ecosystem.ts";
import {proposeTasks, type Task} from "../proposals/task-runners.ts";
import {enter} from "../scripts/shell-lines.ts";

const FILES = ["justfile", "Justfile", ".justfile", "JUSTFILE"];
const MAX_LINES = 10_000;
/** Attributes that restrict a recipe to some operating systems. */
const SYSTEMS = new Set("unix linux macos windows openbsd freebsd dragonfly netbsd".split(" "));

export const just: Ecosystem = {name: "just", title: "just", manifests: FILES, where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const file = findFirst(project, root, FILES);
  const text = file === null ? null : project.text(file);
  if (file === null || text === null) return EMPTY_PROPOSAL;
  const runner = {
    name: "just",
    file,
    cwd: root,
    tools: [{name: "just", hint: "add the step `extractions/setup-just` before Assay"}],
    start: (task: string) => `just ${task}`,
    starts: /^just ([\w-]+)$/,
  };
  return {stages: proposeTasks(runner, recipesOf(text, root)), setup: [], notes: []};
}

/** Reads recipes and fills in their plain variables. Imports, modules and functions stay as written. */
export function recipesOf(text: string, root: string): Map<string, Task> {
  const recipes = new Map<string, {lines: string[]; needs: string[]; unfit?: string; cwd?: string}>();
  const variables = new Map<string, string>();
  let current: {lines: string[]; needs: string[]; unfit?: string} | null = null;
  let folder: string | null = null;
  let elsewhere = false;
  for (const line of text
    .replaceAll("\r\n", "\n")
    .replace(/\\\n[ \t]*/g, " ")
    .split("\n")
    .slice(0, MAX_LINES)) {
    if (/^[ \t]+\S/.test(line)) {
      const command = line.trim().replace(/^[@-]+\s*/, "");
      if (current !== null && /^#!(?!.*\b(ba|da|z)?sh\b)/.test(command))
        current.unfit = "its script is of another language";
      if (!command.startsWith("#")) current?.lines.push(filled(command, variables));
      continue;
    }
    const assigned = /^(?:export\s+)?([\w-]+)\s*:=\s*(['"])(.*?)\2\s*(?:#.*)?$/.exec(line);
    if (assigned?.[1] !== undefined) variables.set(assigned[1], assigned[3] ?? "");
    const systems =
      /^\[([^\]]*)\]\s*$/
        .exec(line)?.[1]
        ?.split(/[\s,]+/)
        .filter((word) => SYSTEMS.has(word)) ?? [];
    if (systems.length > 0) elsewhere = !systems.some((system) => system === "unix" || system === "linux");
    const attribute = /^\[.*working-directory\s*[:(]\s*['"]([^'"]+)['"]/.exec(line)?.[1];
    if (attribute !== undefined) folder = attribute;
    const rule = /^@?([A-Za-z_][\w-]*)([^:]*):(?!=)([^#]*)/.exec(line);
    if (rule?.[1] === undefined || /^(set|alias|import|mod|export)$/.test(rule[1])) continue;
    const wants = (rule[2] ?? "")
      .trim()
      .split(/\s+/)
      .filter((word) => /^[+$]?[A-Za-z_]/.test(word) && !word.includes("="));
    const cwd = folder === null ? null : enter(root, folder);
    const recipe: {lines: string[]; needs: string[]; unfit?: string; cwd?: string} = {
      lines: [],
      needs: [...(rule[3] ?? "").replaceAll("&&", " ").matchAll(/\(?([A-Za-z_][\w-]*)[^()\s]*\)?/g)].map(
        (match) => match[1] ?? "",
      ),
      ...(wants.length > 0 ? {unfit: "it wants arguments"} : {}),
      ...(cwd === null ? {} : {cwd}),
    };
    folder = null;
    current = recipe;
    // The same name may appear again for another system.
    if (!elsewhere) recipes.set(rule[1], recipe);
    elsewhere = false;
  }
  return recipes;
}

/** Parameters with a default, and lists, are empty if the caller passes none. */
function filled(line: string, variables: ReadonlyMap<string, string>): string {
  return line
    .replace(
      /\{\{\s*([\w-]+)\s*\}\}/g,
      (whole, name: string) =>
        variables.get(name) ?? (/^(options?|args?|ARGS|FLAGS|flags|rest|params|opts)$/.test(name) ? "" : whole),
    )
    .replace(/\s+"?\$@"?\s*$/, "")
    .trim();
}
