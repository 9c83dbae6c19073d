/** The organization's policy of a run: read once when the run is admitted, and the same in all of its jobs. */

import {CONFIG_FILES, type Config} from "../detect/config/config.ts";
import type {PinnedPolicy} from "../detect/config/organization-policy.ts";
import {ENDPOINTS} from "../judge/providers/endpoints.ts";
import {AGENTS_WITH_COST} from "../record/agent-names.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {priceOf} from "./prices.ts";
import {limitsPeriods} from "./reserve-spending.ts";
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

/**
 * Why this agent or model may not work; null if it may. The agent's own default is an unknown model. With limits of a
 * day or a month, the cost of each call has to be known.
 */
export function refuseAgent({
  context,
  policy,
  config,
}: Pick<AdmittedRun, "policy"> & {
  readonly context: Pick<RunContext, "inputs">;
  readonly config: Pick<Config, "judge" | "prices" | "budget" | "allRepositories" | "file">;
}): Failure | null {
  const {agent, model, "agent-args": more} = context.inputs;
  const {judge, prices} = config;
  const {agents, models} = policy?.rules ?? {};
  const judgeModel = judge.model || model;
  const allowed = (names: readonly string[] | undefined, path: string, name: string) =>
    names === undefined || names.includes(name)
      ? []
      : [{path, message: NOT_ALLOWED, hint: `allowed: ${names.map((one) => `\`${one}\``).join(", ")}`}];
  const unpriced = (path: string, name: string, hasCost: boolean) =>
    hasCost || !limitsPeriods(config) || priceOf(prices, name) !== null
      ? []
      : [{path, message: NO_COST, hint: "name the model, and add its price to `prices`"}];
  const ofInputs = [
    ...allowed(agents, "agent", agent),
    ...allowed(models, "model", model),
    ...unpriced("model", model, AGENTS_WITH_COST.includes(agent)),
  ];
  if (models !== undefined && more.length > 0) {
    const hint = "remove it: these arguments could name another model than the policy allows";
    ofInputs.push({path: "agent-args", message: "is not possible with the organization's policy", hint});
  }
  if (ofInputs.length > 0) return {kind: "config-invalid", file: "the workflow's inputs", mistakes: ofInputs};
  const hasCost =
    judge.provider === "agent" ? AGENTS_WITH_COST.includes(agent) : ENDPOINTS[judge.provider].reportsCost === true;
  const ofJudge = judge.enabled
    ? [...allowed(models, "judge.model", judgeModel), ...unpriced("judge.model", judgeModel, hasCost)]
    : [];
  return ofJudge.length === 0
    ? null
    : {kind: "config-invalid", file: config.file ?? CONFIG_FILES[0], mistakes: ofJudge};
}

const NOT_ALLOWED = "is not one that the organization's policy allows";
const NO_COST = "reports no cost, and the dollars of a day or a month are limited";
