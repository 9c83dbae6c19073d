/** Checks the judge: its model's family, its cost report, its key, and its job in a workflow of separate jobs. */
import type {Config} from "../../detect/config/config.ts";
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {isSameFamily} from "../../judge/model-family.ts";
import {ENDPOINTS} from "../../judge/providers/endpoints.ts";
import {callsAssay, findWorkflow} from "../init/workflow-file.ts";
import type {Finding} from "./finding.ts";

/** Nothing if the judge is off. All findings are advice: without an opinion, runs work as without a judge. */
export function judgeFindings({judge, budget}: Pick<Config, "judge" | "budget">, project: Project): Finding[] {
  if (!judge.enabled) return [];
  const file = findWorkflow(project);
  const jobs = file === null ? [] : [...mapOf(valueAt(project.yaml(file), "jobs")).values()];
  const steps = jobs.flatMap((job) => {
    const list = valueAt(job, "steps");
    return Array.isArray(list) ? [job, ...list] : [job];
  });
  const agentModel = steps.map((step) => valueAt(step, "with", "model")).find((model) => typeof model === "string");
  return [
    ...family(judge, String(agentModel ?? "")),
    ...price(judge, budget),
    ...(file === null ? [] : key({judge, file, text: project.text(file) ?? ""})),
    ...(file === null
      ? []
      : ownJob({file, isCaller: callsAssay(project, file), parts: steps.map((step) => valueAt(step, "with", "job"))})),
  ];
}

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

function price({provider}: Config["judge"], {usd}: Config["budget"]): Finding[] {
  if (usd === null || provider === "agent" || ENDPOINTS[provider].reportsCost) return [];
  return [
    {
      about: "judge price",
      state: "advice",
      text: `${provider} reports no cost, so \`budget.usd\` does not limit the judge`,
      next: "set `budget.minutes` in verify.json too, or use the provider `openrouter`",
    },
  ];
}

function key(options: {judge: Config["judge"]; file: string; text: string}): Finding[] {
  const {provider} = options.judge;
  if (provider === "agent" || options.text.includes(ENDPOINTS[provider].key)) return [];
  const name = ENDPOINTS[provider].key;
  return [
    {
      about: "judge key",
      state: "advice",
      text: `${options.file} does not pass ${name} to Assay, so nothing is judged`,
      next: `add \`${name}: \${{ secrets.${name} }}\` under \`env:\` of the step that runs Assay`,
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
