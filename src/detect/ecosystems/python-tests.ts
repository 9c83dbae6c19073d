/** Python: the tests, with pytest or unittest. */
import type {Origin} from "../../record/plan.ts";
import {quoteWords} from "../../shell/quote.ts";
import {folderOf, inside, isBelow, within} from "../files/project.ts";
import {filesBelow, foldersBelow, originOf} from "../proposals/candidate-stages.ts";
import type {ProjectFolder} from "../proposals/ecosystem.ts";
import type {PythonCheck, PythonProject} from "./python-project.ts";
import {configOf, PYTEST} from "./python-tools.ts";

const TEST_FILE = /(^|\/)(test_[^/]*|[^/]*_tests?|tests?)\.py$/;
const MATERIAL = /(^|\/)(fixtures?|testdata|templates?|vendor|third_party|node_modules|examples?)\//;

/** The commands that run the tests, best first: those in the project's environment, then those that create their own. */
export function tests(pythonProject: PythonProject): PythonCheck[] {
  const {project, root} = pythonProject;
  const files = testFiles(pythonProject);
  const sessions = SESSIONS.filter(({file}) => project.has(inside(root, file))).map(
    ({file, ...check}): TestCheck => ({
      ...check,
      origin: originOf(inside(root, file), `${check.program} runs the tests`),
    }),
  );
  const own = [...pytest(pythonProject, files), ...sessions];
  const checks = own.length > 0 ? own : unittests(pythonProject, files);
  return checks.map((check) => ({...check, kind: "test", slot: "python:test"}));
}

const SESSIONS = [
  {file: "tox.ini", command: "tox -e py", evidence: "tool", program: "tox"},
  {file: "noxfile.py", command: "nox", evidence: "tool", program: "nox"},
] as const;

type TestCheck = Omit<PythonCheck, "kind">;

function pytest(pythonProject: PythonProject, files: readonly string[]): TestCheck[] {
  const {project, root, declared} = pythonProject;
  const config = configOf(pythonProject, PYTEST);
  const uses = declared.find((one) => one.name === "pytest");
  const importingFile = files.slice(0, 20).find((path) => /^\s*(import|from) pytest\b/m.test(project.text(path) ?? ""));
  let origin: Origin | null = null;
  // A project may name its test files in another way, or test its documentation.
  const namesFiles = config !== null && /python_files|doctest|--pyargs/.test(project.text(config.file) ?? "");
  const hasTests = files.length > 0 || namesFiles || filesBelow(project, root, TEST_FILE).length > 0;
  if (config !== null && hasTests && (files.length > 0 || !config.key.endsWith("conftest.py"))) origin = config;
  else if (uses !== undefined && files.length > 0) origin = originOf(uses.file, "pytest is a dependency", uses.key);
  else if (importingFile !== undefined) origin = originOf(importingFile, "tests import pytest", "pytest");
  return origin === null ? [] : [{command: "pytest", origin, evidence: "tool", program: "pytest"}];
}

/** A project without pytest: what `unittest` finds from the root, or from the folder of the tests if it is no package. */
function unittests({project, root}: PythonProject, files: readonly string[]): TestCheck[] {
  const file = files.find((path) => /^\s*(import|from) unittest\b/m.test(project.text(path) ?? ""));
  if (file === undefined) return [];
  const folder = within(root, folderOf(file));
  const options = project.has(inside(folderOf(file), "__init__.py")) ? " -t ." : "";
  const command = `python -m unittest discover${folderOf(file) === root ? "" : ` -s ${quoteWords(folder)}${options}`}`;
  return [{command, origin: originOf(file, "tests import unittest"), program: "python", priority: "last-resort"}];
}

/** Test files of this project, without nested projects and without test material. */
function testFiles({project, root}: ProjectFolder): string[] {
  const nestedProjects = foldersBelow(project, root, ["pyproject.toml", "setup.py", "Pipfile"]);
  const isOwn = (path: string): boolean => !nestedProjects.some((folder) => isBelow(path, folder));
  const isMaterial = (path: string): boolean => MATERIAL.test(within(root, path));
  return filesBelow(project, root, TEST_FILE).filter((path) => isOwn(path) && !isMaterial(path));
}
