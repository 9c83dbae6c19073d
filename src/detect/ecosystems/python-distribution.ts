/** Python: whether pip can install a project itself, and the packages to install in its place if it cannot. */
import {textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";

interface ProjectRoot {
  readonly project: Project;
  readonly root: string;
}

/** pip needs `setup.py` or `pyproject.toml`; `setup.cfg` alone is not enough. */
export function isInstallable({project, root}: ProjectRoot): boolean {
  if (project.has(inside(root, "setup.py"))) return true;
  const manifest = project.toml(inside(root, "pyproject.toml"));
  const config = project.text(inside(root, "setup.cfg")) ?? "";
  const isDeclared =
    valueAt(manifest, "project") !== undefined ||
    valueAt(manifest, "build-system") !== undefined ||
    (manifest !== undefined && /^\[metadata\]/m.test(config));
  return isDeclared;
}

/** What the project needs, for a project that cannot be installed itself. */
export function dependenciesOf({project, root}: ProjectRoot, extras: readonly string[]): string[] {
  const manifest = project.toml(inside(root, "pyproject.toml"));
  const extra = (name: string) => textsOf(valueAt(manifest, "project", "optional-dependencies", name));
  const names = [...textsOf(valueAt(manifest, "project", "dependencies")), ...extras.flatMap(extra)];
  return names.filter((one) => !one.includes("'"));
}
