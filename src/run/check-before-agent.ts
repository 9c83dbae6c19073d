/** Stops a run that cannot succeed, before it pays for a turn of the agent. */

import {lackingPermissions} from "../github/workflow-job.ts";
import type {Failure} from "../record/failure.ts";
import type {Verdict} from "../record/verification.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {recordFailure} from "./catch-bug.ts";
import {requestRules} from "./request-rules.ts";
import type {RunSetup} from "./run-setup.ts";

const NO_STAGES: Verdict = {kind: "unverified", why: "no-stages", detail: ""};

/** True if the agent must not start; the record then has the reason. `/verify` starts no agent and reports these reasons itself. */
export async function cannotSucceed({run, setup}: {run: AdmittedRun; setup: RunSetup}): Promise<boolean> {
  const {record} = run;
  if (requestRules(run).task === null) return false;
  // GitHub refused the comment: no report would be seen, and the token can hardly do more.
  if (record.current().failures.length > 0) return true;
  const failure = setup.configFailure ?? (await missingPermission({run, setup}));
  if (failure !== null) {
    recordFailure(run, failure);
    return true;
  }
  const {config, plan} = setup;
  // `onFailure: commit` publishes unverified work, and with `enabled: false` nothing is verified.
  if (plan.stages.length > 0 || !config.enabled || config.onFailure === "commit") return false;
  record.update({verdict: NO_STAGES});
  return true;
}

/** Only for the workflow's own token: the file does not say what another token may do. */
async function missingPermission({run, setup}: {run: AdmittedRun; setup: RunSetup}): Promise<Failure | null> {
  const {workflow} = setup;
  const {variables, github} = run.context;
  const lacking = workflow === null ? null : lackingPermissions(workflow, variables["GITHUB_JOB"] ?? "");
  if (workflow === null || lacking === null) return null;
  const self = await github.whoami();
  if (!self.ok || self.value.login !== "github-actions[bot]") return null;
  return {kind: "missing-permission", workflow: workflow.path, job: lacking.job, permissions: [...lacking.permissions]};
}
