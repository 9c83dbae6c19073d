/** The workflow that `assay init` writes, and how to tell that there is one. */
import type {Project} from "../plan/view.ts";

export const WORKFLOW_FILE = ".github/workflows/assay.yml";
const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** A step that runs Assay, from this repository or a fork of it. */
export const USES_ASSAY = /^\s*(?:-\s+)?uses:\s*["']?[\w.-]+\/assay(?:\/\.github\/workflows\/separated\.yml)?@/m;

/** The linter warns of every comment trigger; this one is what the bot is for, and it checks out the default branch only. */
export const TRIGGER =
  "on: {issue_comment: {types: [created]}, issues: {types: [opened]}} # zizmor: ignore[dangerous-triggers]";
/** The tag moves with the releases; a commit can stand there instead. */
export const ASSAY = "assay-run/assay@v0 # zizmor: ignore[unpinned-uses]";
export const CHECKOUT =
  "      - {uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd, with: {persist-credentials: false}} # v6.0.2";

/** The text of the workflow. Without `steps` it is the one of docs/workflows/assay.yml, letter for letter. */
export function workflowFile(steps: readonly string[]): string {
  return [
    "name: Assay",
    TRIGGER,
    // there is one job, so that the workflow's rights are that job's
    "permissions: {contents: write, issues: write, pull-requests: write, checks: write} # zizmor: ignore[excessive-permissions]",
    'concurrency: {group: "assay-${{ github.event.issue.number }}", cancel-in-progress: false}',
    "jobs:",
    "  assay:",
    "    name: Assay",
    "    if: contains(github.event.comment.body || github.event.issue.body, '/')",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 60",
    "    steps:",
    CHECKOUT,
    ...steps,
    `      - uses: ${ASSAY}`,
    "        with: {provider: anthropic, model: claude-sonnet-4-5}",
    '        env: {ANTHROPIC_API_KEY: "${{ secrets.ANTHROPIC_API_KEY }}"} # zizmor: ignore[secrets-outside-env]',
    "",
  ].join("\n");
}

/** The workflow of this tree that runs Assay; null when there is none. */
export function findWorkflow(project: Project): string | null {
  const paths = project.files.filter((path) => WORKFLOW.test(path));
  return paths.find((path) => USES_ASSAY.test(project.text(path) ?? "")) ?? null;
}
