/** The repository's composite action, which installs its tools on the machines that run its code. */

import type {SetupSteps} from "./setup-steps.ts";
import {indent} from "./workflow-parts.ts";

/** The path that Assay's workflow runs. */
export const SETUP_ACTION = ".github/actions/assay-setup/action.yml";

/** The text of the action; null if every runner has the plan's tools. */
export function setupAction({steps, comments}: SetupSteps): string | null {
  if (steps.length === 0 && comments.length === 0) return null;
  return [
    "name: Setup for Assay",
    "description: Installs the tools of this repository's checks. Assay runs it from the base commit, without secrets.",
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

/** The name of the step that the owner must replace. */
export const PLACEHOLDER_STEP = "No tool is installed yet";
/** An action must have a step. */
const NOTHING_YET = [`- name: ${PLACEHOLDER_STEP}`, "  shell: bash", "  run: echo 'Replace this step.'"];
