/** The workflow of the separated mode: one run as four jobs, each with no more rights than its part needs. */
import {ASSAY, CHECKOUT, TRIGGER} from "./workflow-file.ts";

const UPLOAD = "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2";
const DOWNLOAD = "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0";

/** Kept in an environment of its own it would make a deployment of each run. */
const keyOf = (name: string) => `          ${name}: \${{ secrets.${name} }} # zizmor: ignore[secrets-outside-env]`;

/** As docs/security.md has it. Where it cannot be had the verification goes on, and the report names the fence it had. */
const SANDBOX = [
  "      # So that the change's tests can reach neither this job's word nor its next steps.",
  "      - name: Install the sandbox",
  "        continue-on-error: true",
  "        run: |",
  "          sudo apt-get update && sudo apt-get install -y bubblewrap",
  "          printf '%s\\n' 'abi <abi/4.0>,' 'include <tunables/global>' \\",
  "            'profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' | sudo tee /etc/apparmor.d/bwrap",
  "          sudo apparmor_parser -r /etc/apparmor.d/bwrap",
];

/**
 * The text of the workflow; `steps` put tools on the machines that run stages. `shards` machines share the stages. Without
 * steps, on one, it is docs/workflows/separated.yml.
 */
export function separatedWorkflow(steps: readonly string[], shards = 1): string {
  return [
    "name: Assay",
    TRIGGER,
    "permissions: {}",
    'concurrency: {group: "assay-${{ github.event.issue.number }}", cancel-in-progress: false}',
    "jobs:",
    ...separatedJobs({
      steps,
      shards,
      agent: ["          provider: anthropic", "          model: claude-sonnet-4-5"],
      keys: [keyOf("ANTHROPIC_API_KEY")],
      publishing: [],
    }),
    "",
  ].join("\n");
}

/** The same jobs for other repositories to call: `.github/workflows/separated.yml` of this one. */
export function reusableWorkflow(): string {
  const keys = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"];
  const input = (name: string, what: string) =>
    `      ${name}: {type: string, default: "", required: false, description: ${JSON.stringify(what)}}`;
  return [
    "name: Assay in separate jobs",
    "on:",
    "  workflow_call:",
    "    inputs:",
    input("provider", "The model's provider."),
    input("model", "The model, as the agent knows it."),
    input("sign-commits", "`true`: GitHub makes the published commit, and so signs it."),
    "    secrets:",
    ...keys.map((name) => `      ${name}: {required: false, description: "The model provider's key."}`),
    "permissions: {}",
    'concurrency: {group: "assay-jobs-${{ github.event.issue.number }}", cancel-in-progress: false}',
    "jobs:",
    ...separatedJobs({
      steps: [],
      shards: 1,
      agent: ["          provider: ${{ inputs.provider }}", "          model: ${{ inputs.model }}"],
      keys: keys.map(keyOf),
      publishing: ["          sign-commits: ${{ inputs.sign-commits }}"],
    }),
    "",
  ].join("\n");
}

function separatedJobs(o: {
  steps: readonly string[];
  agent: readonly string[];
  keys: readonly string[];
  /** further inputs of the step that publishes */
  publishing: readonly string[];
  shards: number;
}): readonly string[] {
  const machines = machinesOf(o.shards);
  return [
    "  # Lets the run in, and settles what no machine with an agent on it may settle. It alone may speak before the end.",
    "  admit:",
    "    name: Admit",
    "    if: contains(github.event.comment.body || github.event.issue.body, '/')",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 10",
    "    permissions:",
    "      contents: read",
    "      issues: write # the run's one comment, and the reaction",
    "      pull-requests: write # the same on a pull request",
    "    outputs:",
    "      ticket: ${{ steps.assay.outputs.ticket }}",
    "      next: ${{ steps.assay.outputs.next }}",
    "    steps:",
    `      - uses: ${ASSAY}`,
    "        id: assay",
    "        with: {job: admit}",
    "",
    "  # The agent, with the model's key and nothing that writes. What it verifies is advice for its next turn.",
    "  work:",
    "    name: Work",
    "    needs: admit",
    "    if: needs.admit.outputs.next == 'work'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 60",
    "    permissions:",
    "      contents: read",
    "      issues: read # the thread",
    "      pull-requests: read # the same on a pull request",
    "    outputs:",
    "      next: ${{ steps.hand-over.outputs.next }}",
    "    steps:",
    CHECKOUT,
    ...o.steps,
    `      - uses: ${ASSAY}`,
    "        with:",
    "          job: work",
    "          ticket: ${{ needs.admit.outputs.ticket }}",
    ...o.agent,
    "        env:",
    ...o.keys,
    `      - uses: ${ASSAY}`,
    "        id: hand-over",
    "        if: always()",
    "        with:",
    "          job: hand-over",
    "          ticket: ${{ needs.admit.outputs.ticket }}",
    "        env: # so that no key is handed over",
    ...o.keys,
    `      - uses: ${UPLOAD}`,
    "        if: always()",
    "        with:",
    "          name: assay-work",
    "          path: ${{ runner.temp }}/assay-work",
    "          overwrite: true",
    "",
    "  # A clean machine: no agent, no key, no token that writes. Its verdict is the one that counts.",
    "  verify:",
    "    name: Verify",
    "    needs: [admit, work]",
    "    if: ${{ !cancelled() && (needs.admit.outputs.next == 'verify' || needs.work.outputs.next == 'verify') }}",
    ...machines.strategy,
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 60",
    "    permissions:",
    "      contents: read",
    "    outputs:",
    ...machines.outputs,
    "    steps:",
    CHECKOUT,
    ...o.steps,
    ...SANDBOX,
    `      - uses: ${DOWNLOAD}`,
    "        if: needs.work.outputs.next == 'verify'",
    "        with:",
    "          name: assay-work",
    "          path: ${{ runner.temp }}/assay-work",
    `      - uses: ${ASSAY}`,
    "        id: assay",
    "        with:",
    "          job: verify",
    "          ticket: ${{ needs.admit.outputs.ticket }}",
    ...machines.share,
    `      - uses: ${UPLOAD}`,
    "        if: always()",
    "        with:",
    `          name: ${machines.artifact}`,
    "          path: ${{ runner.temp }}/assay-verify",
    "          overwrite: true",
    "",
    "  # The only token that writes. It checks out nothing, runs nothing of the repository, and closes the comment in any case.",
    "  publish:",
    "    name: Publish",
    "    needs: [admit, work, verify]",
    "    if: ${{ always() && needs.admit.outputs.next != '' }}",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    "    permissions:",
    "      contents: write # the verified commit",
    "      issues: write # the report",
    "      pull-requests: write # the pull request",
    "      checks: write # the check on the commit",
    "    steps:",
    `      - uses: ${DOWNLOAD}`,
    "        if: needs.work.result != 'skipped'",
    "        continue-on-error: true",
    "        with:",
    "          name: assay-work",
    "          path: ${{ runner.temp }}/assay-work",
    ...machines.artifacts.flatMap((name) => [
      `      - uses: ${DOWNLOAD}`,
      "        if: needs.verify.result != 'skipped'",
      "        continue-on-error: true",
      "        with:",
      `          name: ${name}`,
      `          path: \${{ runner.temp }}/${name}`,
    ]),
    `      - uses: ${ASSAY}`,
    "        with:",
    "          job: publish",
    "          ticket: ${{ needs.admit.outputs.ticket }}",
    `          digest: ${machines.digests}`,
    ...o.publishing,
  ];
}

/** What in the jobs depends on how many machines share the stages: each has an output and an artifact of its own. */
function machinesOf(shards: number) {
  if (shards === 1) {
    return {
      strategy: [],
      outputs: ["      digest: ${{ steps.assay.outputs.digest }}"],
      share: [],
      artifact: "assay-verify",
      artifacts: ["assay-verify"],
      digests: "${{ needs.verify.outputs.digest }}",
    };
  }
  const numbers = Array.from({length: shards}, (_, at) => at + 1);
  const own = (number: number) => `matrix.shard == ${number} && steps.assay.outputs.digest || ''`;
  return {
    // each machine says all that it finds
    strategy: [`    strategy: {fail-fast: false, matrix: {shard: [${numbers.join(", ")}]}}`],
    // GitHub leaves an output alone that comes empty from a machine
    outputs: numbers.map((number) => `      digest-${number}: \${{ ${own(number)} }}`),
    share: [`          shard: \${{ matrix.shard }}/${shards}`],
    artifact: "assay-verify-${{ matrix.shard }}",
    artifacts: numbers.map((number) => `assay-verify-${number}`),
    digests: numbers.map((number) => `\${{ needs.verify.outputs.digest-${number} }}`).join(","),
  };
}
