/** The digest of the rules that decide a verdict: the configuration, and what the plan runs. */
import type {Plan} from "../record/plan.ts";
import {canonicalJson, digestOf} from "../record/statement.ts";
import type {Config} from "./config/config.ts";

/**
 * SHA-256 of the rules. Where the work goes, who is notified, and what an agent may spend are no rules, and neither is
 * the wording of the plan.
 */
export function policyDigest(config: Config, plan: Plan): string {
  const {file, notify, onFailure, publish, pullRequest, sessions, budget, judge, maxFixAttempts, ...rules} = config;
  const stages = plan.stages.map(({origin, tools, services, ...stage}) => stage);
  const setup = plan.setup.map(({origin, tools, ...step}) => step);
  return digestOf(canonicalJson({rules, stages, setup}));
}
