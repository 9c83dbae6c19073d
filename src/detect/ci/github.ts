/** GitHub workflows: the commands that run on a push or pull request, job by job, read as data. */
import type {Note} from "../../record/plan.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import {WORKFLOWS, workflowFiles} from "../proposals/candidate-stages.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {type Lookup, mayHold} from "./expression.ts";
import {type CiScript, detectScripts} from "./extract-checks.ts";
import type {CiLocation} from "./jobs.ts";
import {type Combination, combinationsOf, isElsewhere} from "./matrix.ts";
import {OWN_FILE, plainEnv, scriptsOfSteps} from "./steps.ts";

const MAX_WORKFLOWS = 60;
const MAX_JOBS = 100;
const MAX_DEPTH = 4;
const MAX_STEPS = 20_000;
const CHANGES = ["push", "pull_request", "merge_group"];

export const githubWorkflows: Ecosystem = {
  name: "github-workflows",
  title: "GitHub workflows",
  manifests: [".github/workflows/*.yml", ".github/workflows/*.yaml"],
  where: "beside",
  detect: detectScripts(readScripts),
};

function readScripts(project: Project, notes: Note[]): CiScript[] {
  const files = workflowFiles(project);
  const about = WORKFLOWS;
  if (files.length > MAX_WORKFLOWS)
    notes.push({about, text: `only the first ${MAX_WORKFLOWS} of ${files.length} were looked at`});
  const budget = {steps: MAX_STEPS};
  const scripts = files
    .slice(0, MAX_WORKFLOWS)
    .flatMap((file) => scriptsOfWorkflow({project, file, key: "", notes, budget, above: [file]}));
  if (budget.steps <= 0)
    notes.push({about, text: `only the first ${MAX_STEPS} steps were looked at: there are too many`});
  return scripts;
}

function scriptsOfWorkflow(here: CiLocation): CiScript[] {
  const {project, file, notes} = here;
  const workflow = project.yaml(file);
  const on = valueAt(workflow, "on");
  const why = untriggered(on) ?? notACheck(file.replace(/^.*\//, ""), textAt(workflow, "name"));
  if (why !== null && workflow !== undefined) notes.push({about: file, text: `left out: ${why}`});
  if (why !== null) return [];
  const onPull = mapOf(on).has("pull_request") || JSON.stringify(on).includes("pull_request");
  return scriptsOfJobs({...here, workflow, inputs: new Map(), event: onPull ? "pull_request" : "push"});
}

/** Why no push and no pull request starts this workflow; null if one does. */
function untriggered(on: unknown): string | null {
  const events = typeof on === "string" ? [on] : Array.isArray(on) ? on : [...mapOf(on).keys()];
  if (!events.some((event) => CHANGES.includes(String(event))))
    return events.includes("workflow_call")
      ? "it only runs where it is called"
      : "no push and no pull request starts it";
  if (events.some((event) => event === "pull_request" || event === "merge_group")) {
    const types = valueAt(on, "pull_request", "types");
    const usual = ["opened", "synchronize", "reopened"];
    return Array.isArray(types) && !types.some((type) => usual.includes(String(type))) && !events.includes("push")
      ? "it runs on other events of a pull request than its changes"
      : null;
  }
  const push = mapOf(valueAt(on, "push"));
  return push.has("tags") && !push.has("branches") && !push.has("branches-ignore") && !push.has("paths")
    ? "only a tag starts it"
    : null;
}

interface Jobs extends CiLocation {
  readonly workflow: unknown;
  readonly inputs: ReadonlyMap<string, unknown>;
  readonly event: string;
}

function scriptsOfJobs(here: Jobs): CiScript[] {
  const {file, notes} = here;
  const jobs = [...mapOf(valueAt(here.workflow, "jobs"))];
  if (jobs.length > MAX_JOBS)
    notes.push({about: file, text: `only the first ${MAX_JOBS} of its ${jobs.length} jobs were looked at`});
  return jobs.slice(0, MAX_JOBS).flatMap(([id, job]) => {
    const why = notACheck(id, textAt(job, "name")) ?? unsuited(job);
    if (why !== null) notes.push({about: `${file} ${id}`, text: `left out: ${why}`});
    return why === null ? scriptsOfJob({...here, key: id}, job) : [];
  });
}

function unsuited(job: unknown): string | null {
  const services = [...mapOf(valueAt(job, "services")).keys()];
  if (services.length > 0) return `CI starts ${services.join(", ")} next to it; stages that need that fail without it`;
  if (valueAt(job, "continue-on-error") === true) return "CI goes on when it fails";
  if (valueAt(job, "environment") !== undefined) return "it needs a protected environment";
  return isElsewhere(valueAt(job, "runs-on")) ? "it runs on another system" : null;
}

function scriptsOfJob(here: Jobs, job: unknown): CiScript[] {
  const {workflow, budget} = here;
  const env = {...plainEnv(valueAt(workflow, "env")), ...plainEnv(valueAt(job, "env"))};
  const cwd = workingFolder(job) ?? workingFolder(workflow) ?? ".";
  const uses = textAt(job, "uses");
  const scriptsByKey = new Map<string, CiScript>();
  for (const matrix of combinationsOf(valueAt(job, "strategy", "matrix"))) {
    const lookup = lookupIn({...here, matrix, env});
    if (budget.steps-- <= 0 || !mayHold(valueAt(job, "if"), lookup) || runsElsewhere(job, matrix)) continue;
    const scripts =
      uses === null
        ? scriptsOfSteps(valueAt(job, "steps"), {...here, cwd, env, lookup})
        : calledWorkflow(here, uses, valueAt(job, "with"));
    for (const script of scripts) scriptsByKey.set(`${script.file}\0${script.cwd}\0${script.text}`, script);
  }
  return [...scriptsByKey.values()];
}

const workingFolder = (holder: unknown): string | null => textAt(holder, "defaults", "run", "working-directory");

/** The matrix may give the label of the machine. */
function runsElsewhere(job: unknown, matrix: Combination): boolean {
  const label = textAt(job, "runs-on") ?? "";
  const key = /\$\{\{\s*matrix\.([\w.-]+)\s*\}\}/.exec(label)?.[1];
  return key !== undefined && isElsewhere(valueAt(matrix, ...key.split(".")));
}

function calledWorkflow(here: Jobs, uses: string, given: unknown): CiScript[] {
  const {project, notes, above} = here;
  const file = uses.replace(OWN_FILE, "");
  const isOwn = OWN_FILE.test(uses);
  if (!isOwn || above.includes(file) || above.length > MAX_DEPTH || !project.has(file)) {
    const why = isOwn ? "the workflow it calls is not there, or calls back" : "its steps are in another repository";
    notes.push({about: `${here.file} ${here.key}`, text: `left out: ${why}`});
    return [];
  }
  const workflow = project.yaml(file);
  const declared = [...mapOf(valueAt(workflow, "on", "workflow_call", "inputs"))];
  const defaults = declared.map(([name, input]): [string, unknown] => [name, valueAt(input, "default")]);
  const inputs = new Map([...defaults, ...mapOf(given)]);
  return scriptsOfJobs({...here, file, workflow, inputs, above: [...above, file]});
}

/** The value of an expression in a job, on Linux, for an unmerged pull request. */
function lookupIn(
  job: Pick<Jobs, "inputs" | "event"> & {matrix: Combination; env: Readonly<Record<string, string>>},
): Lookup {
  const {matrix, env, inputs, event} = job;
  const pull = event === "pull_request";
  const knownValues: Readonly<Record<string, unknown>> = {
    matrix,
    env,
    inputs: Object.fromEntries(inputs),
    runner: {os: "Linux", arch: "X64"},
    github: {
      event_name: event,
      ref_type: "branch",
      workspace: "$GITHUB_WORKSPACE",
      ...(pull ? {ref: "refs/pull/1/merge", event: {action: "synchronize"}} : {}),
    },
  };
  return (path) => {
    const [context = "", ...keys] = path;
    const value = valueAt(knownValues, context, ...keys);
    // A key that is missing in a matrix combination is empty there, not unknown.
    if (value === undefined && (context === "matrix" || context === "inputs")) return "";
    return typeof value === "string" && value.includes("${{") ? undefined : value;
  };
}
