/** Knows which sources of the product a new file hides from the tests, by how the language finds a module or a class. */
import {posix} from "node:path";
import {STANDARD_MODULES} from "../../tools/python-modules.ts";
import {isCollectedByName, isTestPath} from "../source/kinds.ts";

const JVM = /^(.*?)src\/(?!main\/)\w*[tT]est\w*\/\w+\/((?:.*\/)?)[^/]+\.(?:java|kt|groovy|scala)$/;
const MOCK = /^(.*?)__mocks__\/(.*)$/;
/** A module or package in a folder from which Python imports: the root, `src`, `lib`. */
const ROOT_MODULE = /^((?:src|lib)\/)?((?!__(?:init|main)__)\w+)(?:\.py|\/__init__\.py)$/;

export const mayHideSources = (path: string): boolean => JVM.test(path) || MOCK.test(path) || moduleName(path) !== "";

const isModule = (path: string): boolean =>
  !isCollectedByName(path) && !/(?:^|\/)(?:__init__|__main__|setup)\.py$/.test(path);

interface CodePaths {
  /** the paths of all code in the base, and in the candidate */
  readonly before: readonly string[];
  readonly all: readonly string[];
}

/**
 * Of `all` paths, those that the file at `path` can stand in for, or the module of Python's standard library. The JVM
 * reads the classes of tests before those of the product; Python the folder of the tests and the root before others;
 * Jest the folder `__mocks__` next to a module.
 */
export function hiddenSources(path: string, {before, all}: CodePaths): string[] {
  const [, root = "", folder = ""] = JVM.exec(path) ?? [];
  if (JVM.test(path)) {
    const sources = /^src\/main\/\w+\/(.*\/)?[^/]+$/;
    return all.filter(
      (one) => one.startsWith(root) && sources.exec(one.slice(root.length))?.[1] === (folder || undefined),
    );
  }
  const [, place = "", name = ""] = MOCK.exec(path) ?? [];
  if (MOCK.test(path)) {
    const stem = `${place}${name.replace(/\.\w+$/, "")}`;
    return all.filter((one) => place !== "" && one.replace(/\.\w+$/, "") === stem && /\.[cm]?[jt]sx?$/.test(one));
  }
  if (ROOT_MODULE.test(path)) return behindRoot(path, {before, all});
  const suffixes = path.split("/").map((_, index, parts) => parts.slice(index).join("/"));
  const isBehind = (one: string) =>
    one !== path && !isTestPath(one) && suffixes.slice(1).includes(one.replace(/^(?:src|lib)\//, ""));
  return isTestPath(path) && isModule(path) ? [...all.filter(isBehind), ...standardModule(path, {before, all})] : [];
}

/** The modules of `src` that a new module at the root hides, and the module of the standard library. */
function behindRoot(path: string, {before, all}: CodePaths): string[] {
  const name = ROOT_MODULE.exec(path)?.[2] ?? "";
  if (!all.some((one) => one.endsWith(".py") && isCollectedByName(one))) return [];
  const isAtRoot = !/^(?:src|lib)\//.test(path) && name !== "setup" && !isTestPath(path);
  const isHidden = isAtRoot && ![`${name}.py`, `${name}/__init__.py`].some((one) => before.includes(one));
  const sources = isHidden ? before.filter((one) => one === `src/${name}.py` || one.startsWith(`src/${name}/`)) : [];
  return [...sources.filter((one) => one.endsWith(".py") && all.includes(one)), ...standardModule(path, {before, all})];
}

/** Loaded before a test run adds the folders of sources and tests to those that Python searches. */
const LOADED_BY_RUNNER = new Set(["types", "re", "enum", "functools"]);

/** The module of the standard library with the name of a new module, if Python searches its folder first. */
function standardModule(path: string, {before, all}: CodePaths): string[] {
  const name = moduleName(path);
  if (!STANDARD_MODULES.has(name) || before.some((one) => moduleName(one) === name)) return [];
  const folder = path.replace(/(?:\/__init__)?\.py$/, "").replace(/[^/]*$/, "");
  if (folder !== "" && LOADED_BY_RUNNER.has(name)) return [];
  // A test run imports from a whole folder of tests, or from the folder of each test that is in no package.
  const isRootFolder = folder === "" || /^tests?\/$/.test(folder);
  const isInPackage = before.includes(`${folder}__init__.py`);
  const isBesideTest = all.some((one) => isCollectedByName(one) && posix.dirname(one) === folder.slice(0, -1));
  return isRootFolder || (!isInPackage && (isBesideTest || ROOT_MODULE.test(path))) ? [name] : [];
}

/** The name under which Python finds a file, if its folder is one that Python searches. */
const moduleName = (path: string): string =>
  ROOT_MODULE.exec(path)?.[2] ??
  (path.endsWith(".py") && isTestPath(path) && isModule(path) ? posix.basename(path, ".py") : "");
