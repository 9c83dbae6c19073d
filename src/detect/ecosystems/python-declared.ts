/** Python: the packages that a project declares, and where. They show that a configured tool is in use. */
import {mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {hooksOf} from "./pre-commit.ts";

/** How a declared package is installed. `elsewhere`: only another tool (tox, pre-commit) installs it. */
export type Holder =
  | {readonly kind: "main" | "elsewhere"}
  | {readonly kind: "extra" | "group"; readonly name: string}
  | {readonly kind: "file"; readonly path: string};

export interface Declared {
  readonly name: string;
  /** file and key that declare it */
  readonly file: string;
  readonly key: string;
  readonly holder: Holder;
}

/** Names of tools that files other than manifests may install. */
const MENTIONED = /\b(pytest|mypy|pyright|basedpyright|pyrefly|ruff|flake8|pylint|black|isort)\b/g;

/** Every package that the project in `root` declares, its own environment's first. */
export function declaredIn(project: Project, root: string): Declared[] {
  return [
    ...fromPyproject(project, inside(root, "pyproject.toml")),
    ...fromHatch(project, inside(root, "hatch.toml")),
    ...fromRequirements(project, root),
    ...fromPipfile(project, inside(root, "Pipfile")),
    ...fromSetuptools(project, root),
    ...["tox.ini", "noxfile.py"].flatMap((name) => mentionedIn(project, inside(root, name))),
    ...fromHooks(project, inside(root, ".pre-commit-config.yaml")),
  ];
}

function fromPyproject(project: Project, file: string): Declared[] {
  const manifest = project.toml(file);
  const poetry = valueAt(manifest, "tool", "poetry");
  const namesAt = (value: unknown, key: string): string[] => [...mapOf(valueAt(value, key)).keys()];
  const listsIn = (kind: "extra" | "group", ...keys: string[]): [unknown, Holder][] =>
    [...mapOf(valueAt(manifest, ...keys))].map(([name, list]) => [list, {kind, name}]);
  const lists: [unknown, Holder][] = [
    [valueAt(manifest, "project", "dependencies"), {kind: "main"}],
    [valueAt(manifest, "tool", "uv", "dev-dependencies"), {kind: "group", name: "dev"}],
    ...listsIn("extra", "project", "optional-dependencies"),
    ...listsIn("group", "dependency-groups"),
    ...listsIn("group", "tool", "pdm", "dev-dependencies"),
    ...environmentLists(valueAt(manifest, "tool", "hatch", "envs")),
  ];
  lists.push([namesAt(poetry, "dependencies"), {kind: "main"}]);
  lists.push([namesAt(poetry, "dev-dependencies"), {kind: "group", name: "dev"}]);
  for (const [name, group] of mapOf(valueAt(poetry, "group")))
    lists.push([namesAt(group, "dependencies"), {kind: "group", name}]);
  return lists.flatMap(([list, holder]) => textsOf(list).flatMap((text) => requirement(text, file, holder)));
}

const environmentLists = (environments: unknown): [unknown, Holder][] =>
  [...mapOf(environments).values()].flatMap((environment) =>
    ["dependencies", "extra-dependencies"].map((key): [unknown, Holder] => [
      valueAt(environment, key),
      {kind: "elsewhere"},
    ]),
  );

function fromHatch(project: Project, file: string): Declared[] {
  const lists = project.has(file) ? environmentLists(valueAt(project.toml(file), "envs")) : [];
  return lists.flatMap(([list, holder]) => textsOf(list).flatMap((text) => requirement(text, file, holder)));
}

function fromRequirements(project: Project, root: string): Declared[] {
  const files = [
    ...project.inFolder(root).filter((path) => /(^|\/)[\w-]*requirements[\w.-]*\.(txt|in)$/.test(path)),
    ...project.inFolder(inside(root, "requirements")).filter((path) => /\.(txt|in)$/.test(path)),
    // Packages for the documentation show nothing about the code.
  ].filter((path) => !/(^|[-_/])docs?([-_.]|$)/.test(path.slice(path.lastIndexOf("/") + 1)));
  return files.slice(0, 30).flatMap((path) =>
    (project.text(path) ?? "")
      .split("\n")
      .slice(0, 2000)
      .flatMap((line) => requirement(line.trim(), path, {kind: "file", path})),
  );
}

function fromPipfile(project: Project, file: string): Declared[] {
  if (!project.has(file)) return [];
  const pipfile = project.toml(file);
  return ["packages", "dev-packages"].flatMap((key) =>
    [...mapOf(valueAt(pipfile, key)).keys()].flatMap((name) => requirement(name, file, {kind: "group", name: key})),
  );
}

/** `setup.py` is code, so its extras are only recognized by their form. `setup.cfg` has a section for them. */
function fromSetuptools(project: Project, root: string): Declared[] {
  const setup = inside(root, "setup.py");
  const code = project.text(setup) ?? "";
  const declarations: Declared[] = [];
  for (const [, name = "", list = ""] of code.matchAll(/["']([\w-]+)["']\s*:\s*\[([^\]]{0,4000})\]/g))
    for (const [, text = ""] of list.matchAll(/["']([A-Za-z][\w.-]*)[^"']*["']/g))
      declarations.push(...requirement(text, setup, {kind: "extra", name}));
  const config = inside(root, "setup.cfg");
  const extras = sectionOf(project.text(config) ?? "", "options.extras_require") ?? "";
  for (const [, name = "", list = ""] of extras.matchAll(/^([\w-]+)\s*=\s*((?:\n?[ \t]+.*|.*)*)/gm))
    for (const line of list.split("\n")) declarations.push(...requirement(line.trim(), config, {kind: "extra", name}));
  return [...declarations, ...mentionedIn(project, setup)];
}

const mentionedIn = (project: Project, file: string): Declared[] => mentions(file, project.text(file) ?? "");

/** The tools that pre-commit hooks start. `blacken-docs` only needs black; it is a different tool. */
function fromHooks(project: Project, file: string): Declared[] {
  const hooks = project.has(file) ? hooksOf(project.yaml(file)) : [];
  return mentions(file, hooks.flatMap((hook) => [textAt(hook, "id") ?? "", textAt(hook, "entry") ?? ""]).join("\n"));
}

function mentions(file: string, text: string): Declared[] {
  return [...new Set(text.match(MENTIONED) ?? [])].map((name) => ({
    name,
    file,
    key: name,
    holder: {kind: "elsewhere"},
  }));
}

function requirement(text: string, file: string, holder: Holder): Declared[] {
  const name = /^[A-Za-z0-9][\w.-]*/.exec(text)?.[0];
  return name === undefined ? [] : [{name: name.toLowerCase().replaceAll("_", "-"), file, key: name, holder}];
}

/** The body of a section of an INI file; null if there is none. */
export function sectionOf(text: string, name: string): string | null {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  if (start < 0) return null;
  const length = lines.slice(start + 1).findIndex((line) => /^\[.*\]\s*$/.test(line));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join("\n");
}

/** The scripts of a table of `pyproject.toml`, each as one shell line. Scripts of another form are left out. */
export function scriptsAt(manifest: unknown, ...keys: string[]): Map<string, string> {
  const scripts = new Map<string, string>();
  for (const [name, value] of mapOf(valueAt(manifest, ...keys))) {
    const body = valueAt(value, "cmd") ?? valueAt(value, "shell") ?? value;
    // A list contains commands in a table called `scripts`, and the names of other tasks elsewhere.
    const lines = keys.at(-1) === "scripts" ? textsOf(body) : [];
    const line = typeof body === "string" ? body : lines.join(" && ");
    if (line !== "") scripts.set(name, line);
  }
  return scripts;
}
