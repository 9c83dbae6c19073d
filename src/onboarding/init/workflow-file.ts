/** The workflows that `assay init` writes, and how to find an existing one. */
import {whyUntriggered} from "../../detect/ci/github.ts";
import {textAt, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {COMMAND_WORDS} from "../../request/command.ts";
import {DEFAULT_LABEL, DEFAULT_PHRASE} from "../../request/default-phrase.ts";
import {chosenName, isChosen} from "../../request/triggers.ts";
import {ASSAY, REUSABLE} from "./action-pins.ts";
import {DEFAULT_PROVIDER, PROVIDER_KEYS, type WorkflowProvider} from "./providers.ts";
import {startCondition} from "./start-condition.ts";
import {
  type AgentOptions,
  answerJob,
  assayStep,
  checkoutStep,
  eventLines,
  foldedBlock,
  indent,
  JOB_MINUTES,
  KEY_ENVIRONMENT,
  keyLine,
  type OptionalTriggers,
  PAGE_STEP,
  readRuns,
  SANDBOX_STEP,
  SESSION_KEY_INPUT,
  type Surroundings,
  threadNumber,
  WRITE_PERMISSIONS,
} from "./workflow-parts.ts";

export const WORKFLOW_FILE = ".github/workflows/assay.yml";
export const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** A step or job that runs Assay from this repository or a fork of it. */
export const USES_ASSAY = /^\s*(?:-\s+)?uses:\s*["']?[\w.-]+\/assay(?:\/\.github\/workflows\/separated\.yml)?@/m;

/** The provider and model of a new workflow. Another provider than the default one chooses its model itself. */
export const agentInputs = (provider: WorkflowProvider): string[] => [
  `provider: ${provider}`,
  ...(provider === DEFAULT_PROVIDER ? ["model: claude-sonnet-4-5"] : []),
];

/** The secrets of a new workflow: the agent's key, and the judge's if it is another one. */
export const workflowKeys = (provider: WorkflowProvider, judgeKey: string | null = null): string[] => [
  ...new Set([PROVIDER_KEYS[provider], judgeKey ?? PROVIDER_KEYS[provider]]),
];

/** The inputs `trigger-phrase` and `commands`, unless they have their defaults. */
export const phraseInput = (phrase: string, commands: readonly string[]): string[] => [
  ...(phrase === DEFAULT_PHRASE ? [] : [`trigger-phrase: ${JSON.stringify(phrase)}`]),
  ...(commands.length === COMMAND_WORDS.length ? [] : [`commands: ${JSON.stringify(commands.join(" "))}`]),
];

const SCHEDULE_TEXT = "Update the dependencies to their newest compatible versions, and fix what this breaks.";

/** The inputs about triggers, without those that have their default. */
export const triggerInputs = (phrase: string, on: readonly string[], commands = COMMAND_WORDS): string[] => {
  const [label, assignee] = [chosenName(on, "label"), chosenName(on, "assignment")];
  return [
    ...phraseInput(phrase, commands),
    ...(label === "" || label === DEFAULT_LABEL ? [] : [`label: ${JSON.stringify(label)}`]),
    ...(assignee === "" ? [] : [`assignee: ${JSON.stringify(assignee)}`]),
    ...(isChosen(on, "schedule")
      ? [`schedule-text: ${JSON.stringify(SCHEDULE_TEXT)} # what each scheduled run does`]
      : []),
  ];
};

/** Calls Assay's workflow of separate jobs: docs/workflows/assay.yml, and the one in the README. */
export function callerWorkflow(
  phrase: string,
  on: readonly string[] = [],
  commands = COMMAND_WORDS,
  provider = DEFAULT_PROVIDER,
): string {
  const isDefault = phrase === DEFAULT_PHRASE;
  return document(on, [
    "permissions: {}",
    "jobs:",
    "  assay:",
    ...indent(4, [
      "name: Assay",
      // the called workflow checks the default phrase
      ...(isDefault ? [] : foldedBlock("if", startCondition(phrase, {withAnswers: true, on, commands}))),
      ...WRITE_PERMISSIONS,
      "  actions: write # /stop cancels a run; other jobs only read runs",
      `uses: ${REUSABLE}`,
      "with:",
      ...indent(2, [...agentInputs(provider), ...triggerInputs(phrase, on, commands)]),
      "secrets:",
      `  ${keyLine(PROVIDER_KEYS[provider])}`,
    ]),
  ]);
}

/**
 * One job. `steps` install the repository's tools; without them it is docs/workflows/single.yml. `hasNewKeys` is false
 * for a server that may refuse the keys `queue` and `deployment`. There, Assay answers dropped requests itself.
 */
export function singleWorkflow(
  steps: readonly string[],
  phrase: string,
  options: Surroundings & OptionalTriggers & AgentOptions & {readonly hasNewKeys?: boolean} = {},
): string {
  const {provider = DEFAULT_PROVIDER} = options;
  const {hasNewKeys = true, hasSubmodules = false, services = [], on = [], commands = COMMAND_WORDS} = options;
  const ref =
    isChosen(on, "reviews") || isChosen(on, "dispatch") ? "${{ github.event.repository.default_branch }}" : "";
  const env = workflowKeys(provider, options.judgeKey).map(keyLine);
  const inputs = [...agentInputs(provider), SESSION_KEY_INPUT, ...triggerInputs(phrase, on, commands)];
  return document(on, [
    "permissions: {}",
    "jobs:",
    "  # The agent's machine holds the write token. Use this for private repositories of one owner.",
    "  assay:",
    ...indent(4, [
      "name: Assay",
      ...foldedBlock("if", startCondition(phrase, {on, commands})),
      "runs-on: ubuntu-latest",
      `timeout-minutes: ${JOB_MINUTES}`,
      ...(hasNewKeys ? KEY_ENVIRONMENT : []),
      `# One run at a time for each issue; ${hasNewKeys ? "other requests wait" : "one request waits, and the next run answers the others"}.`,
      "concurrency:",
      `  group: assay-\${{ ${threadNumber(on)}${startsAlone(on) ? " || github.run_id" : ""} }}`,
      ...(hasNewKeys ? ["  queue: max"] : []),
      ...WRITE_PERMISSIONS,
      ...readRuns(on),
      ...services,
      "steps:",
      ...indent(2, [
        ...checkoutStep(ref, hasSubmodules),
        ...steps,
        ...SANDBOX_STEP,
        ...assayStep({uses: ASSAY, id: "assay", with: inputs, env}),
        ...(hasNewKeys ? PAGE_STEP : []),
        "# Answers the request if a step before Assay failed.",
        ...assayStep({uses: ASSAY, when: NOT_STARTED, with: ["job: publish", ...triggerInputs(phrase, on, commands)]}),
      ]),
    ]),
    "",
    ...indent(2, answerJob(phraseInput(phrase, commands), on, commands)),
  ]);
}

const NOT_STARTED = "(failure() || cancelled()) && steps.assay.outcome == 'skipped'";

const startsAlone = (on: readonly string[]): boolean => readRuns(on).length > 0;

const document = (on: readonly string[], lines: readonly string[]): string =>
  ["name: Assay", ...eventLines(on), ...lines, ""].join("\n");

/** The names of the workflows that check a pull request: `on.workflow_run` takes no others, and no pattern. */
export function namesOfChecks(project: Project): string[] {
  const files = project.files.filter((path) => WORKFLOW.test(path) && !USES_ASSAY.test(project.text(path) ?? ""));
  const checks = files.filter((path) => whyUntriggered(valueAt(project.yaml(path), "on")) === null);
  return [...new Set(checks.map((path) => textAt(project.yaml(path), "name") ?? path))];
}

/** True if a job of this file calls Assay's workflow of separate jobs. */
export const callsAssay = (project: Project, path: string): boolean =>
  /^\s*uses:\s*["']?[\w.-]+\/assay\/\.github\/workflows\//m.test(project.text(path) ?? "");

/** True if this file runs Assay, and not in separate jobs. */
export function hasSingleJob(project: Project, path: string): boolean {
  const text = project.text(path) ?? "";
  return USES_ASSAY.test(text) && !callsAssay(project, path) && !/^\s*job:\s*["']?work\b/m.test(text);
}

/** The workflow that runs Assay; null if there is none. */
export function findWorkflow(project: Project): string | null {
  const paths = project.files.filter((path) => WORKFLOW.test(path));
  return paths.find((path) => USES_ASSAY.test(project.text(path) ?? "")) ?? null;
}
