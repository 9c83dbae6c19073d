/** just: the recipes of a justfile, by their commands. */

import {plainPath} from "../../git/paths.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import type {Task, TaskFile} from "../proposals/task-runners.ts";
import {enter} from "./shell-values.ts";

const FILES = ["justfile", "Justfile", ".justfile", "JUSTFILE"];
const MAX_LINES = 10_000;
/** Attributes that restrict a recipe to some operating systems. */
const SYSTEMS = new Set("unix linux macos windows openbsd freebsd dragonfly netbsd".split(" "));

export const JUST: TaskFile = {
  name: "just",
  title: "just",
  files: FILES,
  hint: "add the step `extractions/setup-just` before Assay",
  command: "just",
  starts: /^(?:just|"?\{\{\s*just_executable\(\)\s*\}\}"?)(?: -q| --quiet)?((?: [\w:-]+)+)$/,
  readTasks: (project, file, root) => recipesOf(textWithImports(project, file, new Set()), root),
};

/** Files with recipes that one justfile may import in total. */
const MAX_IMPORTED = 20;

/** A recipe of the importing file replaces an imported one, so the imported text comes first. */
function textWithImports(project: Project, file: string, visited: Set<string>): string {
  if (visited.has(file) || visited.size > MAX_IMPORTED) return "";
  visited.add(file);
  const text = project.text(file) ?? "";
  const imported = Array.from(text.matchAll(/^import\??\s+['"]([^'"]+)['"]/gm), ([, path = ""]) =>
    textWithImports(project, inside(folderOf(file), plainPath(path)), visited),
  );
  return [...imported, text].join("\n");
}

/** Reads recipes and fills in their plain variables. Functions stay as written. */
export function recipesOf(text: string, root: string): Map<string, Task> {
  const recipes = new Map<string, Task>();
  const variables = new Map<string, string>();
  let current: Recipe | null = null;
  let folder: string | null = null;
  let elsewhere = false;
  const aliases = Array.from(
    text.matchAll(/^alias\s+([\w-]+)\s*:=\s*([\w:-]+)/gm),
    ([, alias = "", name = ""]) => [alias, name] as const,
  );
  const source = text.replaceAll("\r\n", "\n").replace(/\\\n[ \t]*/g, " ");
  for (const line of source.split("\n").slice(0, MAX_LINES)) {
    if (/^[ \t]+\S/.test(line)) {
      const command = line.trim().replace(/^[@-]+\s*/, "");
      if (current !== null && /^#!(?!.*\b(ba|da|z)?sh\b)/.test(command))
        current.unfit = "its script is of another language";
      if (!command.startsWith("#")) current?.lines.push(fillLine(command, variables));
      continue;
    }
    const [, variable, , value = ""] = /^(?:export\s+)?([\w-]+)\s*:=\s*(['"])(.*?)\2\s*(?:#.*)?$/.exec(line) ?? [];
    if (variable !== undefined) variables.set(variable, value);
    const [, attributes = ""] = /^\[([^\]]*)\]\s*$/.exec(line) ?? [];
    const systems = attributes.split(/[\s,]+/).filter((word) => SYSTEMS.has(word));
    if (systems.length > 0) elsewhere = !systems.some((system) => system === "unix" || system === "linux");
    folder = /^\[.*working-directory\s*[:(]\s*['"]([^'"]+)['"]/.exec(line)?.[1] ?? folder;
    const [, name, parameters = "", needs = ""] = /^@?([A-Za-z_][\w-]*)([^:]*):(?!=)([^#]*)/.exec(line) ?? [];
    if (name === undefined || ["set", "alias", "import", "mod", "export"].includes(name)) continue;
    const requiredParameters = parameters
      .split(/\s+/)
      .filter((word) => /^[+$]?[A-Za-z_]/.test(word) && !word.includes("="));
    const cwd = folder === null ? null : enter(root, folder);
    const neededRecipes = Array.from(
      needs.replaceAll("&&", " ").matchAll(/\(?([A-Za-z_][\w:-]*)[^()\s]*\)?/g),
      ([, need = ""]) => need,
    );
    // Only just can start a recipe of a module, which runs in another folder.
    const inModules = neededRecipes.filter((need) => need.includes("::")).map((need) => `just ${need}`);
    current = {
      lines: inModules,
      needs: neededRecipes,
      ...(requiredParameters.length > 0 && {unfit: "it wants arguments"}),
      ...(cwd !== null && {cwd}),
    };
    // The same name may occur again for another system.
    if (!elsewhere) recipes.set(name, current);
    folder = null;
    elsewhere = false;
  }
  for (const [alias, name] of aliases) {
    const recipe = recipes.get(name);
    if (recipe !== undefined) recipes.set(alias, {...recipe, lines: [], needs: [name]});
  }
  return recipes;
}

/** A task while its lines are read. */
type Recipe = Omit<Task, "lines" | "unfit"> & {readonly lines: string[]; unfit?: string};

/** Parameters with a default, and lists, are empty if the caller passes no value. */
function fillLine(line: string, variables: ReadonlyMap<string, string>): string {
  return line
    .replace(
      /\{\{\s*([\w-]+)\s*\}\}/g,
      (whole, name: string) =>
        variables.get(name) ?? (/^(options?|args?|ARGS|FLAGS|flags|rest|params|opts)$/.test(name) ? "" : whole),
    )
    .replace(/\s+"?\$@"?\s*$/, "")
    .trim();
}
