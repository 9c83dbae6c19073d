/** Python: whether pip can install a project itself, and the packages to install in its place if it cannot. */
import {textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project, within} from "../files/project.ts";

interface ProjectRoot {
  readonly project: Project;
  readonly root: string;
}

/** Folders and modules that setuptools never takes for packages (`setuptools/discovery.py`, flat layout). */
const NO_PACKAGES =
  /^(?:ci|bin|debian|docs?|documentation|manpages|news|newsfragments|changelog|tests?|unit_tests?|examples?|scripts|tools|utils?|python|build|benchmarks?|exercises?|htmlcov|tasks|fabfile|site_scons)$/;
const NO_MODULES =
  /^(?:setup|conftest|tests?|examples?|build|toxfile|noxfile|pavement|dodo|tasks|fabfile|[Ss][Cc]onstruct|conanfile|manage|benchmarks?|exercises?)$/;

/** pip needs `setup.py` or `pyproject.toml`; `setup.cfg` alone is not enough. */
export function isInstallable({project, root}: ProjectRoot): boolean {
  if (project.has(inside(root, "setup.py"))) return true;
  const manifest = project.toml(inside(root, "pyproject.toml"));
  const config = project.text(inside(root, "setup.cfg")) ?? "";
  const isDeclared =
    valueAt(manifest, "project") !== undefined ||
    valueAt(manifest, "build-system") !== undefined ||
    (manifest !== undefined && /^\[metadata\]/m.test(config));
  if (!isDeclared) return false;
  const backend = valueAt(manifest, "build-system", "build-backend");
  const isSetuptools = backend === undefined || /^setuptools\b/.test(String(backend));
  const isExplicit =
    valueAt(manifest, "tool", "setuptools", "packages") !== undefined ||
    valueAt(manifest, "tool", "setuptools", "py-modules") !== undefined ||
    /^\[options\][^[]*^(?:packages|py_modules)\s*=/m.test(config);
  return !isSetuptools || isExplicit || !hasSeveralPackages({project, root});
}

/**
 * In a flat layout, setuptools refuses to choose between several packages, or several modules
 * (https://setuptools.pypa.io/en/latest/userguide/package_discovery.html#flat-layout).
 */
function hasSeveralPackages({project, root}: ProjectRoot): boolean {
  const paths = project.below(root).map((path) => within(root, path).split("/"));
  const folders = new Set(paths.flatMap(([first = "", ...rest]) => (rest.length > 0 ? [first] : [])));
  if (folders.has("src")) return false;
  const packages = [...folders].filter((name) => /^[A-Za-z_]\w*$/.test(name) && !/^_/.test(name));
  const candidates = packages.filter((name) => !NO_PACKAGES.test(name));
  if (candidates.length > 0) return candidates.length > 1;
  const modules = paths.flatMap(([first = "", ...rest]) =>
    rest.length === 0 ? [/^([A-Za-z]\w*)\.py$/.exec(first)] : [],
  );
  return modules.filter((match) => match !== null && !NO_MODULES.test(match[1] ?? "")).length > 1;
}

/** What the project needs, for a project that cannot be installed itself. */
export function dependenciesOf({project, root}: ProjectRoot, extras: readonly string[]): string[] {
  const manifest = project.toml(inside(root, "pyproject.toml"));
  const extra = (name: string) => textsOf(valueAt(manifest, "project", "optional-dependencies", name));
  const names = [...textsOf(valueAt(manifest, "project", "dependencies")), ...extras.flatMap(extra)];
  return names.filter((one) => !one.includes("'"));
}
