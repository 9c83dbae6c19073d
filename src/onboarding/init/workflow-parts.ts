/** The common parts of the workflows, as lines of YAML. */

import {COMMAND_WORDS} from "../../request/command.ts";
import {chosenName, isChosen, triggersWith} from "../../request/triggers.ts";
import {ASSAY, CHECKOUT, DOWNLOAD, UPLOAD} from "./action-pins.ts";
import type {WorkflowProvider} from "./providers.ts";
import {answerCondition} from "./start-condition.ts";

export const indent = (spaces: number, lines: readonly string[]): string[] =>
  lines.map((line) => (line === "" ? line : " ".repeat(spaces) + line));

/** `timeout-minutes` of the jobs that run the agent or the stages. */
export const JOB_MINUTES = 60;

/** Where a job runs: as the inputs of the called workflow say, or on the usual machine. */
export function machineLines(job: "work" | "verify" | "others", isCalled: boolean): string[] {
  const minutes =
    job === "others" ? [] : [`timeout-minutes: ${isCalled ? "${{ inputs.timeout-minutes }}" : JOB_MINUTES}`];
  if (!isCalled) return ["runs-on: ubuntu-latest", ...minutes];
  const perJob = `startsWith(inputs.runs-on, '{') && (fromJSON(inputs.runs-on).${job} || 'ubuntu-latest')`;
  if (job === "others") return [`runs-on: \${{ ${perJob} || 'ubuntu-latest' }}`];
  const forAll = "startsWith(inputs.runs-on, '[') && fromJSON(inputs.runs-on) || inputs.runs-on";
  return [`runs-on: \${{ ${perJob} || ${forAll} }}`, ...minutes, "container: ${{ fromJSON(inputs.container) }}"];
}

/** `on:` of a workflow with these optional triggers. */
export function eventLines(options: readonly string[]): string[] {
  const triggers = triggersWith(options);
  const events = [...new Set(triggers.map(({event}) => event))];
  const actionsOf = (name: string) => [
    ...new Set(triggers.flatMap(({event, action}) => (event === name ? action : []))),
  ];
  const settings: Readonly<Record<string, readonly string[]>> = {
    workflow_dispatch: DISPATCH_INPUTS,
    schedule: [`- cron: "${chosenName(options, "schedule")}"`],
    workflow_run: [`workflows: ${chosenName(options, "ci")}`, "types: [completed]"],
    push: [`branches: [${JSON.stringify(chosenName(options, "update") || "**")}]`],
  };
  return [
    "on:",
    ...events.flatMap((name) => [
      `  ${name}:`,
      ...indent(4, settings[name] ?? [`types: [${actionsOf(name).join(", ")}]`]),
    ]),
  ];
}

const DISPATCH_INPUTS = [
  "inputs:",
  "  issue:",
  '    description: "Number of an issue or pull request; empty for a run without one"',
  "    type: number",
  "  text:",
  '    description: "The request; empty for the text of the issue"',
];

/** The permission to read when a run was started, to count the scheduled runs of a day, and to read failed workflows. */
export const readRuns = (on: readonly string[]): string[] =>
  ["dispatch", "schedule", "ci"].some((option) => isChosen(on, option))
    ? ["  actions: read # when this run started, the runs of the day, and failed jobs"]
    : [];

/** The permissions for publishing. */
export const WRITE_PERMISSIONS = [
  "permissions:",
  "  contents: write # push the verified commit",
  "  issues: write # the comment of the run, and the reaction",
  "  pull-requests: write # open the pull request, and comment on one",
  "  checks: write # add the check to the commit",
];

/**
 * The environment of the job with the API key. The key can be a secret of this environment, which no other job can
 * read. A run is not a deployment.
 */
export const KEY_ENVIRONMENT = ["environment:", "  name: assay", "  deployment: false"];

/** The API key, only for the step that starts the agent. */
export const keyLine = (name: string): string => `${name}: \${{ secrets.${name} }}`;

/** The secret that encrypts saved conversations. Without it, the input is empty, and the model's key encrypts them. */
export const SESSION_KEY = "ASSAY_SESSION_KEY";
export const SESSION_KEY_INPUT = `session-key: \${{ secrets.${SESSION_KEY} }}`;

export const foldedBlock = (key: string, lines: readonly string[]): string[] => [`${key}: >-`, ...indent(2, lines)];

export interface OptionalTriggers {
  /** words of `TRIGGER_OPTIONS` */
  readonly on?: readonly string[];
  /** the words of the input `commands` */
  readonly commands?: readonly string[];
}

/** What runs the agent and the judge. */
export interface AgentOptions {
  readonly provider?: WorkflowProvider;
  /** the secret with the key of the judge's model; null without a judge */
  readonly judgeKey?: string | null;
}

/** The steps and services that a machine needs to run stages. */
export interface Surroundings {
  readonly hasSubmodules?: boolean;
  /** lines of a job */
  readonly services?: readonly string[];
}

/**
 * An empty `ref` is the default branch, except in events of a review, which run on the merge of the pull request,
 * and in manual runs, where the user chooses a branch.
 */
export const checkoutStep = (ref: string, hasSubmodules = false): string[] => [
  `- uses: ${CHECKOUT}`,
  "  with:",
  ...(ref === "" ? [] : [`    ref: ${ref}`]),
  ...(hasSubmodules ? ["    submodules: recursive"] : []),
  "    persist-credentials: false",
];

/**
 * The same script is in docs/security.md. If it fails, the run continues, and the report names the isolation in use.
 */
export const SANDBOX_STEP = [
  "# Isolates the agent and the stages. On Ubuntu 24.04, bubblewrap needs an AppArmor profile to create namespaces.",
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

export function assayStep(options: {
  uses: string;
  id?: string;
  /** the step's `if:` */
  when?: string;
  with: readonly string[];
  env?: readonly string[];
}): string[] {
  return [
    `- uses: ${options.uses}`,
    ...(options.id === undefined ? [] : [`  id: ${options.id}`]),
    ...(options.when === undefined ? [] : [`  if: ${options.when}`]),
    ...(options.with.length === 0 ? [] : ["  with:", ...indent(4, options.with)]),
    ...(options.env === undefined ? [] : ["  env:", ...indent(4, options.env)]),
  ];
}

/** The key of a concurrency group: runs of the same thread start one after the other. */
export function threadNumber(on: readonly string[]): string {
  const numbers = [
    "github.event.issue.number",
    ...(isChosen(on, "reviews") ? ["github.event.pull_request.number"] : []),
    ...(isChosen(on, "dispatch") ? ["github.event.inputs.issue"] : []),
    ...(isChosen(on, "ci") ? ["github.event.workflow_run.pull_requests[0].number"] : []),
    ...(isChosen(on, "update") ? ["github.event_name == 'push' && 'update'"] : []),
  ];
  return numbers.length === 1 ? numbers.join() : `(${numbers.join(" || ")})`;
}

/**
 * The job that answers `/help`, `/status` and `/stop`, next to the runs. `inputs` are those of the step, and `on` the
 * optional triggers of the workflow.
 */
export const answerJob = (
  inputs: readonly string[],
  on: readonly string[],
  commands: readonly string[] | null = COMMAND_WORDS,
): string[] => [
  "# Answers `/help`, `/status` and `/stop` at once, also while a run is in progress.",
  "answer:",
  ...indent(2, [
    "name: Answer",
    ...foldedBlock("if", answerCondition(on, commands)),
    ...machineLines("others", commands === null),
    "timeout-minutes: 5",
    "# It never waits for another run.",
    "concurrency:",
    "  group: assay-answer-${{ github.run_id }}",
    "permissions:",
    "  actions: write # /stop cancels the run",
    "  issues: write # the answer",
    "  pull-requests: write # the same on a pull request",
    "steps:",
    ...indent(2, assayStep({uses: ASSAY, with: ["job: answer", ...inputs]})),
  ]),
];

export const uploadStep = (name: string, folder: string): string[] => [
  `- uses: ${UPLOAD}`,
  "  if: always()",
  "  with:",
  `    name: ${name}`,
  `    path: \${{ runner.temp }}/${folder}`,
  "    overwrite: true",
];

/** Keeps the page of the run. A server without artifacts does not make the run fail. */
export const PAGE_STEP: readonly string[] = [
  `- uses: ${UPLOAD}`,
  "  if: always() && steps.assay.outputs.page != ''",
  "  continue-on-error: true",
  "  with:",
  "    name: assay-report",
  "    path: ${{ steps.assay.outputs.page }}",
  "    overwrite: true",
];

export const download = (name: string, ...keys: readonly string[]): string[] => [
  `- uses: ${DOWNLOAD}`,
  ...keys,
  "  with:",
  `    name: ${name}`,
  `    path: \${{ runner.temp }}/${name}`,
];
