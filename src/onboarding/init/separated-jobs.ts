/** The jobs of the workflow of separate jobs, except the one that answers. */
import {isChosen} from "../../request/triggers.ts";
import {ASSAY} from "./action-pins.ts";
import {downloadTries, machinesOf, TRIES} from "./verify-machines.ts";
import {
  assayStep,
  checkoutStep,
  download,
  foldedBlock,
  indent,
  KEY_ENVIRONMENT,
  keyLine,
  machineLines,
  PAGE_STEP,
  readRuns,
  SANDBOX_STEP,
  SESSION_KEY_INPUT,
  uploadStep,
  WRITE_PERMISSIONS,
} from "./workflow-parts.ts";

/** The differences between the called workflow and the one that is written in full. */
export interface Variant {
  readonly condition: readonly string[];
  /** null if they are an input */
  readonly commands: readonly string[] | null;
  /** the optional triggers */
  readonly on: readonly string[];
  /** install the repository's tools */
  readonly steps: readonly string[];
  readonly inputs: Readonly<Record<"admit" | "work" | "publish", readonly string[]>>;
  readonly keys: readonly string[];
  /** machines that share the stages */
  readonly shards: number;
  readonly hasSubmodules: boolean;
  /** lines of the jobs that run stages */
  readonly services: readonly string[];
  /** where the organization's policy is, for the jobs without code of the repository */
  readonly policy?: readonly string[];
  /** the secret headers for the owner's collector */
  readonly telemetry?: readonly string[];
  /** the input `live-progress` exists */
  readonly hasLiveProgress?: boolean;
  /** verify.json enables the judge */
  readonly hasJudge: boolean;
  /** each try may have a machine */
  readonly hasTries: boolean;
  /** the publishing job signs a statement about the verification */
  readonly attests: boolean;
}

export function admitJob(variant: Variant): string[] {
  const {condition, inputs, hasJudge, hasTries, on, commands, shards, policy = []} = variant;
  const machines = shards === 1 ? [] : [`shard: 1/${shards}`];
  return [
    "# Decides whether a run starts, and which rules, base and target it has. No agent runs on this machine.",
    "admit:",
    ...indent(2, [
      "name: Admit",
      ...foldedBlock("if", condition),
      ...machineLines("others", commands === null),
      "timeout-minutes: 10",
      "permissions:",
      commands === null ? "  contents: write # the plan, and what runs cost" : "  contents: read # the plan",
      "  issues: write # the comment of the run, and the reaction",
      "  pull-requests: write # the same on a pull request",
      ...readRuns(on),
      "outputs:",
      "  admission: ${{ steps.assay.outputs.admission }}",
      "  next: ${{ steps.assay.outputs.next }}",
      "  base: ${{ steps.assay.outputs.base }}",
      ...(hasTries ? ["  tries: ${{ steps.assay.outputs.tries }}"] : []),
      ...(hasJudge ? ["  review: ${{ steps.assay.outputs.review }}"] : []),
      "steps:",
      ...indent(
        2,
        assayStep({uses: ASSAY, id: "assay", with: ["job: admit", ...machines, ...inputs.admit, ...policy]}),
      ),
    ]),
  ];
}

const ADMISSION = "admission: ${{ needs.admit.outputs.admission }}";
const BASE = "${{ needs.admit.outputs.base }}";

export const progressJob = (): string[] => [
  "# Shows in the comment which job runs, with `live-progress: true`. It runs no code of the repository.",
  "progress:",
  ...indent(2, [
    "name: Progress",
    "needs: admit",
    "if: inputs.live-progress == 'true' && needs.admit.outputs.next != ''",
    ...machineLines("others", true),
    "timeout-minutes: 150",
    "permissions:",
    "  actions: read # which job runs",
    "  issues: write # the comment of the run",
    "steps:",
    ...indent(2, assayStep({uses: ASSAY, with: ["job: progress", ADMISSION]})),
  ]),
];

/** Of the second set of jobs (`isAgain`), if the agent can fix what the clean machine has seen to fail. */
export function workJob(variant: Variant, isAgain = false): string[] {
  const {steps, inputs, keys, hasSubmodules, services, commands, on, hasTries} = variant;
  const place = isAgain ? ["set: 2/2", "digest: ${{ needs.verify.outputs.digest }}"] : hasTries ? [TRIES.number] : [];
  const agentInputs = [ADMISSION, ...place, ...inputs.work, SESSION_KEY_INPUT];
  const start = isAgain
    ? [
        "name: Work again",
        "needs: [admit, work, verify]",
        "if: ${{ !cancelled() && needs.verify.outputs.next == 'work' }}",
      ]
    : ["name: Work", "needs: admit", "if: needs.admit.outputs.next == 'work'", ...(hasTries ? TRIES.strategy : [])];
  return [
    isAgain
      ? "# Takes the failures of the clean machine back to the agent, once. Usually not needed."
      : "# Runs the agent with the model's key and without a write token. Its checks only guide the agent's next turn.",
    isAgain ? "work-again:" : "work:",
    ...indent(2, [
      ...start,
      ...machineLines("work", commands === null),
      ...KEY_ENVIRONMENT,
      "permissions:",
      "  contents: read # the base, and saved changes",
      "  issues: read # the thread",
      "  pull-requests: read # the same on a pull request",
      ...(isChosen(on, "ci") ? ["  actions: read # the logs of failed jobs"] : []),
      "outputs:",
      "  next: ${{ steps.hand-over.outputs.next }}",
      ...services,
      "steps:",
      ...indent(2, [
        ...checkoutStep(BASE, hasSubmodules),
        ...steps,
        ...SANDBOX_STEP,
        ...(isAgain ? [...download("assay-work"), ...download("assay-verify")] : []),
        ...assayStep({uses: ASSAY, with: ["job: work", ...agentInputs], env: keys.map(keyLine)}),
        "# It needs the keys to remove them from the files that it passes on, and to encrypt the conversation.",
        ...assayStep({
          uses: ASSAY,
          id: "hand-over",
          when: "always()",
          with: ["job: hand-over", ...agentInputs],
          env: keys.map(keyLine),
        }),
        ...(isAgain
          ? uploadStep("assay-work-again", "assay-work-again")
          : uploadStep(`assay-work${hasTries ? TRIES.suffix : ""}`, "assay-work")),
      ]),
    ]),
  ];
}

export function verifyJob({steps, shards, hasSubmodules, services, commands, hasTries}: Variant): string[] {
  const machines = machinesOf(shards, hasTries);
  return [
    "# A clean machine without agent, key or write token. Its verdict counts.",
    "verify:",
    ...indent(2, [
      "name: Verify",
      "needs: [admit, work]",
      "if: ${{ !cancelled() && (needs.admit.outputs.next == 'verify' || needs.work.outputs.next == 'verify') }}",
      ...machines.strategy,
      ...machineLines("verify", commands === null),
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
        ...download(
          "assay-work",
          "  if: needs.work.outputs.next == 'verify'",
          ...(hasTries ? [TRIES.mayLackTheFirst] : []),
        ),
        ...(hasTries ? downloadTries("work") : []),
        ...assayStep({uses: ASSAY, id: "assay", with: ["job: verify", ADMISSION, ...machines.share]}),
        ...uploadStep(machines.artifact, "assay-verify"),
      ]),
    ]),
  ];
}

export function verifyAgainJob({steps, hasSubmodules, services, commands}: Variant): string[] {
  return [
    "verify-again:",
    ...indent(2, [
      "name: Verify again",
      "needs: [admit, work-again]",
      "if: ${{ !cancelled() && needs.work-again.outputs.next == 'verify' }}",
      ...machineLines("verify", commands === null),
      "permissions:",
      "  contents: read # as in `verify`",
      "outputs:",
      "  digest: ${{ steps.assay.outputs.digest }}",
      ...services,
      "steps:",
      ...indent(2, [
        ...checkoutStep(BASE, hasSubmodules),
        ...steps,
        ...SANDBOX_STEP,
        ...download("assay-work-again"),
        ...assayStep({uses: ASSAY, id: "assay", with: ["job: verify", ADMISSION, "set: 2/2"]}),
        ...uploadStep("assay-verify-again", "assay-verify-again"),
      ]),
    ]),
  ];
}

export function judgeJob({inputs, keys, shards}: Variant): string[] {
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

const downloadAgain = ["work-again", "verify-again"].flatMap((job) =>
  download(`assay-${job}`, `  if: always() && needs.${job}.result != 'skipped'`, "  continue-on-error: true"),
);
const SECOND_DIGEST =
  "second-digest: ${{ needs.work-again.result != 'skipped' && (needs.verify-again.outputs.digest || 'none') || '' }}";

/** Only the job that runs no code of the repository can get an identity, with which it signs. */
const SIGNING_PERMISSIONS = [
  "  id-token: write # sign the statement about the verification",
  "  attestations: write # store it as an attestation of GitHub",
];

export function publishJob(variant: Variant): string[] {
  const {inputs, shards, hasJudge, attests, commands, hasTries, policy = [], telemetry = []} = variant;
  const machines = machinesOf(shards);
  const opinion = hasJudge ? ["opinion: ${{ needs.judge.outputs.opinion }}"] : [];
  return [
    "# Has the only write token. It runs no code of the repository, and always completes the comment.",
    "publish:",
    ...indent(2, [
      "name: Publish",
      `needs: [admit, work, verify${hasJudge ? ", judge" : ""}${hasTries ? ", work-again, verify-again" : ""}]`,
      "# If `admit` is lost with its outputs, its comment is still in progress.",
      ...foldedBlock("if", [
        "${{ always() && (needs.admit.outputs.admission != '' || needs.admit.outputs.next != ''",
        "|| needs.admit.result == 'failure' || needs.admit.result == 'cancelled') }}",
      ]),
      ...machineLines("others", commands === null),
      "timeout-minutes: 15",
      ...WRITE_PERMISSIONS,
      ...(commands === null ? ["  actions: read # the minutes of the jobs"] : []),
      ...(attests ? SIGNING_PERMISSIONS : []),
      "steps:",
      ...indent(2, [
        ...download("assay-work", "  if: always() && needs.work.result != 'skipped'", "  continue-on-error: true"),
        ...machines.artifacts.flatMap((name) =>
          download(name, "  if: always() && needs.verify.result != 'skipped'", "  continue-on-error: true"),
        ),
        ...(hasTries ? [...downloadTries("work"), ...downloadTries("verify")] : []),
        ...(hasTries ? downloadAgain : []),
        ...assayStep({
          uses: ASSAY,
          id: "assay",
          when: "always()",
          with: [
            ...[
              "job: publish",
              ADMISSION,
              `digest: ${machines.digests}`,
              ...(hasTries ? [TRIES.digests, SECOND_DIGEST] : []),
            ],
            ...opinion,
            ...inputs.publish,
            ...policy,
            ...telemetry,
            ...(attests ? ["attest: true"] : []),
          ],
        }),
        ...PAGE_STEP,
      ]),
    ]),
  ];
}
