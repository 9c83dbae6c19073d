/** Reads the workflow that started this run from the commit that GitHub used, which no later push and no agent can change. */

import type {Repository} from "../git/repository.ts";
import {readWorkflow, type WorkflowFile, workflowPath} from "../github/workflow-job.ts";
import type {AdmittedRun} from "./admitted-run.ts";

const MAX_BYTES = 250_000;

/** Null outside GitHub Actions, and if the file cannot be read. */
export async function readOwnWorkflow(o: {run: AdmittedRun; repository: Repository}): Promise<WorkflowFile | null> {
  const {repository} = o;
  const {variables, runner, signal} = o.run.context;
  const path = workflowPath({ref: variables["GITHUB_WORKFLOW_REF"] ?? "", repository: runner.repository});
  const commit = variables["GITHUB_WORKFLOW_SHA"];
  if (path === null || !commit) return null;
  const fetched = await repository.fetch(commit, {signal});
  const text = fetched.ok ? await repository.readText(commit, path, {maxBytes: MAX_BYTES}) : fetched;
  return text.ok && text.value !== null ? readWorkflow({path, text: text.value}) : null;
}
