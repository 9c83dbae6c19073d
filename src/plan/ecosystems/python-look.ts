/** Python: what every part of the detector looks at, and how a draft of it starts. */
import type {StageDraft} from "../ecosystem.ts";
import {inside, type Project} from "../view.ts";
import type {Declared} from "./python-declared.ts";
import type {Environment} from "./python-setup.ts";

const TEST_HINT = "the set-up installs it; see that its install step runs";

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
  o: Pick<StageDraft, "kind" | "command" | "origin" | "evidence"> & Partial<StageDraft> & {tool: string},
): StageDraft {
  const {tool, ...rest} = o;
  return {cwd: look.root, path: pathOf(look), tools: [{name: tool, hint: TEST_HINT}], ...rest};
}
