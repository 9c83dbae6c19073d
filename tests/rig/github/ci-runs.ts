/** Workflow runs of the repository's own CI: each with its commit, its jobs and their logs. */
import type {IncomingMessage, ServerResponse} from "node:http";
import type {Json} from "../json.ts";
import {type Answer, json, notFound} from "./additions.ts";

export interface CiJob {
  readonly name: string;
  readonly conclusion: string;
  /** the steps by their names, with how they ended */
  readonly steps: Readonly<Record<string, string>>;
  readonly log?: string;
}

export interface CiRun {
  readonly id: number;
  readonly name: string;
  /** below `.github/workflows/` */
  readonly file: string;
  readonly commit: string;
  readonly branch: string;
  /** `owner/name` */
  readonly repository: string;
  readonly conclusion: string;
  readonly endedAt: string;
  readonly jobs: readonly CiJob[];
}

/** GitHub's id of a job. */
const jobId = (run: CiRun, at: number) => run.id * 100 + at;

export function shownRun({id, name, file, commit, branch, repository, conclusion, endedAt}: CiRun): Json {
  return {
    ...{id, name, path: `.github/workflows/${file}`, head_sha: commit, head_branch: branch, conclusion},
    ...{event: "pull_request", status: "completed", created_at: endedAt, run_started_at: endedAt, updated_at: endedAt},
    html_url: `https://x.test/actions/runs/${id}`,
    head_repository: {full_name: repository},
  };
}

/** The answer about one of these runs; null for any other. */
export function answerCiRuns(runs: readonly CiRun[], path: string, query: URLSearchParams): Answer | null {
  const log = /\/actions\/jobs\/(\d+)\/logs$/.exec(path)?.[1];
  if (log !== undefined) return {status: 302, headers: {location: `/ci-logs/${log}`}, body: ""};
  const file = /\/actions\/workflows\/([^/]+)\/runs$/.exec(path)?.[1];
  const ofFile = runs.filter((run) => run.file === file && run.commit === query.get("head_sha")).reverse();
  if (query.has("head_sha")) {
    const known = runs.some((run) => run.file === file);
    return known ? json(200, {total_count: ofFile.length, workflow_runs: ofFile.map(shownRun)}) : notFound();
  }
  const [, id, isJobs] = /\/actions\/runs\/(\d+)(\/jobs)?$/.exec(path) ?? [];
  const run = runs.find((one) => String(one.id) === id);
  if (run === undefined) return null;
  if (isJobs === undefined) return json(200, shownRun(run));
  const jobs = run.jobs.map(({name, conclusion, steps}, at) => ({
    ...{id: jobId(run, at), name, conclusion, status: "completed"},
    steps: Object.entries(steps).map(([step, ended], number) => ({name: step, conclusion: ended, number: number + 1})),
  }));
  return json(200, {total_count: jobs.length, jobs});
}

export const isLog = ({url = ""}: IncomingMessage): boolean => url.startsWith("/ci-logs/");

/** The text of a log is on another server of GitHub, which takes no token. */
export async function sendLog(
  runs: readonly CiRun[],
  {url = ""}: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = Number(url.split("/").at(-1));
  const log = runs.flatMap((run) => run.jobs.filter((_, at) => jobId(run, at) === id))[0]?.log;
  response.writeHead(log === undefined ? 404 : 200, {"content-type": "text/plain; charset=utf-8"}).end(log);
}
