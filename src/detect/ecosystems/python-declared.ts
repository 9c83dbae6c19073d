/** Python: the packages that a project declares, and where. They show that a configured tool is in use. */
import {mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {hooksOf} from "./pre-commit.ts";

/** How a declared package is installed. `elsewhere`: only another tool (tox, pre-commit) installs it. */
type Holder =
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
    ...fromRequirements(project, root),
    ...["setup.py", "tox.ini", "noxfile.py"].flatMap((name) => mentionedIn(project, inside(root, name))),
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
  ];
  lists.push([namesAt(poetry, "dependencies"), {kind: "main"}]);
  lists.push([namesAt(poetry, "dev-dependencies"), {kind: "group", name: "dev"}]);
  for (const [name, group] of mapOf(valueAt(poetry, "group")))
    lists.push([namesAt(group, "dependencies"), {kind: "group", name}]);
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
