/** Stops a run that cannot succeed, before it pays for a turn of the agent. */

import {lackingPermissions} from "../github/workflow-job.ts";
import type {Failure} from "../record/failure.ts";
import type {Verdict} from "../record/verification.ts";
import {recordFailure} from "./catch-bug.ts";
import {refuseAgent} from "./organization-policy.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {requestRules} from "./request-rules.ts";

const NO_STAGES: Verdict = {kind: "unverified", why: "no-stages", detail: ""};

/**
 * True if the agent must not start; the record then has the reason. `/verify` does not start the agent and reports
 * these reasons itself.
 */
export async function cannotSucceed(run: PreparedRun): Promise<boolean> {
  const {record, config, wholePlan} = run;
  const {task, isSetup, isReview} = requestRules(run);
  const refusal = isReview ? refuseAgent(run) : null;
  if (refusal !== null) recordFailure(run, refusal);
  if (task === null) return refusal !== null;
  // GitHub refused the comment: no report would be seen, and the token can probably do nothing else.
  if (record.current().failures.length > 0) return true;
  const failure = run.configFailure ?? refuseAgent(run) ?? (await missingPermission(run));
  if (failure !== null) {
    recordFailure(run, failure);
    return true;
  }
  if (isSetup) return false;
  // `onFailure: commit` publishes unverified work, and with `enabled: false` nothing is verified.
  if (wholePlan.stages.length > 0 || !config.enabled || config.onFailure === "commit") return false;
  record.update({verdict: NO_STAGES});
  return true;
}

/** Only for the workflow's own token, because the file does not show the permissions of other tokens. */
async function missingPermission({workflow, context}: PreparedRun): Promise<Failure | null> {
  const {variables, github} = context;
  const missingScopes = workflow === null ? null : lackingPermissions(workflow, variables["GITHUB_JOB"] ?? "");
  if (workflow === null || missingScopes === null) return null;
  const self = await github.whoami();
  if (!self.ok || self.value.login !== "github-actions[bot]") return null;
  return {
    kind: "missing-permission",
    workflow: workflow.path,
    job: missingScopes.job,
    permissions: [...missingScopes.permissions],
  };
}
