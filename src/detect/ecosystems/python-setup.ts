/** Python: how to create a project's environment, from its lock file if it has one. */

import type {Origin} from "../../record/plan.ts";
import {nameSet} from "../../tools/names.ts";
import {mapOf, valueAt} from "../files/manifest-values.ts";
import {foldersUpFrom, inside, type Project, within} from "../files/project.ts";
import {findFirst, originOf} from "../proposals/candidate-stages.ts";
import type {InstallRow} from "../proposals/ecosystem.ts";
import {type Declared, sectionOf} from "./python-declared.ts";
import {dependenciesOf, isInstallable} from "./python-distribution.ts";

type PythonManager = "uv" | "poetry" | "pdm" | "pipenv" | "pip";

const HINT = {
  uv: "add the step `astral-sh/setup-uv` before Assay",
  poetry: "add the step `snok/install-poetry`, or `pipx install poetry`, before Assay",
  pdm: "add the step `pdm-project/setup-pdm` before Assay",
  pipenv: "add `pipx install pipenv` before Assay",
  pip: "add the step `actions/setup-python` before Assay",
} as const satisfies Record<PythonManager, string>;

const LOCKS: readonly (readonly [string, PythonManager])[] = [
  ["uv.lock", "uv"],
  ["poetry.lock", "poetry"],
  ["pdm.lock", "pdm"],
  ["Pipfile.lock", "pipenv"],
];
/** Extras and groups that are for development, whatever packages they list. */
const FOR_DEVELOPMENT =
  /^(dev|develop|development|tests?|testing|lint|linting|typing|typecheck|types|mypy|qa|check|ci)$/i;
const CHECKERS = nameSet(
  "pytest mypy pyright basedpyright ty pyrefly ruff flake8 pylint black isort tox nox django hypothesis",
);

/** The manager of a project, the folder that it installs from, and the evidence for it. */
export interface Environment {
  readonly manager: PythonManager;
  readonly folder: string;
  readonly lock: string | null;
}

/** The environment of a project: from the nearest lock file upwards, else from its manifest. */
export function environmentOf(project: Project, root: string): Environment {
  for (const folder of foldersUpFrom(root)) {
    const [name, manager] = LOCKS.find(([file]) => project.has(inside(folder, file))) ?? [];
    const workspace = valueAt(project.toml(inside(folder, "pyproject.toml")), "tool", "uv", "workspace");
    // A lock file further up is only shared by the members of a uv workspace.
    const isLockUsed = folder === root || (manager === "uv" && workspace !== undefined);
    if (name !== undefined && manager !== undefined && isLockUsed) return {manager, folder, lock: inside(folder, name)};
  }
  const manifest = project.toml(inside(root, "pyproject.toml"));
  const declaredManager = (["uv", "poetry", "pdm"] as const).find((name) => asksFor(manifest, name));
  return {
    manager: declaredManager ?? (project.has(inside(root, "Pipfile")) ? "pipenv" : "pip"),
    folder: root,
    lock: null,
  };
}

/** A `[tool.pdm]` that only has `build` configures the build backend, not the manager. */
function asksFor(manifest: unknown, manager: "uv" | "poetry" | "pdm"): boolean {
  const table = valueAt(manifest, "tool", manager);
  if (manager !== "pdm") return table !== undefined;
  return [...mapOf(table).keys()].some((key) => key !== "build" && key !== "version");
}

interface Install {
  readonly project: Project;
  readonly root: string;
  readonly environment: Environment;
  readonly declared: readonly Declared[];
  /** packages that stages need though no manifest of the project declares them */
  readonly missing: readonly string[];
}

/** The setup step that makes `.venv` in the folder of the environment; none if there is nothing to install. */
export function installOf(options: Install): InstallRow[] {
  const {folder, manager} = options.environment;
  const origin = whyInstalled(options);
  if (origin === null) return [];
  const tools = [{name: manager === "pip" ? "python3" : manager, hint: HINT[manager]}];
  // The environment contains the project's absolute path, so each candidate gets a separate one.
  return [{command: commandOf(options), cwd: folder, inputs: ["/**"], provides: [".venv"], tools, origin}];
}

function whyInstalled({project, root, environment, declared}: Install): Origin | null {
  const {lock, manager} = environment;
  if (lock !== null) return originOf(lock, `installed with ${manager} from its lock file`);
  const manifest = findFirst(project, root, ["pyproject.toml", "setup.py", "setup.cfg", "Pipfile"]);
  if (manifest !== null) return originOf(manifest, `installed with ${manager}`);
  const requirement = declared.find((one) => one.holder.kind === "file");
  return requirement === undefined ? null : originOf(requirement.file, "packages that it requires", requirement.key);
}

function commandOf(install: Install): string {
  const {project, root, environment, declared} = install;
  const groups = developmentNames(declared, "group");
  const extras = developmentNames(declared, "extra");
  const isLocked = environment.lock !== null;
  const tool = valueAt(project.toml(inside(root, "pyproject.toml")), "tool");
  switch (environment.manager) {
    case "uv": {
      const hasMembers = environment.folder !== root || valueAt(tool, "uv", "workspace");
      const options = [...groups.map((name) => `--group ${name}`), ...extras.map((name) => `--extra ${name}`)];
      const parts = [
        "uv sync",
        ...(isLocked ? ["--locked"] : []),
        ...(hasMembers ? ["--all-packages"] : []),
        ...options,
      ];
      return parts.join(" ");
    }
    case "poetry": {
      const optional = groups.filter((name) => valueAt(tool, "poetry", "group", name, "optional") === true);
      const withGroups = optional.length > 0 ? ` --with ${optional.join(",")}` : "";
      const withExtras = extras.map((name) => ` --extras ${name}`).join("");
      return `POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction${withGroups}${withExtras}`;
    }
    case "pdm": {
      const groupOptions = [...groups, ...extras].map((name) => ` -G ${name}`).join("");
      return `pdm install ${isLocked ? "--frozen-lockfile" : "--no-lock"}${groupOptions}`;
    }
    case "pipenv":
      return `PIPENV_VENV_IN_PROJECT=1 pipenv ${isLocked ? "sync" : "install --skip-lock"} --dev`;
    case "pip":
      return withPip(install, groups, extras);
  }
}

function withPip(options: Install, groups: readonly string[], extras: readonly string[]): string {
  const {root, missing} = options;
  const pip = ".venv/bin/python -m pip install";
  const isPackage = isInstallable(options);
  const targets = [
    ...requirementFiles(options, isPackage).map((path) => `-r ${within(root, path)}`),
    ...(isPackage
      ? [extras.length > 0 ? `-e '.[${extras.join(",")}]'` : "-e ."]
      : dependenciesOf(options, extras).map((one) => `'${one}'`)),
    ...groups.map((name) => `--group ${name}`),
    ...missing.map((one) => (/[[<>=!~]/.test(one) ? `'${one}'` : one)),
  ];
  return [
    "python3 -m venv .venv",
    // pip supports `--group` since 25.1.
    ...(groups.length > 0 ? [`${pip} -q 'pip>=25.1'`] : []),
    ...(targets.length > 0 ? [`${pip} -q ${targets.join(" ")}`] : []),
  ].join(" && ");
}

/**
 * The requirement files to install in addition to a package: only those for development or with a checker, because the
 * package installs the others.
 */
function requirementFiles({root, declared}: Pick<Install, "root" | "declared">, isPackage: boolean): string[] {
  const held = declared.flatMap(({name, holder}) => (holder.kind === "file" ? [{name, path: holder.path}] : []));
  const withChecker = new Set(held.flatMap(({name, path}) => (CHECKERS.has(name) ? [path] : [])));
  const isForDevelopment = (path: string) => /dev|test|lint|typ|ci/i.test(within(root, path));
  return [...new Set(held.map(({path}) => path))]
    .filter((path) => path.endsWith(".txt"))
    .filter((path) => !isPackage || isForDevelopment(path) || withChecker.has(path))
    .filter((path) => !/docs?\b|windows|macos|mac|gpu|cuda|min(imum)?\b/i.test(path));
}

/** True if a manifest that the setup reads names this package. */
export function isInstalled(options: Omit<Install, "missing">, name: string): boolean {
  const {declared, environment} = options;
  const isPip = environment.manager === "pip";
  const files = new Set(isPip ? requirementFiles(options, isInstallable(options)) : []);
  const [extras, groups] = [new Set(developmentNames(declared, "extra")), new Set(developmentNames(declared, "group"))];
  const installsGroups = ["poetry", "pdm", "pipenv"].includes(environment.manager);
  return declared.some(({name: other, holder}) => {
    if (other !== name) return false;
    if (holder.kind === "file") return files.has(holder.path);
    if (holder.kind === "extra") return extras.has(holder.name);
    if (holder.kind === "group") return installsGroups || groups.has(holder.name);
    return holder.kind === "main";
  });
}

/** Plain requirements of `[testenv]` in tox.ini, for every environment; references and other forms are left out. */
export function toxRequirements(project: Project, root: string): string[] {
  const [, list = ""] =
    /^deps[ \t]*=(.*(?:\n[ \t].*|\n(?=\s))*)/m.exec(
      sectionOf(project.text(inside(root, "tox.ini")) ?? "", "testenv") ?? "",
    ) ?? [];
  return list.split("\n").flatMap((line) => {
    const match = /^\s*([A-Za-z0-9][\w.-]*(?:\[[\w,-]+\])?)\s*((?:[<>=!~]=?[\w.*]+,?)*)\s*(?:#.*)?$/.exec(line);
    return match ? [`${match[1]}${match[2]}`] : [];
  });
}

/** Groups or extras that are for development, or contain a checker. */
function developmentNames(declared: readonly Declared[], kind: "group" | "extra"): string[] {
  const names = declared.flatMap(({name, holder}) =>
    holder.kind === kind && (FOR_DEVELOPMENT.test(holder.name) || CHECKERS.has(name)) ? [holder.name] : [],
  );
  return [...new Set(names)].filter((name) => /^[\w.-]+$/.test(name) && !/docs?/i.test(name));
}
