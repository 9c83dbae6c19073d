/** Python without a manifest: the tests of a tree of modules, by pytest if they use it, otherwise by unittest. */

import {folderOf, inside, type Project} from "../files/project.ts";
import {findFirst, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {python} from "./python.ts";
import {testFiles} from "./python-tests.ts";
import {unittestCommand, unittestFiles} from "./python-unittest.ts";
import {OTHER_LANGUAGE} from "./shell.ts";

export const pythonPlain: Ecosystem = {
  name: "python-plain",
  title: "Python without a manifest",
  manifests: ["README.md", "README.rst", "*.py", "tests/*.py", "test/*.py"],
  where: "beside",
  detect,
};

const COLLECTED = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
const MAX_NOTES = 5;
const PYTHON = {name: "python3", hint: "add the step `actions/setup-python` before Assay"};

function detect({project, root}: ProjectFolder): Proposal {
  const isOther = project.inFolder(".").some((path) => OTHER_LANGUAGE.test(path));
  if (root !== "." || isOther || findFirst(project, root, python.manifests) !== null) return {};
  const files = testFiles({project, root});
  const env = sourceFolder(project, files);
  const shared = {kind: "test" as const, env, priority: "last-resort" as const};
  const pytestFile = files.find((path) => usesPytest(project.text(path) ?? ""));
  const unittests = unittestFiles(project, files);
  if (pytestFile === undefined) {
    const check = unittestCommand({project, root}, {files, python: "python3"});
    if (check === null) return {};
    const others = files.filter((path) => !unittests.includes(path)).slice(0, MAX_NOTES);
    const text = "it has no test of unittest, and no manifest says how it runs, so no stage runs it";
    return {tool: PYTHON, checks: [{...shared, ...check}], notes: others.map((about) => ({about, text}))};
  }
  // pytest collects other files only if a configuration names them.
  if (
    [...unittests, ...files.filter((path) => usesPytest(project.text(path) ?? ""))].some(
      (path) => !COLLECTED.test(path),
    )
  )
    return {};
  const origin = originOf(pytestFile, "tests are written for pytest", "pytest");
  // No manifest names the packages that the modules import, so those of the machine stay visible. pytest itself belongs
  // to the environment.
  const command =
    "python3 -m venv --system-site-packages .venv && .venv/bin/python3 -m pip install -q --ignore-installed pytest";
  return {
    tool: PYTHON,
    origin,
    // As a module, pytest finds the modules in the root folder.
    checks: [{...shared, command: "python3 -m pytest", evidence: "tool", path: [".venv/bin"]}],
    installs: [{command, inputs: ["/**"], provides: [".venv"]}],
  };
}

const usesPytest = (text: string): boolean =>
  /^\s*(?:import|from) pytest\b/m.test(text) ||
  (/^(?:async )?def test_\w+\(/m.test(text) && /^\s+assert\b/m.test(text));

/** The variables with which tests find modules in `src`, if these are nowhere else. */
function sourceFolder(project: Project, files: readonly string[]): Readonly<Record<string, string>> {
  const imports = files.slice(0, 50).flatMap((path) => {
    const names = new Set(
      [...(project.text(path) ?? "").matchAll(/^(?:import|from) (\w+)/gm)].map(([, name = ""]) => name),
    );
    return [...names].slice(0, 100).map((name) => ({name, folder: folderOf(path)}));
  });
  const isIn = (folder: string, name: string): boolean =>
    project.has(inside(folder, `${name}.py`)) || project.below(inside(folder, name)).length > 0;
  const needsSource = imports.some(({name, folder}) => isIn("src", name) && !isIn(".", name) && !isIn(folder, name));
  return needsSource ? {PYTHONPATH: "src"} : {};
}
