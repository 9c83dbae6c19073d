/** Reads and cancels workflow runs. Reading needs `actions: read`. */
import {z} from "zod";
import {ok, type Result, refused} from "../record/words.ts";
import type {Refused, Transport} from "./transport.ts";

const jobSchema = z.object({
  /** in a called workflow, after the name of the calling job and a slash */
  name: z.string(),
  status: z.string(),
  html_url: z.string().nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  conclusion: z.string().nullish(),
  /** null or 0 for a job that was cancelled before it had a machine */
  runner_id: z.number().nullish(),
});
export type WorkflowJob = z.infer<typeof jobSchema>;

const MAX_RUNS = 100;
const redRunSchema = z
  .object({
    ...{id: z.int(), name: z.string().nullish(), path: z.string(), html_url: z.string(), updated_at: z.string()},
    ...{head_sha: z.string(), head_branch: z.string().nullish(), conclusion: z.string().nullish()},
    head_repository: z.object({full_name: z.string()}).nullish(),
  })
  .transform((run) => ({
    id: run.id,
    // `.github/workflows/ci.yml@refs/heads/main` for a workflow of another branch
    path: run.path.split("@")[0] ?? "",
    name: run.name || run.path,
    url: run.html_url,
    endedAt: run.updated_at,
    commit: run.head_sha,
    branch: run.head_branch ?? "",
    repository: run.head_repository?.full_name ?? null,
    conclusion: run.conclusion ?? null,
  }));
type RedRun = z.infer<typeof redRunSchema>;

const endedJobSchema = z.object({
  id: z.int(),
  name: z.string(),
  conclusion: z.string().nullish(),
  steps: z.array(z.object({name: z.string(), conclusion: z.string().nullish()})).default([]),
});
export type EndedJob = z.infer<typeof endedJobSchema>;

const runSchema = z
  .object({id: z.int(), created_at: z.string(), conclusion: z.string().nullish()})
  .transform(({id, created_at, conclusion}) => ({id, createdAt: created_at, conclusion: conclusion ?? null}));
type WorkflowRun = z.infer<typeof runSchema>;

export function workflowRunMethods({owner, repo, call}: Transport) {
  /**
   * Asks GitHub to cancel a workflow run, as the button does. `over`: it has already ended. The token needs `actions:
   * write`.
   */
  async function cancelRun(id: string): Promise<Result<"cancelled" | "over", Refused>> {
    const answer = await call({
      name: `cancel the workflow run ${id}`,
      answer: z.unknown(),
      send: (rest, request) => rest.actions.cancelWorkflowRun({owner, repo, run_id: Number(id), request}),
    });
    if (answer.ok) return ok("cancelled");
    return [404, 409].includes(answer.failure.status) ? ok("over") : answer;
  }

  /** The time at which the newest attempt of a run was requested, before it waited (ISO 8601). */
  async function runStart(id: number): Promise<Result<string, Refused>> {
    const answer = await call({
      name: `read the workflow run ${id}`,
      answer: z.object({run_started_at: z.string()}),
      send: (rest, request) => rest.actions.getWorkflowRun({owner, repo, run_id: id, request}),
    });
    return answer.ok ? ok(answer.value.run_started_at) : answer;
  }

  /** The jobs of a run's newest attempt. Jobs that wait for others may be missing. */
  async function runJobs(id: number): Promise<Result<WorkflowJob[], Refused>> {
    return jobsOf(id, {owner, repo, call, job: jobSchema});
  }

  return {cancelRun, runStart, runJobs, ...runLists({owner, repo, call}), ...endedRuns({owner, repo, call})};
}

async function jobsOf<Job>(
  id: number,
  {owner, repo, call, job}: Pick<Transport, "owner" | "repo" | "call"> & {job: z.ZodType<Job>},
): Promise<Result<Job[], Refused>> {
  const answer = await call({
    name: `read the jobs of the workflow run ${id}`,
    answer: z.object({jobs: z.array(job)}),
    send: (rest, request) => rest.actions.listJobsForWorkflowRun({owner, repo, run_id: id, per_page: 100, request}),
  });
  return answer.ok ? ok(answer.value.jobs) : answer;
}

function runLists({owner, repo, call}: Pick<Transport, "owner" | "repo" | "call">) {
  /**
   * The runs of a workflow that an event started since then (ISO 8601), without those whose jobs were all skipped. Fails
   * if they may be more than 100.
   */
  async function workflowRuns({
    workflow,
    event,
    since,
  }: {
    workflow: string;
    event: string;
    since: string;
  }): Promise<Result<WorkflowRun[], Refused>> {
    const name = `read the workflow's runs for ${event}`;
    const answer = await call({
      name,
      answer: z.object({workflow_runs: z.array(runSchema)}),
      send: (rest, request) =>
        rest.actions.listWorkflowRuns({owner, repo, workflow_id: workflow, event, per_page: MAX_RUNS, request}),
    });
    if (!answer.ok) return answer;
    const runs = answer.value.workflow_runs.filter(({createdAt}) => createdAt >= since);
    if (runs.length >= MAX_RUNS)
      return refused({kind: "github-refused", request: name, status: 0, message: "there are too many of them"});
    return ok(runs.filter(({conclusion}) => conclusion !== "skipped"));
  }

  return {workflowRuns};
}

function endedRuns({owner, repo, call}: Pick<Transport, "owner" | "repo" | "call">) {
  /** A workflow run that ended, with the commit that it was for. */
  const endedRun = (id: number): Promise<Result<RedRun, Refused>> =>
    call({
      name: `read the workflow run ${id}`,
      answer: redRunSchema,
      send: (rest, request) => rest.actions.getWorkflowRun({owner, repo, run_id: id, request}),
    });

  /** The newest run of a workflow of this repository for a commit that ended; null without one, or without the workflow. `workflow` is the name of its file. */
  async function runOfCommit(workflow: string, commit: string): Promise<Result<RedRun | null, Refused>> {
    const answer = await call({
      name: `read the runs of ${workflow} for ${commit.slice(0, 12)}`,
      answer: z.object({workflow_runs: z.array(redRunSchema)}),
      send: (rest, request) =>
        rest.actions.listWorkflowRuns({
          ...{owner, repo, workflow_id: workflow, head_sha: commit, status: "completed", per_page: 20, request},
        }),
    });
    // A fork may have the same commit, and another workflow.
    if (answer.ok)
      return ok(answer.value.workflow_runs.find(({repository}) => repository === `${owner}/${repo}`) ?? null);
    return answer.failure.status === 404 ? ok(null) : answer;
  }

  /** The jobs of a run's newest attempt, with their steps; the first 100. */
  async function endedJobs(id: number): Promise<Result<EndedJob[], Refused>> {
    return jobsOf(id, {owner, repo, call, job: endedJobSchema});
  }

  /** GitHub redirects to the text. */
  const jobLog = (id: number): Promise<Result<string, Refused>> =>
    call({
      name: `read the log of job ${id}`,
      answer: z.string(),
      send: (rest, request) => rest.actions.downloadJobLogsForWorkflowRun({owner, repo, job_id: id, request}),
    });

  return {endedRun, runOfCommit, endedJobs, jobLog};
}
