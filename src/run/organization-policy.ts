/** The organization's policy of a run: read once when the run is admitted, and the same in all of its jobs. */
import type {PinnedPolicy} from "../detect/config/organization-policy.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {RunContext} from "./run-context.ts";

/**
 * Null without a policy: the input is empty, or the token sees no such file. With the input `policy-token` the file is
 * expected. What cannot be read or parsed is a failure, so that no run starts without its limits.
 */
export async function readOrganizationPolicy(context: RunContext): Promise<Result<PinnedPolicy | null, Failure>> {
  const {policy: repository, "policy-token": token, "github-token": ownToken} = context.inputs;
  if (repository === "" || context.clone !== null) return ok(null);
  const {POLICY_FILE, parsePolicy} = await import("../detect/config/organization-policy.ts");
  const {connect} = await import("../github/client.ts");
  const {runner, log} = context;
  const github = connect({token: token || ownToken, apiUrl: runner.apiUrl, repository, log});
  const file = await github.fileOnDefaultBranch(POLICY_FILE);
  if (!file.ok) return file;
  const place = `${POLICY_FILE} of ${repository}`;
  if (file.value === null) {
    if (token === "") return ok(null);
    const message = "is missing, or the input `policy-token` cannot read it";
    const hint = "add the file to the default branch, or let the token read contents there";
    return refused({kind: "config-invalid", file: place, mistakes: [{path: "(the whole file)", message, hint}]});
  }
  const rules = parsePolicy({file: place, text: file.value.text});
  return rules.ok ? ok({place: `${repository}@${file.value.commit}`, rules: rules.value}) : rules;
}

/** Why this agent or model may not work; null if it may. The agent's own default is an unknown model. */
export function refuseAgent({
  context,
  policy,
}: Pick<AdmittedRun, "policy"> & {readonly context: Pick<RunContext, "inputs">}): Failure | null {
  const {agent, model, "agent-args": more} = context.inputs;
  if (policy === null) return null;
  const {agents, models} = policy.rules;
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  const mistakes = [
    ...(agents === undefined || agents.includes(agent)
      ? []
      : [
          {
            path: "agent",
            message: "is not one that the organization's policy allows",
            hint: `allowed: ${list(agents)}`,
          },
        ]),
    ...(models === undefined || models.includes(model)
      ? []
      : [
          {
            path: "model",
            message: "is not one that the organization's policy allows",
            hint: `allowed: ${list(models)}`,
          },
        ]),
  ];
  if (models !== undefined && more.length > 0) {
    const hint = "remove it: these arguments could name another model than the policy allows";
    mistakes.push({path: "agent-args", message: "is not possible with the organization's policy", hint});
  }
  return mistakes.length === 0 ? null : {kind: "config-invalid", file: "the workflow's inputs", mistakes};
}
