/** Reads from the workflow's file how long Assay's job may take, and which permissions its token has. */
import {mapOf, valueAt} from "../detect/files/manifest-values.ts";
import {parseYaml} from "../detect/files/parse-yaml.ts";

/** Without `timeout-minutes`: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax */
const DEFAULT_MINUTES = 360;
/** Publishing needs these. It does not need `checks`: a status takes the place of a check. */
const NEEDED = ["contents", "issues", "pull-requests"] as const;

export interface WorkflowFile {
  /** path in the repository */
  readonly path: string;
  readonly jobs: ReadonlyMap<string, unknown>;
  /** `permissions` of the whole workflow; undefined if it has none */
  readonly permissions: unknown;
}

export interface MissingPermissions {
  readonly job: string;
  readonly permissions: readonly (typeof NEEDED)[number][];
}

/**
 * `owner/name/.github/workflows/assay.yml@refs/heads/main`, as `GITHUB_WORKFLOW_REF`, for this repository; else null.
 */
export function workflowPath({ref, repository}: {ref: string; repository: string}): string | null {
  const [path = ""] = ref.split("@");
  return path.startsWith(`${repository}/.github/workflows/`) ? path.slice(repository.length + 1) : null;
}

/** Null if the text is not a workflow. */
export function readWorkflow({path, text}: {path: string; text: string}): WorkflowFile | null {
  try {
    const workflow = parseYaml(text);
    const jobs = mapOf(valueAt(workflow, "jobs"));
    return jobs.size === 0 ? null : {path, jobs, permissions: valueAt(workflow, "permissions")};
  } catch {
    // GitHub started it, so it is YAML, though this parser cannot read it.
    return null;
  }
}

/**
 * Minutes after which GitHub ends the job; null if an expression says it. A job that the file does not contain belongs
 * to Assay's called workflow, which has the input `timeout-minutes`, or `otherwise`.
 */
export function jobMinutes(workflow: WorkflowFile, job: string, otherwise: number): number | null {
  const body = workflow.jobs.get(job);
  const given = [...workflow.jobs.values()].flatMap((caller) => valueAt(caller, "with", "timeout-minutes") ?? []);
  const minutes = body === undefined ? (given[0] ?? otherwise) : (valueAt(body, "timeout-minutes") ?? DEFAULT_MINUTES);
  return typeof minutes === "number" && minutes > 0 ? minutes : null;
}

/**
 * The permissions that the publishing job's token lacks; in separate jobs, another job of the same file publishes. Null
 * if none is known to be missing: without `permissions`, the repository's settings decide.
 */
export function lackingPermissions(workflow: WorkflowFile, job: string): MissingPermissions | null {
  const publishingJob = [...workflow.jobs].find(([, body]) => stepsOf(body).some((step) => partOf(step) === "publish"));
  const [name, body] = publishingJob ?? [job, workflow.jobs.get(job)];
  const grantedPermissions = valueAt(body, "permissions") ?? workflow.permissions;
  if (
    body === undefined ||
    grantedPermissions === undefined ||
    grantedPermissions === null ||
    grantedPermissions === "write-all"
  )
    return null;
  const permissions = NEEDED.filter((scope) => valueAt(grantedPermissions, scope) !== "write");
  return permissions.length === 0 ? null : {job: name, permissions};
}

const partOf = (step: unknown): unknown => valueAt(step, "with", "job");

function stepsOf(job: unknown): readonly unknown[] {
  const steps = valueAt(job, "steps");
  return Array.isArray(steps) ? steps : [];
}
