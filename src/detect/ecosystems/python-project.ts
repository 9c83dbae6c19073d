/** Python: the facts that all parts of the detector share, and the common fields of its candidates. */

import {inside, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import type {Declared} from "./python-declared.ts";
import {type Environment, isInstalled} from "./python-setup.ts";

const INSTALLED = "the set-up installs it; see that its install step runs";
const NOT_NAMED = "no manifest that the set-up reads names it; add it to the dependencies for development";
/** The setup adds these if no manifest does and it uses pip. `python` belongs to the environment. */
const ADDED = /^(pytest|tox|nox)$/;

export interface PythonProject {
  readonly project: Project;
  readonly root: string;
  readonly declared: readonly Declared[];
  readonly environment: Environment;
}

/** The folder of the environment's programs, in front of PATH. */
const pathOf = (pythonProject: PythonProject): string[] => [inside(pythonProject.environment.folder, ".venv/bin")];

/** A candidate in the project's folder, with the programs of its environment in front of PATH. */
export function draftOf(
  pythonProject: PythonProject,
  o: Pick<CandidateStage, "kind" | "command" | "origin" | "evidence"> & Partial<CandidateStage> & {tool: string},
): CandidateStage {
  const {tool, ...rest} = o;
  const isAdded = o.kind === "test" && pythonProject.environment.manager === "pip" && ADDED.test(tool);
  const isProvided = isAdded || tool.startsWith("python") || isInstalled(pythonProject, tool);
  return {
    cwd: pythonProject.root,
    path: pathOf(pythonProject),
    tools: [{name: tool, hint: isProvided ? INSTALLED : NOT_NAMED}],
    ...rest,
  };
}
