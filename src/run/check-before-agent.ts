/** Finds what keeps a run from success whatever the agent does, before a turn of it is paid for. */

import type {AdmittedRun} from "../../lifecycle/1-admit.ts";
import {lackingPermissions} from "../github/workflow-job.ts";
import type {Failure} from "../record/failure.ts";
import type {Verdict} from "../record/verification.ts";
import {recordFailure} from "./catch-bug.ts";
import type {RunSetup} from "./run-setup.ts";

const NO_STAGES: Verdict = {kind: "unverified", why: "no-stages", detail: ""};

/** True if the agent must not start; the record then has the reason. `/verify` starts none, and reports such things itself. */
export async function cannotSucceed({run, ground}: {run: AdmittedRun; ground: RunSetup}): Promise<boolean> {
  const {record} = run;
  if (record.current().request?.kind === "verify") return false;
  // The comment was refused: nobody would see a report, and the token can hardly do more.
  if (record.current().failures.length > 0) return true;
  const failure = ground.configFailure ?? (await missingPermission({run, ground}));
  if (failure !== null) {
    recordFailure(run, failure);
    return true;
  }
  const {config, plan} = ground;
  // `onFailure: commit` publishes unverified work, and switched off nothing is verified.
  if (plan.stages.length > 0 || !config.enabled || config.onFailure === "commit") return false;
  record.update({verdict: NO_STAGES});
  return true;
}

/** Only for a workflow's own token: what another one may do is not in the file. */
async function missingPermission({run, ground}: {run: AdmittedRun; ground: RunSetup}): Promise<Failure | null> {
  const {workflow} = ground;
  const {variables, github} = run.world;
  const lacking = workflow === null ? null : lackingPermissions(workflow, variables["GITHUB_JOB"] ?? "");
  if (workflow === null || lacking === null) return null;
  const self = await github.whoami();
  if (!self.ok || self.value.login !== "github-actions[bot]") return null;
  return {kind: "missing-permission", workflow: workflow.path, job: lacking.job, permissions: [...lacking.permissions]};
}
