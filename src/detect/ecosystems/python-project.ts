/** Python: the facts that all parts of the detector share, and the programs of its checks. */

import {inside, type Project} from "../files/project.ts";
import {INSTALLED} from "../proposals/candidate-stages.ts";
import type {CheckRow} from "../proposals/ecosystem.ts";
import type {Declared} from "./python-declared.ts";
import {type Environment, isInstalled} from "./python-setup.ts";

const NOT_NAMED = "no manifest that the set-up reads names it; add it to the dependencies for development";
/** Programs that are rarely a dependency, because they make the environments themselves. */
const STANDALONE: Readonly<Record<string, string>> = {
  hatch: "install it in a step before Assay: `pipx install hatch`",
};
/** The setup adds these if no manifest does and it uses pip. `python` belongs to the environment. */
const ADDED = new Set(["pytest", "tox", "nox"]);

export interface PythonProject {
  readonly project: Project;
  readonly root: string;
  readonly declared: readonly Declared[];
  readonly environment: Environment;
}

/** A check with the program that it starts. */
export type PythonCheck = CheckRow & {readonly program: string};

/** The check with its program, and with the programs of the project's environment in front of PATH. */
export function inEnvironment(pythonProject: PythonProject, {program, ...check}: PythonCheck): CheckRow {
  const {folder, manager} = pythonProject.environment;
  const isAdded = check.kind === "test" && manager === "pip" && ADDED.has(program);
  const isProvided = isAdded || program.startsWith("python") || isInstalled(pythonProject, program);
  const tools = [{name: program, hint: isProvided ? INSTALLED : (STANDALONE[program] ?? NOT_NAMED)}];
  return {path: [inside(folder, ".venv/bin")], tools, ...check};
}
