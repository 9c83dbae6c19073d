/** Python: the checkers, and the config that shows that a project uses them. */
import type {Origin} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {baseName} from "../../shell/program.ts";
import {quoteWords} from "../../shell/quote.ts";
import {valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {findFirst, foldersBelow, hasFileBelow, originOf} from "../proposals/candidate-stages.ts";
import type {ProjectFolder} from "../proposals/ecosystem.ts";
import {sectionOf} from "./python-declared.ts";

export interface PythonTool extends ConfigPlaces {
  readonly kind: StageKind;
  /** the project's packages are appended if `onPackages` */
  readonly command: string;
  readonly onPackages?: boolean;
  readonly label?: string;
  /** true if its config alone does not show that the tool is used, because such files often outlive it */
  readonly mustBeDeclared?: boolean;
}

/** The places that may configure a tool, in addition to the table `tool.NAME` of `pyproject.toml`. */
interface ConfigPlaces {
  readonly name: string;
  /** its own config files */
  readonly files?: readonly string[];
  /** sections of INI files, as `file:section` */
  readonly sections?: readonly string[];
}

export const TOOLS: readonly PythonTool[] = [
  {
    name: "mypy",
    kind: "typecheck",
    command: "mypy",
    onPackages: true,
    files: ["mypy.ini", ".mypy.ini"],
    sections: ["setup.cfg:mypy"],
  },
  {name: "pyright", kind: "typecheck", command: "pyright", files: ["pyrightconfig.json"]},
  {name: "basedpyright", kind: "typecheck", command: "basedpyright"},
  {name: "ty", kind: "typecheck", command: "ty check", files: ["ty.toml"]},
  {name: "pyrefly", kind: "typecheck", command: "pyrefly check", files: ["pyrefly.toml"]},
  {name: "ruff", kind: "lint", command: "ruff check .", files: ["ruff.toml", ".ruff.toml"]},
  {
    name: "flake8",
    kind: "lint",
    // Unlike the other tools, flake8 also checks the virtual environment.
    command: "flake8 --extend-exclude=.venv",
    files: [".flake8"],
    sections: ["setup.cfg:flake8", "tox.ini:flake8"],
    mustBeDeclared: true,
    label: "flake8",
  },
  {
    name: "pylint",
    kind: "lint",
    command: "pylint",
    onPackages: true,
    files: [".pylintrc", "pylintrc"],
    mustBeDeclared: true,
    label: "pylint",
  },
  {name: "black", kind: "lint", command: "black --check .", mustBeDeclared: true, label: "format"},
  {
    name: "isort",
    kind: "lint",
    command: "isort --check-only .",
    files: [".isort.cfg"],
    sections: ["setup.cfg:isort", "tox.ini:isort"],
    mustBeDeclared: true,
    label: "imports",
  },
];

export const PYTEST: ConfigPlaces = {
  name: "pytest",
  files: ["pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py"],
  sections: ["setup.cfg:tool:pytest", "tox.ini:pytest"],
};

/** The place that configures a tool in `root`; null if there is none. */
export function configOf(
  {project, root}: ProjectFolder,
  {name, files = [], sections = []}: ConfigPlaces,
): Origin | null {
  const why = `${name} is configured`;
  const config = findFirst(project, root, files);
  if (config !== null) return originOf(config, why);
  const manifest = inside(root, "pyproject.toml");
  if (valueAt(project.toml(manifest), "tool", name) !== undefined) return originOf(manifest, why, `tool.${name}`);
  for (const place of sections) {
    const [name = "", ...keys] = place.split(":");
    const [file, key] = [inside(root, name), keys.join(":")];
    if (sectionOf(project.text(file) ?? "", key) !== null) return originOf(file, why, key);
  }
  return null;
}

/** The project's packages, for a checker whose config names no files. `.` if they are not clear. */
export function packagesOf(project: Project, root: string): string {
  if (hasFileBelow(project, inside(root, "src"), [".py"])) return "src";
  const isCode = (name: string): boolean => !/^(tests?|testing|docs?|examples?|scripts?|benchmarks?)$/.test(name);
  const packages = foldersBelow(project, root, ["__init__.py"]).filter((folder) => folderOf(folder) === root);
  return packages.map(baseName).filter(isCode).map(quoteWords).join(" ") || ".";
}

/** True if mypy's own config names the files to check. */
export function mypyKnowsFiles(project: Project, {file}: Origin): boolean {
  const table = file.endsWith(".toml") ? valueAt(project.toml(file), "tool", "mypy") : undefined;
  if (["files", "packages", "modules"].some((key) => valueAt(table, key) !== undefined)) return true;
  return /^\s*(files|packages|modules)\s*=/m.test(sectionOf(project.text(file) ?? "", "mypy") ?? "");
}
