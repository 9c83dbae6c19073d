/** Python: projects of uv, poetry, pdm, hatch, pipenv and pip, by their scripts, checkers and tests. */
import type {Note} from "../../record/plan.ts";
import {plainWords} from "../../shell/split.ts";
import {candidatesOf, filesBelow, isInWorkflows, workflowFiles} from "../proposals/candidate-stages.ts";
import type {CandidateStage, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {checkers} from "./python-checkers.ts";
import {declaredIn} from "./python-declared.ts";
import {inEnvironment, type PythonProject} from "./python-project.ts";
import {environmentOf, installOf, isInstalled, toxRequirements} from "./python-setup.ts";
import {tests} from "./python-tests.ts";

export const python: Ecosystem = {
  name: "python",
  title: "Python",
  manifests: [
    ...["pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "noxfile.py", "pytest.ini", "mypy.ini"],
    ...["requirements.txt", "manage.py", "ruff.toml", ".flake8"],
  ],
  where: "anywhere",
  detect,
};

function detect({project, root}: ProjectFolder): Proposal {
  const [declared, environment] = [declaredIn(project, root), environmentOf(project, root)];
  const pythonProject: PythonProject = {project, root, declared, environment};
  const notes: Note[] = [];
  const rows = [...checkers(pythonProject, notes), ...tests(pythonProject)];
  const checks = candidatesOf(pythonProject, {checks: rows.map((row) => inEnvironment(pythonProject, row))});
  if (checks.length === 0) return {notes};
  const installs = installOf({...pythonProject, missing: missingIn(pythonProject, checks)});
  return {checks, installs, notes};
}

/**
 * The test packages that the install lacks, with those that tox installs: for the first runner, and for runners that a
 * workflow names, because one of these may be selected later. Checkers are added as CI or a constraint file names them.
 */
function missingIn(pythonProject: PythonProject, stages: readonly CandidateStage[]): string[] {
  const runners = stages.flatMap(({kind, tools}) => (kind === "test" ? tools.map(({name}) => name) : []));
  const [first] = runners;
  const neededPrograms = runners.filter(
    (name) => name === first || isInWorkflows(pythonProject.project, new RegExp(`\\b${name}\\b`)),
  );
  const missingPackages = neededPrograms.filter(
    (name) => ["pytest", "tox", "nox"].includes(name) && !isInstalled(pythonProject, name),
  );
  const toxPackages = missingPackages.includes("pytest")
    ? toxRequirements(pythonProject.project, pythonProject.root)
    : [];
  const otherPackages = missingPackages.filter(
    (name) => name !== "pytest" || !toxPackages.some((one) => /^pytest\b/.test(one)),
  );
  const checkers = stages.flatMap(({kind, tools}) => (kind === "test" ? [] : tools.map(({name}) => name)));
  const missingCheckers = checkers.filter((name) => !isInstalled(pythonProject, name));
  const requirements = missingCheckers.length === 0 ? [] : requirementsOf(pythonProject);
  const namedCheckers = missingCheckers.flatMap(
    (name) => requirements.find((one) => /^[\w.-]+/.exec(one)?.[0] === name) ?? [],
  );
  return [...new Set([...toxPackages, ...otherPackages, ...namedCheckers])];
}

/**
 * The requirements that workflows install, as in kjd/idna (`python -m pip install ruff mypy`) and pydantic-core (`pip
 * install -U twine 'ruff==0.5.0'`), and those of constraint files.
 */
function requirementsOf({project, root}: PythonProject): string[] {
  const installs = workflowFiles(project).flatMap((path) =>
    Array.from(
      (project.text(path) ?? "").matchAll(/\b(?:pip3?|pipx|uv tool) install (.*)$/gm),
      ([, words = ""]) => words,
    ),
  );
  const constraints = filesBelow(project, root, /(?:^|\/)constraints?[\w.-]*\.txt$/).flatMap((path) =>
    (project.text(path) ?? "").split("\n"),
  );
  return [...installs.flatMap((line) => plainWords(line) ?? []), ...constraints.map((line) => line.trim())].filter(
    (one) => /^[A-Za-z][\w.-]*(?:\[[\w,-]+\])?(?:[<>=!~]=?[\w.*]+,?)*$/.test(one),
  );
}
