/** The workflow of separate jobs: each has only the permissions that it needs. */
import {INPUTS} from "../../github/inputs.ts";
import {COMMAND_WORDS} from "../../request/command.ts";
import {DEFAULT_PHRASE} from "../../request/default-phrase.ts";
import {TRIGGER_OPTIONS} from "../../request/triggers.ts";
import {SETUP} from "./action-pins.ts";
import {RESTORE_STEP} from "./cache-workflow.ts";
import {DEFAULT_PROVIDER, PROVIDER_KEYS} from "./providers.ts";
import {
  admitJob,
  judgeJob,
  progressJob,
  publishJob,
  type Variant,
  verifyAgainJob,
  verifyJob,
  workJob,
} from "./separated-jobs.ts";
import {SETUP_ACTION} from "./setup-action.ts";
import {CALLED_CONDITION, startCondition} from "./start-condition.ts";
import {agentInputs, phraseInput, triggerInputs, workflowKeys} from "./workflow-file.ts";
import {
  type AgentOptions,
  answerJob,
  eventLines,
  foldedBlock,
  indent,
  JOB_MINUTES,
  type OptionalTriggers,
  SESSION_KEY,
  type Surroundings,
  threadNumber,
} from "./workflow-parts.ts";

/** The keys that the called workflow accepts. The last two belong to single agents. */
const POLICY_TOKEN = "ASSAY_POLICY_TOKEN";
const TELEMETRY_HEADERS = "ASSAY_TELEMETRY_HEADERS";
const KEYS = [...Object.values(PROVIDER_KEYS), "CLAUDE_CODE_OAUTH_TOKEN", "COPILOT_GITHUB_TOKEN"];

/**
 * The inputs that a caller may set, by the job that needs them. The admitting job reports mistakes in both of the
 * agent's inputs, before it posts a comment.
 */
const FORWARDED = {
  admit: [
    ...["trigger-phrase", "commands", "label", "assignee", "schedule-text", "allowed-agents", "allowed-models"],
    ...["agent", "model", "agent-config", "runs-per-hour", "automatic-runs-per-day", "dry-run"],
  ],
  work: [
    ...["agent", "provider", "model", "thinking", "agent-args", "agent-config"],
    ...["protect-key", "agent-timeout-minutes"],
  ],
  publish: ["trigger-phrase", "commands", "bot-name", "bot-email", "sign-commits", "telemetry", "dry-run"],
};

/** The inputs of the called workflow alone: GitHub, not the action, reads them. */
const OF_THE_JOBS = [
  {
    name: "live-progress",
    description: "With `true`, another job updates the comment every 25 seconds. It needs a machine for the whole run.",
    default: "false",
  },
  {
    name: "runs-on",
    description:
      "The machines of the agent and the checks: a label, a JSON list of labels, or a JSON object with these for `work`, `verify` and `others`.",
    default: "ubuntu-latest",
  },
  {
    name: "cache",
    description: "With `true`, installs use the downloads that docs/workflows/cache.yml has saved.",
    default: "false",
  },
  {name: "timeout-minutes", description: "Time limit of the agent's job, and of the checks'.", default: JOB_MINUTES},
  {name: "container", description: "Container of both jobs, as a JSON text or object.", default: "null"},
];

/** All jobs in one file. `steps` install tools where stages run; without them it is docs/workflows/separated.yml. */
export function separatedWorkflow(
  steps: readonly string[],
  options: Surroundings & OptionalTriggers & AgentOptions & {shards?: number; phrase?: string; attest?: boolean} = {},
): string {
  const {provider = DEFAULT_PROVIDER} = options;
  const {shards = 1, phrase = DEFAULT_PHRASE, hasSubmodules = false, services = [], on = []} = options;
  const {commands = COMMAND_WORDS} = options;
  const variant: Variant = {
    condition: startCondition(phrase, {on, commands}),
    commands,
    on,
    steps,
    inputs: {
      admit: triggerInputs(phrase, on, commands),
      work: agentInputs(provider),
      publish: phraseInput(phrase, commands),
    },
    keys: workflowKeys(provider, options.judgeKey),
    shards,
    hasSubmodules,
    services,
    hasJudge: options.judgeKey != null,
    hasTries: shards === 1 && options.judgeKey == null,
    attests: options.attest === true,
  };
  return ["name: Assay", ...eventLines(on), ...body(variant), ""].join("\n");
}

/** The same jobs as a called workflow: `.github/workflows/separated.yml` of this repository. */
export function reusableWorkflow(): string {
  const names = new Set(Object.values(FORWARDED).flat());
  const inputs = [...INPUTS.filter(({name}) => names.has(name)), ...OF_THE_JOBS].flatMap((input) => [
    `${input.name}:`,
    `  description: ${JSON.stringify(input.description)}`,
    `  type: ${typeof input.default}`,
    `  default: ${JSON.stringify(input.default)}`,
  ]);
  const keys = KEYS.map((name) => [name, "The key of a model provider."]);
  const secrets = [
    ...keys,
    [SESSION_KEY, "Encrypts saved conversations."],
    [POLICY_TOKEN, "Reads the organization's policy, if it is private, and counts what all repositories spend."],
    [TELEMETRY_HEADERS, "The input `telemetry-headers`."],
  ].flatMap(([name, description]) => [`${name}:`, `  description: "${description}"`, "  required: false"]);
  const forward = (list: readonly string[]) => list.map((name) => `${name}: \${{ inputs.${name} }}`);
  const variant: Variant = {
    condition: CALLED_CONDITION,
    commands: null,
    on: TRIGGER_OPTIONS,
    steps: [
      `# Installs the caller's tools with ${SETUP_ACTION} of the base commit, before the change is on this machine.`,
      `- uses: ${SETUP}`,
      ...RESTORE_STEP,
    ],
    inputs: {admit: forward(FORWARDED.admit), work: forward(FORWARDED.work), publish: forward(FORWARDED.publish)},
    keys: KEYS,
    shards: 1,
    hasSubmodules: false,
    services: [],
    hasJudge: false,
    hasTries: true,
    // No input of the caller changes the place.
    policy: ["policy: ${{ github.repository_owner }}/.github", `policy-token: \${{ secrets.${POLICY_TOKEN} }}`],
    telemetry: [`telemetry-headers: \${{ secrets.${TELEMETRY_HEADERS} }}`],
    // A called workflow that asks for more than its caller grants does not start.
    attests: false,
    hasLiveProgress: true,
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
      foldedBlock("group", [`assay-\${{ ${first}`, ...others, `&& ${threadNumber(variant.on)} || github.run_id }}`]),
    ),
    "  queue: max",
    "jobs:",
    ...indent(2, [
      ...answerJob(variant.inputs.admit, variant.on, variant.commands),
      "",
      ...admitJob(variant),
      "",
      ...(variant.hasLiveProgress ? [...progressJob(), ""] : []),
      ...workJob(variant),
      "",
      ...verifyJob(variant),
      "",
      ...(variant.hasTries ? [...workJob(variant, true), "", ...verifyAgainJob(variant), ""] : []),
      ...(variant.hasJudge ? [...judgeJob(variant), ""] : []),
      ...publishJob(variant),
    ]),
  ];
}
