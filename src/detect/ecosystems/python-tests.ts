/** Python: the tests, with pytest, Django, tox, nox or unittest. */
import type {Origin} from "../../record/plan.ts";
import {inside} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {sectionOf} from "./python-declared.ts";
import {draftOf, type PythonProject} from "./python-project.ts";
import {configOf, PYTEST} from "./python-tools.ts";

const TEST_FILE = /(^|\/)(test_[^/]*|[^/]*_tests?|tests?)\.py$/;
const MATERIAL = /(^|\/)(fixtures?|testdata|templates?|vendor|third_party|node_modules|examples?)\//;

/** The alternatives of one slot, best first: commands in the project's environment come before those that create their own. */
export function tests(pythonProject: PythonProject): CandidateStage[] {
  const {project, root, declared} = pythonProject;
  const files = testFiles(pythonProject);
  const config = configOf(pythonProject, PYTEST);
  const uses = declared.find((one) => one.name === "pytest");
  const importing = files.slice(0, 20).find((path) => /^\s*(import|from) pytest\b/m.test(project.text(path) ?? ""));
  const slot = "python:test";
  const candidates: CandidateStage[] = [];
  let origin: Origin | null = null;
  if (config !== null && (files.length > 0 || !config.key.endsWith("conftest.py"))) origin = config;
  else if (uses !== undefined && files.length > 0)
    origin = {file: uses.file, key: uses.key, why: "pytest is a dependency"};
  else if (importing !== undefined) origin = {file: importing, key: "pytest", why: "tests import pytest"};
  if (origin !== null)
    candidates.push(
      draftOf(pythonProject, {kind: "test", command: "pytest", origin, evidence: "tool", tool: "pytest", slot}),
    );
  const manage = inside(root, "manage.py");
  if (project.has(manage) && (project.text(manage) ?? "").includes("django") && files.length > 0)
    candidates.push(
      draftOf(pythonProject, {
        kind: "test",
        command: "python manage.py test",
        origin: {file: manage, key: "django", why: "a Django project"},
        evidence: "default",
        tool: "python",
        slot,
      }),
    );
  return [
    ...candidates,
    ...sessions(pythonProject, slot),
    ...(candidates.length === 0 ? unittests(pythonProject, files, slot) : []),
  ];
}

/** Test files of this project, without nested projects and without test material. */
function testFiles({project, root}: PythonProject): string[] {
  const start = root === "." ? "" : `${root}/`;
  const inner = ["pyproject.toml", "setup.py", "Pipfile"]
    .flatMap((name) => project.named(name))
    .flatMap((path) => (path.includes("/") ? [path.slice(0, path.lastIndexOf("/") + 1)] : []))
    .filter((folder) => folder !== start && folder.startsWith(start));
  return project
    .below(root)
    .filter(
      (path) =>
        TEST_FILE.test(path) &&
        !inner.some((folder) => path.startsWith(folder)) &&
        !MATERIAL.test(path.slice(start.length)),
    );
}

/** tox and nox create their own environments and install into them, so they come last. */
function sessions(pythonProject: PythonProject, slot: string): CandidateStage[] {
  const {project, root} = pythonProject;
  const candidates: CandidateStage[] = [];
  const tox = inside(root, "tox.ini");
  const commands = sectionOf(project.text(tox) ?? "", "testenv");
  if (commands !== null && runsAnywhere(commands))
    candidates.push(
      draftOf(pythonProject, {
        kind: "test",
        command: "tox -e py",
        origin: {file: tox, key: "testenv", why: "tox runs the tests"},
        evidence: "tool",
        tool: "tox",
        slot,
      }),
    );
  const nox = inside(root, "noxfile.py");
  const session = /def (tests?|unit|unit_tests?|pytest)\(/.exec(project.text(nox) ?? "")?.[1];
  if (session !== undefined)
    candidates.push(
      draftOf(pythonProject, {
        kind: "test",
        command: `nox -s ${session}`,
        origin: {file: nox, key: session, why: "nox runs the tests"},
        evidence: "tool",
        tool: "nox",
        slot,
      }),
    );
  return candidates;
}

/** True when some command of tox's `[testenv]` is for every environment: `py314: pytest` runs nothing where that is not in the name. */
function runsAnywhere(testenv: string): boolean {
  const [, list = ""] = /^commands[ \t]*=(.*(?:\n[ \t].*|\n$)*)/m.exec(testenv) ?? [];
  return list.split("\n").some((line) => /\S/.test(line) && !/^\s*(#|[\w{},.!-]+:(\s|$))/.test(line));
}

function unittests(pythonProject: PythonProject, files: readonly string[], slot: string): CandidateStage[] {
  const {project, root} = pythonProject;
  const start = root === "." ? "" : `${root}/`;
  const file = files.slice(0, 50).find((path) => /^\s*(import|from) unittest\b/m.test(project.text(path) ?? ""));
  if (file === undefined) return [];
  const [folder = ""] = file.slice(start.length).split("/");
  const isPackage = !file.slice(start.length).includes("/") || project.has(`${start}${folder}/__init__.py`);
  return [
    draftOf(pythonProject, {
      kind: "test",
      command: isPackage ? "python -m unittest discover" : `python -m unittest discover -s ${folder}`,
      origin: {file, key: "unittest", why: "tests import unittest, and there is no pytest"},
      evidence: "default",
      tool: "python",
      slot,
      priority: "last-resort",
    }),
  ];
}
