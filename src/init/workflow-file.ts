/** The workflow that `assay init` writes, and how to tell that there is one. */
import type {Project} from "../plan/view.ts";

export const WORKFLOW_FILE = ".github/workflows/assay.yml";
const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** A step that runs Assay, from this repository or a fork of it. */
export const USES_ASSAY = /^\s*(?:-\s+)?uses:\s*["']?[\w.-]+\/assay(?:\/\.github\/workflows\/separated\.yml)?@/m;

/** The text of the workflow. Without `steps` it is the one of docs/workflows/assay.yml, letter for letter. */
export function workflowFile(steps: readonly string[]): string {
  return [
    "name: Assay",
    "on: {issue_comment: {types: [created]}, issues: {types: [opened]}}",
    "permissions: {contents: write, issues: write, pull-requests: write, checks: write}",
    'concurrency: {group: "assay-${{ github.event.issue.number }}", cancel-in-progress: false}',
    "jobs:",
    "  assay:",
    "    if: contains(github.event.comment.body || github.event.issue.body, '/')",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 60",
    "    steps:",
    "      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2",
    ...steps,
    "      - uses: assay-run/assay@v0",
    "        with: {provider: anthropic, model: claude-sonnet-4-5}",
    '        env: {ANTHROPIC_API_KEY: "${{ secrets.ANTHROPIC_API_KEY }}"}',
    "",
  ].join("\n");
}

/** The workflow of this tree that runs Assay; null when there is none. */
export function findWorkflow(project: Project): string | null {
  const paths = project.files.filter((path) => WORKFLOW.test(path));
  return paths.find((path) => USES_ASSAY.test(project.text(path) ?? "")) ?? null;
}
