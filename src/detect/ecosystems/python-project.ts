/** Python: what every part of the detector looks at, and how a draft of it starts. */

import {inside, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import type {Declared} from "./python-declared.ts";
import {type Environment, isInstalled} from "./python-setup.ts";

const INSTALLED = "the set-up installs it; see that its install step runs";
const NOT_NAMED = "no manifest that the set-up reads names it; add it to the dependencies for development";
/** The set-up adds these where no manifest does, if it uses pip; `python` is the environment's own. */
const ADDED = /^(pytest|tox|nox)$/;

export interface Look {
  readonly project: Project;
  readonly root: string;
  readonly declared: readonly Declared[];
  readonly environment: Environment;
}

/** The folder of the environment's programs, in front of PATH. */
const pathOf = (look: Look): string[] => [inside(look.environment.folder, ".venv/bin")];

/** A draft in the project's folder, with the programs of its environment in front. */
export function draftOf(
  look: Look,
  o: Pick<CandidateStage, "kind" | "command" | "origin" | "evidence"> & Partial<CandidateStage> & {tool: string},
): CandidateStage {
  const {tool, ...rest} = o;
  const isAdded = o.kind === "test" && look.environment.manager === "pip" && ADDED.test(tool);
  const comes = isAdded || tool.startsWith("python") || isInstalled(look, tool);
  return {cwd: look.root, path: pathOf(look), tools: [{name: tool, hint: comes ? INSTALLED : NOT_NAMED}], ...rest};
}
