/** The repository's composite action, which installs its tools on the machines that run its code. */

import type {SetupSteps} from "./setup-steps.ts";
import {indent} from "./workflow-parts.ts";

/** The path that Assay's workflow runs. */
export const SETUP_ACTION = ".github/actions/assay-setup/action.yml";

/** A hint for the steps of this action. */
export const inSetupAction = (hint: string): string => hint.replace(/ in a step before Assay|,? before Assay/, "");

/** True if the action of this text has these steps, in any version. */
export const installs = (text: string, steps: readonly string[]): boolean =>
  steps.length > 0 &&
  steps
    .flatMap((line) => /^- ((?:uses: [^@]+@|run: (?:rustup|[^@=&]+)))/.exec(line)?.[1] ?? [])
    .every((start) => text.includes(start.trim()));

/** The text of the action; null if every runner has the plan's tools. */
export function setupAction({steps, comments}: SetupSteps): string | null {
  if (steps.length === 0 && comments.length === 0) return null;
  return [
    "name: Setup for Assay",
    "description: Installs the tools of this repository's checks. Assay runs it from the base commit, without secrets.",
    "runs:",
    "  using: composite",
    "  steps:",
    ...indent(4, [...comments.map(inSetupAction), ...(steps.length === 0 ? NOTHING_YET : steps)]),
    "",
  ].join("\n");
}

/** The name of the step that the owner must replace. */
export const PLACEHOLDER_STEP = "No tool is installed yet";
/** An action must have a step. */
const NOTHING_YET = [`- name: ${PLACEHOLDER_STEP}`, "  shell: bash", "  run: echo 'Replace this step.'"];
