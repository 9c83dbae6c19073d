/** Reads and cancels workflow runs. Reading needs `actions: read`. */
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import type {Refused, Transport} from "./transport.ts";

const jobSchema = z.object({
  /** in a called workflow, after the name of the calling job and a slash */
  name: z.string(),
  status: z.string(),
  html_url: z.string().nullish(),
  started_at: z.string().nullish(),
});
export type WorkflowJob = z.infer<typeof jobSchema>;

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

  /** The ids of a workflow's scheduled runs since then (ISO 8601), the newest 100. */
  async function scheduledRuns({
    workflow,
    since,
  }: {
    workflow: string;
    since: string;
  }): Promise<Result<number[], Refused>> {
    const filter = {owner, repo, workflow_id: workflow, event: "schedule", per_page: 100};
    const answer = await call({
      name: "read the scheduled runs",
      answer: z.object({workflow_runs: z.array(z.object({id: z.int(), created_at: z.string()}))}),
      send: (rest, request) => rest.actions.listWorkflowRuns({...filter, request}),
    });
    return answer.ok
      ? ok(answer.value.workflow_runs.flatMap(({id, created_at}) => (created_at >= since ? id : [])))
      : answer;
  }

  /** The jobs of a run's newest attempt. Jobs that wait for others may be missing. */
  async function runJobs(id: number): Promise<Result<WorkflowJob[], Refused>> {
    const answer = await call({
      name: `read the jobs of the workflow run ${id}`,
      answer: z.object({jobs: z.array(jobSchema)}),
      send: (rest, request) => rest.actions.listJobsForWorkflowRun({owner, repo, run_id: id, per_page: 100, request}),
    });
    return answer.ok ? ok(answer.value.jobs) : answer;
  }

  return {cancelRun, runStart, scheduledRuns, runJobs};
}
