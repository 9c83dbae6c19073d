/** Python: the tests, with pytest, Django, tox, nox or unittest. */
import type {Origin} from "../../record/plan.ts";
import {inside, isBelow, within} from "../files/project.ts";
import {filesBelow, foldersBelow, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {ProjectFolder} from "../proposals/ecosystem.ts";
import {sessionCommands} from "../scripts/python-sessions.ts";
import {sectionOf} from "./python-declared.ts";
import type {PythonCheck, PythonProject} from "./python-project.ts";
import {configOf, PYTEST} from "./python-tools.ts";
import {unittestCommand} from "./python-unittest.ts";

const TEST_FILE = /(^|\/)(test_[^/]*|[^/]*_tests?|tests?)\.py$/;
const MATERIAL = /(^|\/)(fixtures?|testdata|templates?|vendor|third_party|node_modules|examples?)\//;

/**
 * The test commands, as alternatives of one slot, best first: commands in the project's environment come before those
 * that create their own.
 */
export function tests(pythonProject: PythonProject): PythonCheck[] {
  const files = testFiles(pythonProject);
  const testChecks = [...pytest(pythonProject, files), ...django(pythonProject, files)];
  const all = [
    ...testChecks,
    ...sessions(pythonProject),
    ...(testChecks.length === 0 ? unittests(pythonProject, files) : []),
  ];
  return all.map((check) => ({...check, kind: "test", slot: "python:test"}));
}

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

function django({project, root}: PythonProject, files: readonly string[]): TestCheck[] {
  const manage = inside(root, "manage.py");
  if (files.length === 0 || !project.has(manage) || project.text(manage)?.includes("django") !== true) return [];
  return [
    {command: "python manage.py test", origin: originOf(manage, "a Django project", "django"), program: "python"},
  ];
}

/** Test files of this project, without nested projects and without test material. */
export function testFiles({project, root}: ProjectFolder): string[] {
  const nestedProjects = foldersBelow(project, root, ["pyproject.toml", "setup.py", "Pipfile"]);
  const isOwn = (path: string): boolean => !nestedProjects.some((folder) => isBelow(path, folder));
  const isMaterial = (path: string): boolean => MATERIAL.test(within(root, path));
  return filesBelow(project, root, TEST_FILE).filter((path) => isOwn(path) && !isMaterial(path));
}

/** tox and nox create their own environments and install into them, so they come last. */
function sessions({project, root}: PythonProject): TestCheck[] {
  const [tox, nox] = [inside(root, "tox.ini"), inside(root, "noxfile.py")];
  const commands = sectionOf(project.text(tox) ?? "", "testenv");
  const session = /def (tests?|unit|unit_tests?|pytest)\(/.exec(project.text(nox) ?? "")?.[1];
  const manifest = inside(root, "pyproject.toml");
  const isHatch = root === "." && isInWorkflows(project, /\bhatch test\b/);
  const ofHatch = originOf(project.has(manifest) ? manifest : inside(root, "hatch.toml"), "CI tests with hatch");
  const ofTox = originOf(tox, "tox runs the tests", "testenv");
  const ofNox = originOf(nox, "nox runs the tests", session);
  const runsOf = (command: string): {runs?: readonly string[]} => {
    const runs = sessionCommands(project, root, command.split(" "));
    return runs === null ? {} : {runs};
  };
  const hasTox = commands !== null && runsAnywhere(commands);
  return [
    {command: "hatch test", origin: isHatch ? ofHatch : null, evidence: "tool", program: "hatch"},
    {command: "tox -e py", origin: hasTox ? ofTox : null, evidence: "tool", program: "tox", ...runsOf("tox -e py")},
    {
      command: `nox -s ${session}`,
      origin: session === undefined ? null : ofNox,
      evidence: "tool",
      program: "nox",
      ...runsOf(`nox -s ${session}`),
    },
  ];
}

/**
 * True if some command of tox's `[testenv]` is for every environment: `py314: pytest` runs only in environments with
 * that name.
 */
function runsAnywhere(testenv: string): boolean {
  const [, list = ""] = /^commands[ \t]*=(.*(?:\n[ \t].*|\n$)*)/m.exec(testenv) ?? [];
  return list.split("\n").some((line) => /\S/.test(line) && !/^\s*(#|[\w{},.!-]+:(\s|$))/.test(line));
}

function unittests(pythonProject: PythonProject, files: readonly string[]): TestCheck[] {
  const check = unittestCommand(pythonProject, {files, python: "python"});
  return check === null ? [] : [{...check, program: "python", priority: "last-resort"}];
}
