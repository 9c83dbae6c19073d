/** Words the hints for missing programs for a person at a terminal, who installs them on this machine first. */
import type {Plan, Stage} from "../record/plan.ts";

type Tools = Stage["tools"];

/** The plan with such hints, unless a job of GitHub runs it. */
export function withLocalHints(plan: Plan, variables: Readonly<Record<string, string | undefined>>): Plan {
  if (variables["GITHUB_ACTIONS"] === "true") return plan;
  const reword = <Step extends {readonly tools: Tools}>(step: Step): Step => ({
    ...step,
    tools: step.tools.map(localHint),
  });
  return {...plan, stages: plan.stages.map(reword), setup: plan.setup.map(reword)};
}

function localHint(tool: Tools[number]): Tools[number] {
  const isForGitHub = /\bbefore Assay\b/.test(tool.hint) && !tool.hint.includes("on GitHub");
  return isForGitHub ? {...tool, hint: `install it on this machine (on GitHub: ${tool.hint})`} : tool;
}
