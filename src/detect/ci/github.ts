/** GitHub workflows: the commands that run on a push or pull request, job by job, read as data. */
import type {Note} from "../../record/plan.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {type Lookup, mayHold} from "./expression.ts";
import {type CiScript, extractChecks} from "./extract-checks.ts";
import {type Combination, combinationsOf, isElsewhere} from "./matrix.ts";
import {OWN_FILE, plainEnv, type StepLocation, scriptsOfSteps} from "./steps.ts";

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
  detect,
};

function detect({project, root}: ProjectFolder): Proposal {
  const notes: Note[] = [];
  if (root !== ".") return {stages: [], setup: [], notes};
  const files = project.inFolder(".github/workflows").filter((path) => /\.ya?ml$/.test(path));
  if (files.length > MAX_WORKFLOWS)
    notes.push({about: ".github/workflows", text: `only the first ${MAX_WORKFLOWS} of ${files.length} were looked at`});
  const budget = {steps: MAX_STEPS};
  const scripts = files.slice(0, MAX_WORKFLOWS).flatMap((file) => scriptsOfWorkflow({project, file, notes, budget}));
  if (budget.steps <= 0)
    notes.push({
      about: ".github/workflows",
      text: `only the first ${MAX_STEPS} steps were looked at: there are too many`,
    });
  const mined = extractChecks(project, scripts);
  return {...mined, notes: [...notes, ...mined.notes]};
}

function scriptsOfWorkflow(o: {project: Project; file: string; notes: Note[]; budget: {steps: number}}): CiScript[] {
  const workflow = o.project.yaml(o.file);
  const why = untriggered(valueAt(workflow, "on")) ?? notACheck(o.file.replace(/^.*\//, ""), textAt(workflow, "name"));
  if (why !== null && workflow !== undefined) o.notes.push({about: o.file, text: `left out: ${why}`});
  if (why !== null) return [];
  const onPull =
    mapOf(valueAt(workflow, "on")).has("pull_request") ||
    JSON.stringify(valueAt(workflow, "on")).includes("pull_request");
  return scriptsOfJobs({...o, workflow, inputs: new Map(), event: onPull ? "pull_request" : "push", above: [o.file]});
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

interface Jobs {
  project: Project;
  file: string;
  notes: Note[];
  budget: {steps: number};
  workflow: unknown;
  inputs: ReadonlyMap<string, unknown>;
  event: string;
  /** files that included this one, the workflow itself last */
  above: readonly string[];
}

function scriptsOfJobs(o: Jobs): CiScript[] {
  const jobs = [...mapOf(valueAt(o.workflow, "jobs"))];
  if (jobs.length > MAX_JOBS)
    o.notes.push({about: o.file, text: `only the first ${MAX_JOBS} of its ${jobs.length} jobs were looked at`});
  return jobs.slice(0, MAX_JOBS).flatMap(([id, job]) => {
    const why = notACheck(id, textAt(job, "name")) ?? unsuited(job);
    if (why !== null) o.notes.push({about: `${o.file} ${id}`, text: `left out: ${why}`});
    return why === null ? scriptsOfJob(o, id, job) : [];
  });
}

function unsuited(job: unknown): string | null {
  const services = [...mapOf(valueAt(job, "services")).keys()];
  if (services.length > 0) return `CI starts ${services.join(", ")} next to it; stages that need that fail without it`;
  if (valueAt(job, "continue-on-error") === true) return "CI goes on when it fails";
  if (valueAt(job, "environment") !== undefined) return "it needs a protected environment";
  return isElsewhere(valueAt(job, "runs-on")) ? "it runs on another system" : null;
}

function scriptsOfJob(o: Jobs, id: string, job: unknown): CiScript[] {
  const env = {...plainEnv(valueAt(o.workflow, "env")), ...plainEnv(valueAt(job, "env"))};
  const scriptsByKey = new Map<string, CiScript>();
  for (const matrix of combinationsOf(valueAt(job, "strategy", "matrix"))) {
    const lookup = lookupIn({matrix, env, inputs: o.inputs, event: o.event});
    if (o.budget.steps-- <= 0 || !mayHold(valueAt(job, "if"), lookup) || runsElsewhere(job, matrix)) continue;
    const uses = textAt(job, "uses");
    const jobPlace: StepLocation = {
      project: o.project,
      file: o.file,
      key: id,
      cwd: workingFolder(job) ?? workingFolder(o.workflow) ?? ".",
      env,
      lookup,
      notes: o.notes,
      above: o.above,
      budget: o.budget,
    };
    const scripts =
      uses === null ? scriptsOfSteps(valueAt(job, "steps"), jobPlace) : calledWorkflow(o, {id, job, uses, lookup});
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

function calledWorkflow(o: Jobs, call: {id: string; job: unknown; uses: string; lookup: Lookup}): readonly CiScript[] {
  const file = call.uses.replace(OWN_FILE, "");
  const place = `${o.file} ${call.id}`;
  if (!OWN_FILE.test(call.uses)) {
    o.notes.push({about: place, text: "left out: its steps are in another repository"});
    return [];
  }
  if (o.above.includes(file) || o.above.length > MAX_DEPTH || !o.project.has(file)) {
    o.notes.push({about: place, text: "left out: the workflow it calls is not there, or calls back"});
    return [];
  }
  const workflow = o.project.yaml(file);
  const inputs = new Map<string, unknown>();
  for (const [name, input] of mapOf(valueAt(workflow, "on", "workflow_call", "inputs")))
    inputs.set(name, valueAt(input, "default"));
  for (const [name, value] of mapOf(valueAt(call.job, "with"))) inputs.set(name, value);
  return scriptsOfJobs({...o, file, workflow, inputs, above: [...o.above, file]});
}

/** The value of an expression in a job, on Linux, for an unmerged pull request. */
function lookupIn(o: {
  matrix: Combination;
  env: Readonly<Record<string, string>>;
  inputs: ReadonlyMap<string, unknown>;
  event: string;
}): Lookup {
  const pull = o.event === "pull_request";
  const knownValues: Readonly<Record<string, unknown>> = {
    matrix: o.matrix,
    env: o.env,
    inputs: Object.fromEntries(o.inputs),
    runner: {os: "Linux", arch: "X64"},
    github: {
      event_name: o.event,
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
