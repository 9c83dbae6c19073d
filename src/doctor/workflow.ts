/** Whether the workflow that runs Assay is there, is called, and may do what Assay does. */
import {findWorkflow, USES_ASSAY} from "../init/workflow-file.ts";
import {at, mapOf} from "../plan/data.ts";
import type {Project} from "../plan/view.ts";
import {type Finding, fine} from "./finding.ts";

const SCOPES = {
  contents: "push branches",
  issues: "comment",
  "pull-requests": "open pull requests",
  checks: "put its check on commits",
} as const;

/** Findings over the files of the tree; `keys` are the variables that carry a model provider's key. */
export function workflowFindings(o: {project: Project; keys: ReadonlySet<string>}): Finding[] {
  const {project, keys} = o;
  const file = findWorkflow(project);
  if (file === null)
    return [
      {about: "workflow", state: "missing", text: "no workflow here runs Assay", next: "run `assay init`, and commit"},
    ];
  const workflow = project.yaml(file);
  if (workflow === undefined)
    return [{about: file, state: "mistake", text: "is no valid YAML", next: "correct the file"}];
  const all = [...mapOf(at(workflow, "jobs")).values()];
  const caller = all.find(runsAssay);
  if (caller !== undefined)
    return [
      triggers(file, at(workflow, "on")),
      permissions(file, at(caller, "permissions") ?? at(workflow, "permissions")),
      key({file, keys, places: [{env: at(caller, "secrets")}]}),
    ];
  const jobs = all.filter((job) => stepsOf(job).some(runsAssay));
  // In the separated mode one job holds what is needed for publishing, and another what the agent needs.
  const writer = jobs.find((job) => at(job, "permissions", "contents") === "write") ?? jobs[0];
  const worker = jobs.find((job) => stepsOf(job).some((step) => at(step, "with", "job") === "work")) ?? jobs[0];
  return [
    triggers(file, at(workflow, "on")),
    permissions(file, at(writer, "permissions") ?? at(workflow, "permissions")),
    checkout(file, stepsOf(worker)),
    key({file, keys, places: [workflow, worker, ...stepsOf(worker).filter(runsAssay)]}),
  ];
}

function triggers(file: string, on: unknown): Finding {
  const names = typeof on === "string" ? [on] : Array.isArray(on) ? on : [...mapOf(on).keys()];
  return names.includes("issue_comment")
    ? fine(file, "runs on comments")
    : {
        about: file,
        state: "missing",
        text: "does not run on comments, so nobody can call Assay",
        next: "add `issue_comment: {types: [created]}` under `on:`",
      };
}

function permissions(file: string, given: unknown): Finding {
  const about = `${file} permissions`;
  if (given === "write-all")
    return {about, state: "advice", text: "allow everything", next: `narrow them to ${wanted(Object.keys(SCOPES))}`};
  if (given === undefined)
    return {
      about,
      state: "unknown",
      text: "are the repository's default, which this machine cannot see",
      next: `add \`permissions: {${wanted(Object.keys(SCOPES))}}\``,
    };
  const lacking = Object.entries(SCOPES).filter(([scope]) => at(given, scope) !== "write");
  if (lacking.length === 0) return fine(about, "suffice");
  return {
    about,
    state: "missing",
    text: `do not let Assay ${lacking.map(([, what]) => what).join(", ")}`,
    next: `add \`${wanted(lacking.map(([scope]) => scope))}\``,
  };
}

function checkout(file: string, steps: readonly unknown[]): Finding {
  const isBefore = steps
    .slice(0, steps.findIndex(runsAssay))
    .some((step) => usesOf(step).startsWith("actions/checkout@"));
  return isBefore
    ? fine(`${file} checkout`, "comes before Assay")
    : {
        about: `${file} checkout`,
        state: "missing",
        text: "no step checks the repository out before Assay",
        next: "add the step `actions/checkout` before it",
      };
}

function key(o: {file: string; keys: ReadonlySet<string>; places: readonly unknown[]}): Finding {
  const about = `${o.file} model key`;
  const names = o.places.flatMap((place) => [...mapOf(at(place, "env")).keys()]).filter((name) => o.keys.has(name));
  const [name] = names;
  if (name !== undefined)
    return {
      about,
      state: "unknown",
      text: `${name} is handed over; whether the secret behind it exists cannot be seen from here`,
      next: `see that the repository has the secret: \`gh secret list\``,
    };
  return {
    about,
    state: "missing",
    text: "no key of a model provider is handed over",
    next: 'add `env: {ANTHROPIC_API_KEY: "${{ secrets.ANTHROPIC_API_KEY }}"}` to the step',
  };
}

const wanted = (scopes: readonly string[]): string => scopes.map((scope) => `${scope}: write`).join(", ");

function stepsOf(job: unknown): readonly unknown[] {
  const steps = at(job, "steps");
  return Array.isArray(steps) ? steps : [];
}

const runsAssay = (step: unknown): boolean => USES_ASSAY.test(`uses: ${usesOf(step)}`);

function usesOf(step: unknown): string {
  const uses = at(step, "uses");
  return typeof uses === "string" ? uses : "";
}
