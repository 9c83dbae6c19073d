/** Stops a run that cannot succeed, before it pays for a turn of the agent. */

import {INSTALLED} from "../detect/proposals/candidate-stages.ts";
import {lackingPermissions} from "../github/workflow-job.ts";
import {findProgram} from "../process/isolation.ts";
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

/**
 * A program that a required check or the set-up needs, and that this machine certainly lacks: nothing that the set-up
 * installs, and nothing that a check may find in the project.
 */
export function missingProgram({wholePlan, config, context}: PreparedRun): Failure | null {
  if (!config.enabled || config.onFailure === "commit") return null;
  const {setup, stages} = wholePlan;
  const required = stages.filter(({optional, when, path, env}) => {
    const mayBeInstalled = setup.length > 0 && path.length > 0;
    return !optional && when.length === 0 && !mayBeInstalled && env["PATH"] === undefined;
  });
  const needs = [...setup.map(({tools}) => ({name: "set-up", tools})), ...required];
  const path = context.variables["PATH"] ?? "";
  for (const {name: check, tools} of needs)
    for (const {name: program, hint: message} of tools)
      if (message !== INSTALLED && findProgram(program, {cwd: context.runner.workspace, path}) === null)
        return {kind: "program-missing", program, check, message};
  return null;
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
