/** Checks the judge: its model's family, its cost report, its setup, and its job in a workflow of separate jobs. */
import type {Config} from "../../detect/config/config.ts";
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {isSameFamily} from "../../judge/model-family.ts";
import {ENDPOINTS} from "../../judge/providers/endpoints.ts";
import type {Finding} from "../finding.ts";
import {callsAssay, findWorkflow} from "../init/workflow-file.ts";
import {judgeSetupFindings} from "./judge-setup.ts";

/** Nothing if the judge is off. `variables` are those of this machine. */
export function judgeFindings(options: {
  config: Pick<Config, "judge" | "budget" | "prices">;
  project: Project;
  variables: Readonly<Record<string, string | undefined>>;
}): Finding[] {
  const {project, variables} = options;
  const {judge, budget, prices} = options.config;
  if (!judge.enabled) return isConfigured(judge) ? [JUDGE_IS_OFF] : [];
  const file = findWorkflow(project);
  const jobs = file === null ? [] : [...mapOf(valueAt(project.yaml(file), "jobs")).values()];
  const steps = jobs.flatMap((job) => {
    const list = valueAt(job, "steps");
    return Array.isArray(list) ? [job, ...list] : [job];
  });
  const agentModel = steps.map((step) => valueAt(step, "with", "model")).find((model) => typeof model === "string");
  return [
    ...family(judge, String(agentModel ?? "")),
    ...(Object.hasOwn(prices, judge.model) ? [] : priceFindings(judge, budget)),
    ...judgeSetupFindings({judge, project, variables}),
    ...(file === null
      ? []
      : ownJob({file, isCaller: callsAssay(project, file), parts: steps.map((step) => valueAt(step, "with", "job"))})),
  ];
}

/** The finding for an entry that alone does not enable the judge. */
const JUDGE_IS_OFF: Finding = {
  about: "judge",
  state: "advice",
  text: "verify.json names its model, but it is off",
  next: 'add `"enabled": true` to `judge` in verify.json, or remove `judge`',
};

const isConfigured = ({provider, model}: Config["judge"]): boolean => provider !== "agent" || model !== "";

function family({provider, model}: Config["judge"], agentModel: string): Finding[] {
  const judgeModel = provider === "agent" ? model : `${provider}/${model}`;
  if (judgeModel !== "" && !isSameFamily(judgeModel, agentModel)) return [];
  return [
    {
      about: "judge",
      state: "advice",
      text: "its model is of the same family as the agent's, and models prefer their own work",
      next: "set `provider` and `model` of `judge` in verify.json to another family",
    },
  ];
}

function priceFindings({provider}: Config["judge"], {usd}: Config["budget"]): Finding[] {
  if (usd === null || provider === "agent" || ENDPOINTS[provider].reportsCost) return [];
  return [
    {
      about: "judge price",
      state: "advice",
      text: `${provider} reports no cost, so \`budget.usd\` does not limit the judge`,
      next: "add its price to `prices` in verify.json, or use the provider `openrouter`",
    },
  ];
}

function ownJob(options: {file: string; isCaller: boolean; parts: readonly unknown[]}): Finding[] {
  const isSeparate = options.isCaller || options.parts.includes("verify");
  if (!isSeparate || options.parts.includes("judge")) return [];
  return [
    {
      about: "judge job",
      state: "advice",
      text: `${options.file} has separate jobs and no job \`judge\`, so opinions are advisory and cannot hold a change`,
      next: "remove the workflow, run `assay init` again, and repeat your changes to it",
    },
  ];
}
