/** What the workflow's file says of the job that Assay runs in: how long it may take, and what its token may do. */
import {mapOf, valueAt} from "../detect/files/manifest-values.ts";
import {parseYaml} from "../detect/files/parse-yaml.ts";

/** Without `timeout-minutes`: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax */
const DEFAULT_MINUTES = 360;
/** All that publishing needs; checks have a status to take their place. */
const NEEDED = ["contents", "issues", "pull-requests"] as const;

export interface WorkflowFile {
  /** path in the repository */
  readonly path: string;
  readonly jobs: ReadonlyMap<string, unknown>;
  /** `permissions` of the whole workflow; undefined where it has none */
  readonly permissions: unknown;
}

export interface Lacking {
  readonly job: string;
  readonly permissions: readonly (typeof NEEDED)[number][];
}

/** `owner/name/.github/workflows/assay.yml@refs/heads/main`, as `GITHUB_WORKFLOW_REF`, for this repository; else null. */
export function workflowPath(o: {ref: string; repository: string}): string | null {
  const [path = ""] = o.ref.split("@");
  const own = `${o.repository}/`;
  return path.startsWith(`${own}.github/workflows/`) ? path.slice(own.length) : null;
}

/** Null for what is no workflow. */
export function readWorkflow(o: {path: string; text: string}): WorkflowFile | null {
  try {
    const workflow = parseYaml(o.text);
    const jobs = mapOf(valueAt(workflow, "jobs"));
    return jobs.size === 0 ? null : {path: o.path, jobs, permissions: valueAt(workflow, "permissions")};
  } catch {
    // GitHub has started it, so it is YAML; what this reader cannot take says nothing.
    return null;
  }
}

/** Minutes after which GitHub ends the job; null where the file does not say: an expression, or a job of a called workflow. */
export function jobMinutes(workflow: WorkflowFile, job: string): number | null {
  const found = workflow.jobs.get(job);
  if (found === undefined) return null;
  const minutes = valueAt(found, "timeout-minutes") ?? DEFAULT_MINUTES;
  return typeof minutes === "number" && minutes > 0 ? minutes : null;
}

/**
 * What the token of the publishing job lacks: in separate jobs that is another job of the same file. Null where nothing is
 * known to be missing: without `permissions` the repository's settings decide.
 */
export function lackingPermissions(workflow: WorkflowFile, job: string): Lacking | null {
  const publishing = [...workflow.jobs].find(([, one]) => stepsOf(one).some((step) => partOf(step) === "publish"));
  const [name, found] = publishing ?? [job, workflow.jobs.get(job)];
  const given = valueAt(found, "permissions") ?? workflow.permissions;
  if (found === undefined || given === undefined || given === null || given === "write-all") return null;
  const permissions = NEEDED.filter((scope) => valueAt(given, scope) !== "write");
  return permissions.length === 0 ? null : {job: name, permissions};
}

const partOf = (step: unknown): unknown => valueAt(step, "with", "job");

function stepsOf(job: unknown): readonly unknown[] {
  const steps = valueAt(job, "steps");
  return Array.isArray(steps) ? steps : [];
}
