/** The workflow of separate jobs: each has only the permissions that it needs. */
import {INPUTS} from "../../github/inputs.ts";
import {DEFAULT_PHRASE} from "../../request/default-phrase.ts";
import {ASSAY, SETUP} from "./action-pins.ts";
import {SETUP_ACTION} from "./setup-action.ts";
import {CALLED_CONDITION, startCondition} from "./start-condition.ts";
import {machinesOf} from "./verify-machines.ts";
import {AGENT, phraseInput, workflowKeys} from "./workflow-file.ts";
import {
  answerJob,
  assayStep,
  checkoutStep,
  download,
  foldedBlock,
  indent,
  JOB_MINUTES,
  KEY_ENVIRONMENT,
  keyLine,
  SANDBOX_STEP,
  type Surroundings,
  TRIGGER,
  uploadStep,
  WRITE_PERMISSIONS,
} from "./workflow-parts.ts";

/** The API keys that the called workflow accepts. */
const KEYS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"];

/** The inputs that a caller may set, by the job that needs them. */
const FORWARDED = {
  admit: ["trigger-phrase", "runs-per-hour", "dry-run"],
  work: ["provider", "model", "thinking", "agent-args", "agent-timeout-minutes"],
  publish: ["trigger-phrase", "bot-name", "bot-email", "sign-commits", "dry-run"],
};

/** The differences between the called workflow and the one that is written in full. */
interface Variant {
  readonly condition: readonly string[];
  /** install the repository's tools */
  readonly steps: readonly string[];
  readonly inputs: Readonly<Record<keyof typeof FORWARDED, readonly string[]>>;
  readonly keys: readonly string[];
  /** machines that share the stages */
  readonly shards: number;
  readonly hasSubmodules: boolean;
  /** lines of the jobs that run stages */
  readonly services: readonly string[];
  /** verify.json enables the judge */
  readonly hasJudge: boolean;
}

/** All jobs in one file. `steps` install tools where stages run; without them it is docs/workflows/separated.yml. */
export function separatedWorkflow(
  steps: readonly string[],
  options: Surroundings & {shards?: number; phrase?: string; judgeKey?: string | null} = {},
): string {
  const {shards = 1, phrase = DEFAULT_PHRASE, hasSubmodules = false, services = []} = options;
  const variant: Variant = {
    condition: startCondition(phrase),
    steps,
    inputs: {admit: phraseInput(phrase), work: AGENT, publish: phraseInput(phrase)},
    keys: workflowKeys(options.judgeKey),
    shards,
    hasSubmodules,
    services,
    hasJudge: options.judgeKey != null,
  };
  return ["name: Assay", ...TRIGGER, ...body(variant), ""].join("\n");
}

/** The same jobs as a called workflow: `.github/workflows/separated.yml` of this repository. */
export function reusableWorkflow(): string {
  const names = new Set(Object.values(FORWARDED).flat());
  const inputs = INPUTS.filter(({name}) => names.has(name)).flatMap(({name, description, default: value}) => [
    `${name}:`,
    `  description: ${JSON.stringify(description)}`,
    "  type: string",
    `  default: ${JSON.stringify(value)}`,
  ]);
  const secrets = KEYS.flatMap((name) => [
    `${name}:`,
    '  description: "The key of a model provider."',
    "  required: false",
  ]);
  const forward = (list: readonly string[]) => list.map((name) => `${name}: \${{ inputs.${name} }}`);
  const variant: Variant = {
    condition: CALLED_CONDITION,
    steps: [
      `# Installs the caller's tools with ${SETUP_ACTION} of the base commit, before the change is on this machine.`,
      `- uses: ${SETUP}`,
    ],
    inputs: {admit: forward(FORWARDED.admit), work: forward(FORWARDED.work), publish: forward(FORWARDED.publish)},
    keys: KEYS,
    shards: 1,
    hasSubmodules: false,
    services: [],
    hasJudge: false,
  };
  return [
    "name: Assay in separate jobs",
    "on:",
    "  workflow_call:",
    "    inputs:",
    ...indent(6, inputs),
    "    secrets:",
    ...indent(6, secrets),
    ...body(variant),
    "",
  ].join("\n");
}

function body(variant: Variant): string[] {
  const group = [...variant.condition];
  const [first = "", ...others] = group;
  return [
    "permissions: {}",
    "# One run at a time for each issue; other requests wait. Comments that are not requests never wait.",
    "concurrency:",
    ...indent(
      2,
      foldedBlock("group", [`assay-\${{ ${first}`, ...others, "&& github.event.issue.number || github.run_id }}"]),
    ),
    "  queue: max",
    "jobs:",
    ...indent(2, [
      ...answerJob(variant.inputs.admit),
      "",
      ...admitJob(variant),
      "",
      ...workJob(variant),
      "",
      ...verifyJob(variant),
      "",
      ...(variant.hasJudge ? [...judgeJob(variant), ""] : []),
      ...publishJob(variant),
    ]),
  ];
}

function admitJob({condition, inputs, hasJudge}: Variant): string[] {
  return [
    "# Decides whether a run starts, and which rules, base and target it has. No agent runs on this machine.",
    "admit:",
    ...indent(2, [
      "name: Admit",
      ...foldedBlock("if", condition),
      "runs-on: ubuntu-latest",
      "timeout-minutes: 10",
      "permissions:",
      "  contents: read # the plan",
      "  issues: write # the comment of the run, and the reaction",
      "  pull-requests: write # the same on a pull request",
      "outputs:",
      "  admission: ${{ steps.assay.outputs.admission }}",
      "  next: ${{ steps.assay.outputs.next }}",
      "  base: ${{ steps.assay.outputs.base }}",
      ...(hasJudge ? ["  review: ${{ steps.assay.outputs.review }}"] : []),
      "steps:",
      ...indent(2, assayStep({uses: ASSAY, id: "assay", with: ["job: admit", ...inputs.admit]})),
    ]),
  ];
}

const ADMISSION = "admission: ${{ needs.admit.outputs.admission }}";
const BASE = "${{ needs.admit.outputs.base }}";

function workJob({steps, inputs, keys, hasSubmodules, services}: Variant): string[] {
  return [
    "# Runs the agent with the model's key and without a write token. Its checks only guide the agent's next turn.",
    "work:",
    ...indent(2, [
      "name: Work",
      "needs: admit",
      "if: needs.admit.outputs.next == 'work'",
      "runs-on: ubuntu-latest",
      `timeout-minutes: ${JOB_MINUTES}`,
      ...KEY_ENVIRONMENT,
      "permissions:",
      "  contents: read # the base, and saved changes",
      "  issues: read # the thread",
      "  pull-requests: read # the same on a pull request",
      "outputs:",
      "  next: ${{ steps.hand-over.outputs.next }}",
      ...services,
      "steps:",
      ...indent(2, [
        ...checkoutStep(BASE, hasSubmodules),
        ...steps,
        ...SANDBOX_STEP,
        ...assayStep({uses: ASSAY, with: ["job: work", ADMISSION, ...inputs.work], env: keys.map(keyLine)}),
        "# It needs the keys to remove them from the files that it passes on.",
        ...assayStep({
          uses: ASSAY,
          id: "hand-over",
          isAlways: true,
          with: ["job: hand-over", ADMISSION],
          env: keys.map(keyLine),
        }),
        ...uploadStep("assay-work", "assay-work"),
      ]),
    ]),
  ];
}

function verifyJob({steps, shards, hasSubmodules, services}: Variant): string[] {
  const machines = machinesOf(shards);
  return [
    "# A clean machine without agent, key or write token. Its verdict counts.",
    "verify:",
    ...indent(2, [
      "name: Verify",
      "needs: [admit, work]",
      "if: ${{ !cancelled() && (needs.admit.outputs.next == 'verify' || needs.work.outputs.next == 'verify') }}",
      ...machines.strategy,
      "runs-on: ubuntu-latest",
      `timeout-minutes: ${JOB_MINUTES}`,
      "permissions:",
      "  contents: read # the base, and the head of a pull request",
      "outputs:",
      ...indent(2, machines.outputs),
      ...services,
      "steps:",
      ...indent(2, [
        ...checkoutStep(BASE, hasSubmodules),
        ...steps,
        ...SANDBOX_STEP,
        ...download("assay-work", "  if: needs.work.outputs.next == 'verify'"),
        ...assayStep({uses: ASSAY, id: "assay", with: ["job: verify", ADMISSION, ...machines.share]}),
        ...uploadStep(machines.artifact, "assay-verify"),
      ]),
    ]),
  ];
}

function judgeJob({inputs, keys, shards}: Variant): string[] {
  const machines = machinesOf(shards);
  return [
    "# Asks a second model. It has the model's key, and no checkout, code of the repository or write token.",
    "judge:",
    ...indent(2, [
      "name: Judge",
      "needs: [admit, work, verify]",
      ...foldedBlock("if", [
        "${{ !cancelled() && (needs.work.result == 'success' || needs.admit.outputs.review == 'true')",
        "&& (needs.verify.result == 'success' || needs.work.outputs.next == 'publish') }}",
      ]),
      "runs-on: ubuntu-latest",
      "timeout-minutes: 15",
      ...KEY_ENVIRONMENT,
      "permissions:",
      "  contents: read # the base",
      "  issues: read # the thread",
      "  pull-requests: read # the same on a pull request",
      "outputs:",
      "  opinion: ${{ steps.assay.outputs.opinion }}",
      "steps:",
      ...indent(2, [
        ...download("assay-work", "  if: needs.work.result == 'success'"),
        ...machines.artifacts.flatMap((name) => download(name, "  if: needs.verify.result == 'success'")),
        ...assayStep({
          uses: ASSAY,
          id: "assay",
          with: ["job: judge", ADMISSION, `digest: ${machines.digests}`, ...inputs.work],
          env: keys.map(keyLine),
        }),
      ]),
    ]),
  ];
}

function publishJob({inputs, shards, hasJudge}: Variant): string[] {
  const machines = machinesOf(shards);
  const opinion = hasJudge ? ["opinion: ${{ needs.judge.outputs.opinion }}"] : [];
  return [
    "# Has the only write token. It runs no code of the repository, and always completes the comment.",
    "publish:",
    ...indent(2, [
      "name: Publish",
      hasJudge ? "needs: [admit, work, verify, judge]" : "needs: [admit, work, verify]",
      "if: ${{ always() && (needs.admit.outputs.admission != '' || needs.admit.outputs.next != '') }}",
      "runs-on: ubuntu-latest",
      "timeout-minutes: 15",
      ...WRITE_PERMISSIONS,
      "steps:",
      ...indent(2, [
        ...download("assay-work", "  if: always() && needs.work.result != 'skipped'", "  continue-on-error: true"),
        ...machines.artifacts.flatMap((name) =>
          download(name, "  if: always() && needs.verify.result != 'skipped'", "  continue-on-error: true"),
        ),
        ...assayStep({
          uses: ASSAY,
          isAlways: true,
          with: ["job: publish", ADMISSION, `digest: ${machines.digests}`, ...opinion, ...inputs.publish],
        }),
      ]),
    ]),
  ];
}
