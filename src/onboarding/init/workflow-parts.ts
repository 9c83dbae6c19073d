/** What the workflows have in common, as lines of YAML. */
import {CHECKOUT} from "./action-pins.ts";

/** The lines, further to the right. */
export const indent = (spaces: number, lines: readonly string[]): string[] =>
  lines.map((line) => (line === "" ? line : " ".repeat(spaces) + line));

/** `timeout-minutes` of the jobs that run the agent or the stages. */
export const JOB_MINUTES = 60;

export const TRIGGER = ["on:", "  issue_comment:", "    types: [created]", "  issues:", "    types: [opened]"];

/** All that publishing needs, each with its reason. */
export const WRITE_PERMISSIONS = [
  "permissions:",
  "  contents: write # push the verified commit",
  "  issues: write # the run's one comment, and the reaction",
  "  pull-requests: write # open the pull request, and comment on one",
  "  checks: write # the check on the commit",
];

/** The key may be kept in this environment, where no other job finds it. A run is no deployment. */
export const KEY_ENVIRONMENT = ["environment:", "  name: assay", "  deployment: false"];

/** The key of a model's provider, for the step that starts the agent only. */
export const keyLine = (name: string): string => `${name}: \${{ secrets.${name} }}`;

/** A condition or a group over several lines. */
export const folded = (key: string, lines: readonly string[]): string[] => [`${key}: >-`, ...indent(2, lines)];

/** What the machines need that run stages. */
export interface Surroundings {
  readonly hasSubmodules?: boolean;
  /** lines of a job */
  readonly services?: readonly string[];
}

/** `ref` empty: the default branch, which is what the events of our workflows are about. */
export const checkoutStep = (ref: string, hasSubmodules = false): string[] => [
  `- uses: ${CHECKOUT}`,
  "  with:",
  ...(ref === "" ? [] : [`    ref: ${ref}`]),
  ...(hasSubmodules ? ["    submodules: recursive"] : []),
  "    persist-credentials: false",
];

/** The same script is in docs/security.md. Where it fails the run continues, and the report says what was used instead. */
export const SANDBOX_STEP = [
  "# For the agent and the stages. Ubuntu 24.04 lets bubblewrap make namespaces only with a profile.",
  "- name: Install the sandbox",
  "  continue-on-error: true",
  "  run: |",
  "    command -v bwrap || { sudo apt-get update && sudo apt-get install -y bubblewrap; }",
  "    bwrap --unshare-all --ro-bind / / true && exit",
  "    printf '%s\\n' 'abi <abi/4.0>,' 'include <tunables/global>' \\",
  "      'profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' | sudo tee /etc/apparmor.d/bwrap",
  "    sudo apparmor_parser -r /etc/apparmor.d/bwrap",
  "    bwrap --unshare-all --ro-bind / / true",
];

/** One step of Assay. */
export function assayStep(o: {
  uses: string;
  id?: string;
  isAlways?: boolean;
  with: readonly string[];
  env?: readonly string[];
}): string[] {
  return [
    `- uses: ${o.uses}`,
    ...(o.id === undefined ? [] : [`  id: ${o.id}`]),
    ...(o.isAlways ? ["  if: always()"] : []),
    ...(o.with.length === 0 ? [] : ["  with:", ...indent(4, o.with)]),
    ...(o.env === undefined ? [] : ["  env:", ...indent(4, o.env)]),
  ];
}
