/** Decides which paths one command reads: a rule for each known tool, otherwise everything below its folder. */

import {minimatch} from "minimatch";
import {TEST_PATTERNS} from "../../changes/path-lists.ts";
import {textEntries, textsOf, valueAt} from "../../detect/files/manifest-values.ts";
import {folderOf, inside, isBelow, type Project, within} from "../../detect/files/project.ts";
import {isOfKind, plainPath} from "../../git/paths.ts";
import type {StageKind} from "../../record/words.ts";
import {memoize} from "../../shell/memoize.ts";
import {COMMANDS, familyOf} from "../../tools/all-commands.ts";
import {unwrap} from "../../tools/command-name.ts";
import {LINTED_SCRIPT, PYTHON, SHELL} from "../../tools/file-kinds.ts";
import {PYTEST_FILES, TEST_PATHS} from "../../tools/pytest.ts";
import {RUFF_TABLES, ruffCommand} from "../../tools/ruff.ts";
import type {ProjectFamily} from "../../tools/tool-command.ts";
import {goTarget, isBuilt} from "./go-constraints.ts";
import {crateName, findProjectsRead} from "./members.ts";
import type {Projects} from "./projects.ts";

/** The machine that runs the stages, in Node's terms. */
export interface ReadEnvironment {
  readonly platform: string;
  readonly arch: string;
}

/**
 * The paths of a command: those that its projects and folders include, and those that it reads because of their type.
 */
export interface Reach {
  takesIn(path: string): boolean;
  reads(path: string): boolean;
}

const JVM = [".java", ".kt", ".kts", ".scala", ".groovy"];
const TEST_FILE = /(\.|-|_)(test|spec)\.\w+$|\/__tests__\/|(^|\/)test_[^/]*\.py$|_test\.py$/;
const BENCHMARK = /(^|\/)benches\/.*\.rs$/;

/** The source files of a family. */
const NATIVE: Readonly<Record<ProjectFamily, readonly string[]>> = {
  go: [".go"],
  rust: [".rs"],
  maven: JVM,
  gradle: JVM,
  node: LINTED_SCRIPT,
  python: PYTHON,
  ruby: [".rb", ".rake", ".erb"],
  php: [".php"],
  elixir: [".ex", ".exs"],
  dart: [".dart"],
  swift: [".swift"],
  other: [],
};
/**
 * Source code: a tool reads only its own languages, so a Go build reads no Python. Any tool may read data, markup and
 * C.
 */
const PROGRAM = [
  ...Object.values(NATIVE).flat(),
  ...[...SHELL, ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".pl", ".lua", ".cs", ".fs", ".hs", ".tf"],
];
/** Linters also read nested projects, but only some files. */
const LINTERS = new Map(
  COMMANDS.flatMap((one) =>
    one.lintedFiles === undefined ? [] : (one.programs ?? []).map((name) => [name, one] as const),
  ),
);

/** Where and for which stage a command runs. */
export interface CommandPlace {
  readonly projects: Projects;
  readonly cwd: string;
  readonly kind: StageKind;
  /** null if the command may build for another machine */
  readonly machine: ReadEnvironment | null;
}

/** The reach of one plain command; null for an unknown tool. */
export function commandReach(commandWords: readonly string[], context: CommandPlace): Reach | null {
  const {projects, cwd} = context;
  const bareWords = unwrap(commandWords);
  const line = bareWords
    .join(" ")
    .replace(/^node .*--test.*/, "node --test")
    .replace(/^cargo \+\S+/, "cargo");
  const words = line.split(" ");
  const family = familyOf(words);
  const linter = LINTERS.get(words[0] ?? "");
  if (family === undefined && linter === undefined) return null;
  const namedPaths = findNamedPaths(bareWords, projects.tree, cwd);
  if (family !== undefined) return familyReach({...context, family, line, words: bareWords, namedPaths});
  const isExcluded = linter === ruffCommand ? excludedPaths(projects.tree, cwd) : [];
  const lints = (path: string) =>
    linter?.lintedFiles !== undefined &&
    isOfKind(path, linter.lintedFiles) &&
    namedPaths.some((named) => isBelow(path, named)) &&
    !isExcluded.some((folder) => isBelow(path, folder));
  const home = projects.homeOf(inside(cwd, "x"));
  return {takesIn: (path) => lints(path) || (home !== null && projects.homeOf(path) === home), reads: lints};
}

interface FamilyCommand extends CommandPlace {
  readonly family: ProjectFamily;
  readonly line: string;
  readonly words: readonly string[];
  /** the folders and files that it names */
  readonly namedPaths: readonly string[];
}

function familyReach(options: FamilyCommand): Reach {
  const {projects, cwd, kind, family, line, words, machine} = options;
  const native = NATIVE[family];
  const isWholeWorkspace = /--(workspace|all)\b/.test(line);
  const includedProjects = findProjectsRead(projects, {folder: cwd, family, whole: isWholeWorkspace});
  const excludedNames = family === "rust" ? words.filter((_, i) => words[i - 1] === "--exclude") : [];
  for (const folder of excludedNames.length > 0 ? includedProjects : [])
    if (excludedNames.includes(crateName(projects, folder))) includedProjects.delete(folder);
  for (const named of options.namedPaths)
    if (named !== cwd) includedProjects.add(projects.homeOf(inside(named, "x"), family) ?? cwd);
  const isTest = kind === "test" || kind === "check";
  // `go test ./pkg/...` names everything that it reads. The paths of other test runners are only the tests, which
  // import other files.
  const readPaths = family === "go" ? options.namedPaths : [cwd];
  const roots = testRoots(options);
  const isCollecting = family === "node" || family === "python";
  // A runner that searches all folders also finds the tests of a nested project.
  const isTested = memoize(
    (home: string) =>
      (isCollecting &&
        projects.has(home, family) &&
        roots.some((root) => isBelow(home, root)) &&
        projects.tree.below(home).some((path) => TEST_FILE.test(path))) ||
      isTestMaterial(home, options),
  );
  const isProject = projects.has(cwd, family);
  const takesIn = (path: string): boolean => {
    const home = projects.homeOf(path, family);
    const nearest = projects.homeOf(path);
    const isInside = home === null ? isBelow(path, cwd) && !isProject : includedProjects.has(home);
    const isForeign = nearest !== null && nearest !== home && nearest !== cwd && isBelow(nearest, home ?? cwd);
    const isRead = isInside && (!isForeign || isOfKind(path, native)) && readPaths.some((one) => isBelow(path, one));
    if (isRead && !isIgnoredByGo(path, family, home)) return true;
    return isTest && isBelow(path, cwd) && nearest !== null && nearest !== cwd && isTested(nearest);
  };
  // A runner with configured test folders runs no test file elsewhere, and no other file imports one.
  const folders = roots.filter((root) => projects.tree.below(root).length > 0);
  const isCollected = (path: string) =>
    !isCollecting || !TEST_FILE.test(path) || folders.length === 0 || folders.some((root) => isBelow(path, root));
  const target = family === "go" && machine !== null ? goTarget(machine, words) : null;
  // Only these options compile benchmarks (`cargo help check`, "Target Selection").
  const readsBenches = family !== "rust" || /--(all-targets|benches)\b|^cargo fmt\b/.test(line);
  const reads = (path: string): boolean => {
    if (!isCollected(path) || (!readsBenches && BENCHMARK.test(path))) return false;
    if (target !== null && !isBuilt(path, projects.tree.text(path), target)) return false;
    const isText = isOfKind(path, native) || !isOfKind(path, PROGRAM);
    return takesIn(path) && (kind === "lint" || kind === "typecheck" ? isOfKind(path, native) : isText);
  };
  return {takesIn, reads};
}

/** The go command ignores folders whose name begins with `_` or a dot. */
function isIgnoredByGo(path: string, family: ProjectFamily, home: string | null): boolean {
  if (family !== "go" || !path.endsWith(".go")) return false;
  const inHome = within(home ?? ".", path);
  return inHome
    .split("/")
    .slice(0, -1)
    .some((part) => /^[_.]/.test(part));
}

/** The existing folders and files that a command names; without any, its own folder. */
function findNamedPaths(words: readonly string[], tree: Project, cwd: string): string[] {
  const namedPaths = words.slice(1).flatMap((word) => {
    if (word.startsWith("-")) return [];
    const [prefix = ""] = plainPath(word)
      .replace(/\/?\.\.\.$/, "")
      .split("*");
    const path = plainPath(prefix);
    if (path === "" || path === ".") return /^[.*]/.test(word) ? [cwd] : [];
    const named = inside(cwd, path);
    return tree.has(named) || tree.below(named).length > 0 ? [named] : [];
  });
  return namedPaths.length > 0 ? namedPaths : [cwd];
}

/** The paths that the first of ruff's tables excludes. */
function excludedPaths(tree: Project, cwd: string): string[] {
  const configs = RUFF_TABLES.map(([file, ...keys]) => valueAt(tree.toml(inside(cwd, file)), ...keys));
  const config = configs.find((one) => one !== undefined && one !== null);
  return ["exclude", "extend-exclude"].flatMap((key) =>
    textsOf(valueAt(config, key)).map((path) => inside(cwd, plainPath(path))),
  );
}

/**
 * The folders in which the family's test runner searches for tests, if a file names some; by default the given ones.
 */
function testRoots({projects, cwd, family, namedPaths}: FamilyCommand): readonly string[] {
  if (family !== "python" || namedPaths[0] !== cwd) return namedPaths;
  const configs = PYTEST_FILES.map((name) => projects.tree.text(inside(cwd, name)));
  const [, list = ""] = TEST_PATHS.exec(configs.join("\n")) ?? [];
  const roots = list.split(/[\s"',[\]]+/).filter((word) => word !== "");
  return roots.length === 0 ? [cwd] : roots.map((root) => inside(cwd, root));
}

/** True for a project in a test folder that belongs to the outer project, because the outer project's tests use it. */
function isTestMaterial(home: string, {projects, cwd, family}: FamilyCommand): boolean {
  const isNested = (folder: string): boolean => folder !== "." && folder !== cwd && isBelow(folder, cwd);
  for (let folder = folderOf(home); isNested(folder); folder = folderOf(folder)) {
    const isTestFolder = TEST_PATTERNS.some((glob) => minimatch(`${folder}/x`, glob, {dot: true}));
    const isOuterCode = (file: string) =>
      isOfKind(file, NATIVE[family]) && !isBelow(projects.homeOf(file) ?? ".", folder);
    if (isTestFolder && projects.tree.below(folder).some(isOuterCode)) return true;
  }
  return false;
}

/**
 * The reach of a command over workspace members: the `selected` members with this script (by default all), and their
 * dependencies.
 */
export function membersReach(
  script: string,
  options: {projects: Projects; cwd: string; selected?: (folder: string, name: unknown) => boolean},
): Reach {
  const {projects, cwd, selected = () => true} = options;
  const members = [...findProjectsRead(projects, {folder: cwd, family: "node", whole: true})].filter(
    (folder) => folder !== cwd,
  );
  const manifest = (folder: string) => projects.tree.json(inside(folder, "package.json"));
  const withScript = members
    .filter((folder) => textEntries(valueAt(manifest(folder), "scripts")).has(script))
    .filter((folder) => selected(folder, valueAt(manifest(folder), "name")));
  const folderByName = new Map(members.map((folder) => [valueAt(manifest(folder), "name"), folder]));
  const folders = new Set(withScript);
  for (const folder of folders)
    for (const list of ["dependencies", "devDependencies", "peerDependencies"])
      for (const name of textEntries(valueAt(manifest(folder), list)).keys()) {
        const neededFolder = folderByName.get(name);
        if (neededFolder !== undefined) folders.add(neededFolder);
      }
  const takesIn = (path: string) => [...folders].some((folder) => isBelow(path, folder));
  return {takesIn, reads: takesIn};
}
