/** The minutes of the machines that a run used, as GitHub bills them: each job is rounded up. */
import {setTimeout as wait} from "node:timers/promises";
import type {WorkflowJob} from "../github/workflow-runs.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {jobStartMs} from "./prepare-run.ts";

/** The report does not wait longer for this number. */
const PATIENCE_MS = 5_000;

/** Puts them into the record. This job counts until now. If GitHub does not name the other jobs, they are not counted. */
export async function countRunnerMinutes({context, record}: AdmittedRun): Promise<void> {
  const {github, inputs, variables, runner} = context;
  const id = Number(variables["GITHUB_RUN_ID"]);
  if (!id || context.clone !== null) return;
  const now = Date.parse(context.now());
  const own = {name: "", status: "in_progress", started_at: new Date(jobStartMs(runner)).toISOString()};
  if (inputs.job === "all") return record.update({runnerMinutes: {minutes: billedMinutes([own], now)}});
  const jobs = await Promise.race([github.runJobs(id), wait(PATIENCE_MS, null, {ref: false})]);
  const isPart = !jobs?.ok || jobs.value.length === 0;
  const minutes = billedMinutes(isPart ? [own] : jobs.value, now);
  record.update({runnerMinutes: {minutes, ...(isPart && {isPart})}});
  const {reservation} = record.current();
  if (reservation && !isPart && !hadAgent(jobs.value)) record.update({reservation: {...reservation, isUnused: true}});
}

/** False if GitHub shows the agent's jobs, and none of them had a machine. */
export function hadAgent(jobs: readonly WorkflowJob[]): boolean {
  const ofAgent = jobs.filter(({name}) => name.split("/ ").at(-1)?.startsWith("Work"));
  return ofAgent.length === 0 || ofAgent.some(hadMachine);
}

/** The field is missing on other servers. */
const hadMachine = ({started_at: start, conclusion, status, runner_id: machine}: WorkflowJob): boolean =>
  Boolean(start) && conclusion !== "skipped" && status !== "queued" && machine !== null && machine !== 0;

/** Jobs that were skipped or have not started have no machine. */
export function billedMinutes(jobs: readonly WorkflowJob[], nowMs: number): number {
  return jobs.filter(hadMachine).reduce((sum, {started_at: start, completed_at: end}) => {
    const ms = (end ? Date.parse(end) : nowMs) - Date.parse(start ?? "");
    return sum + Math.max(1, Math.ceil(ms / 60_000));
  }, 0);
}
