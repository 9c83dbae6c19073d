/** Words the hints for missing programs for a person at a terminal, who installs them on this machine first. */
import type {Project} from "../detect/files/project.ts";
import {inSetupAction, installs, SETUP_ACTION} from "../onboarding/init/setup-action.ts";
import {stepsForTools} from "../onboarding/init/setup-steps.ts";
import {callsAssay, findWorkflow} from "../onboarding/init/workflow-file.ts";
import type {Plan, Stage} from "../record/plan.ts";

type PlannedTool = Stage["tools"][number];

interface HintContext {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly project: Project;
}

/** The plan with such hints, unless a job of GitHub runs it. */
export function withLocalHints(plan: Plan, {variables, project}: HintContext): Plan {
  if (variables["GITHUB_ACTIONS"] === "true") return plan;
  const reword = <Step extends {readonly tools: PlannedTool[]}>(step: Step): Step => ({
    ...step,
    tools: step.tools.map((tool) => localHint(tool, {project, ci: plan.ci})),
  });
  return {...plan, stages: plan.stages.map(reword), setup: plan.setup.map(reword)};
}

function localHint(tool: PlannedTool, context: {project: Project; ci: Plan["ci"]}): PlannedTool {
  const {project} = context;
  if (!/\bbefore Assay\b/.test(tool.hint)) return tool;
  const withHint = (onGitHub: string): PlannedTool => ({
    ...tool,
    hint: `install it on this machine (on GitHub${onGitHub})`,
  });
  const workflow = findWorkflow(project);
  // A job that calls Assay's workflow has no steps.
  const isCaller = workflow === null || callsAssay(project, workflow);
  const text = isCaller ? project.text(SETUP_ACTION) : null;
  if (text !== null && installs(text, stepsForTools([tool], context).steps))
    return withHint(`, ${SETUP_ACTION} installs it`);
  return withHint(isCaller ? `, in ${SETUP_ACTION}: ${inSetupAction(tool.hint)}` : `: ${tool.hint}`);
}
