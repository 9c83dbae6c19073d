/** The repository's own composite action, which puts its tools on the machines that run its code. */

import type {SetupSteps} from "./setup-steps.ts";
import {indent} from "./workflow-parts.ts";

/** Where our workflow looks for it. */
export const SETUP_ACTION = ".github/actions/assay-setup/action.yml";

/** The text of the action; null where the plan needs nothing that a runner may lack. */
export function setupAction({steps, comments}: SetupSteps): string | null {
  if (steps.length === 0 && comments.length === 0) return null;
  return [
    "name: Set-up for Assay",
    "description: Installs the tools that this repository's checks need. Assay runs it from the base commit, without secrets.",
    "runs:",
    "  using: composite",
    "  steps:",
    ...indent(4, [
      ...comments.map((one) => one.replace(/ before Assay$/, "")),
      ...(steps.length === 0 ? NOTHING_YET : steps),
    ]),
    "",
  ].join("\n");
}

/** Name of the step that the owner has to replace. */
export const PLACEHOLDER_STEP = "No tool is installed yet";
/** An action must have a step. */
const NOTHING_YET = [`- name: ${PLACEHOLDER_STEP}`, "  shell: bash", "  run: echo 'Replace this step.'"];
