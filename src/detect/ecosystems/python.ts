/** Python: projects of uv, poetry, pdm, hatch, pipenv and pip, by their scripts, checkers and tests. */
import type {Note} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {plainWords} from "../../shell/split.ts";
import {kindOfName} from "../../shell/stage-kind.ts";
import {mapOf, valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {isInWorkflows} from "../proposals/candidate-stages.ts";
import {
  type CandidateStage,
  type Ecosystem,
  EMPTY_PROPOSAL,
  type ProjectFolder,
  type Proposal,
} from "../proposals/ecosystem.ts";
import {checkers} from "./python-checkers.ts";
import {declaredIn, scriptsAt} from "./python-declared.ts";
import {draftOf, type PythonProject} from "./python-project.ts";
import {environmentOf, installOf, isInstalled, toxRequirements} from "./python-setup.ts";
import {tests} from "./python-tests.ts";

/** The script tables of `pyproject.toml`, with the command that starts a script. */
const SCRIPTS: readonly (readonly [readonly string[], string])[] = [
  [["tool", "pdm", "scripts"], "pdm run"],
  [["tool", "poe", "tasks"], "poe"],
  [["tool", "taskipy", "tasks"], "task"],
  [["tool", "rye", "scripts"], "rye run"],
];

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
  const pythonProject: PythonProject = {
    project,
    root,
    declared: declaredIn(project, root),
    environment: environmentOf(project, root),
  };
  const notes: Note[] = [];
  const stages = [...scripts(pythonProject), ...checkers(pythonProject, notes), ...tests(pythonProject)];
  if (stages.length === 0) return {...EMPTY_PROPOSAL, notes};
  const setup = installOf({...pythonProject, missing: missingIn(pythonProject, stages)});
  return {stages, setup: setup === null ? [] : [setup], notes, covers: coveredBy(pythonProject)};
}

/**
 * The test runner, and the packages that tox installs with it. A checker that the project does not install may be pinned in
 * another file. If a workflow names another runner, that one is selected later.
 */
function missingIn(pythonProject: PythonProject, stages: readonly CandidateStage[]): string[] {
  const runners = stages.flatMap(({kind, tools}) => (kind === "test" ? tools.map(({name}) => name) : []));
  const [first] = runners;
  const needed = runners.filter(
    (name) => name === first || isInWorkflows(pythonProject.project, new RegExp(`\\b${name}\\b`)),
  );
  const missing = needed.filter((name) => /^(pytest|tox|nox)$/.test(name) && !isInstalled(pythonProject, name));
  const ofTox = missing.includes("pytest") ? toxRequirements(pythonProject.project, pythonProject.root) : [];
  const notFromTox = missing.filter((name) => name !== "pytest" || !ofTox.some((one) => /^pytest\b/.test(one)));
  return [...new Set([...ofTox, ...notFromTox])];
}

/** Named scripts; one that is a plain command is started directly. */
function scripts(pythonProject: PythonProject): CandidateStage[] {
  const file = inside(pythonProject.root, "pyproject.toml");
  const manifest = pythonProject.project.toml(file);
  const tables: [readonly string[], string][] = SCRIPTS.map(([keys, starter]) => [keys, starter]);
  for (const env of mapOf(valueAt(manifest, "tool", "hatch", "envs")).keys())
    tables.push([["tool", "hatch", "envs", env, "scripts"], env === "default" ? "hatch run" : `hatch run ${env}:`]);
  return tables.flatMap(([keys, starter]) =>
    [...scriptsAt(manifest, ...keys)].flatMap(([name, body]): CandidateStage[] => {
      const kind: StageKind | null = kindOfName(name);
      if (kind === null || kind === "build" || kind === "check" || !/^[\w:.-]+$/.test(name)) return [];
      const line = body.replace(/\s*\{args(:[^}]*)?\}/g, "");
      const direct = starter !== "" && plainWords(line) !== null && !line.includes("{") && !starter.startsWith("hatch");
      const command = direct ? line : starter.endsWith(":") ? `${starter}${name}` : `${starter} ${name}`;
      const tool = command.split(" ")[0] ?? "";
      const origin = {file, key: [...keys, name].join("."), why: `the script \`${name}\``};
      return [
        draftOf(pythonProject, {
          kind,
          command,
          origin,
          evidence: "named",
          tool,
          slot: `python:script:${kind}`,
          ...(direct ? {} : {runs: [line]}),
        }),
      ];
    }),
  );
}

/** A workspace whose root runs all tests covers its members. */
function coveredBy({project, root}: PythonProject): string[] {
  const manifest = project.toml(inside(root, "pyproject.toml"));
  if (valueAt(manifest, "tool", "uv", "workspace") === undefined) return [];
  if (valueAt(manifest, "tool", "pytest") === undefined) return [];
  const start = root === "." ? "" : `${root}/`;
  return project
    .named("pyproject.toml")
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(0, path.lastIndexOf("/")));
}
