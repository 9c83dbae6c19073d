/** GitHub workflows: the commands that run on a push or pull request, job by job, read as data. */
import type {Note} from "../../record/plan.ts";
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import {STARTS_ASSAY, WORKFLOWS, workflowFiles} from "../proposals/candidate-stages.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";
import {notACheck} from "../proposals/other-jobs.ts";
import {enter} from "../scripts/shell-values.ts";
import {filledValue, fillIn, type Lookup, mayHold} from "./expression.ts";
import {detectScripts} from "./extract-checks.ts";
import {textOfTools, textOfWork} from "./job-text.ts";
import {
  computedAxes,
  conditionsOfJob,
  type JobRun,
  type Jobs,
  lookupOfJob,
  outputOfJob,
  stepPlace,
} from "./job-values.ts";
import type {CiLocation, CiScript} from "./jobs.ts";
import {
  type Combination,
  combinationsOf,
  compareVersions,
  isElsewhere,
  isUnreleased,
  MAX_COMBINATIONS,
  type MatrixUse,
  matrixUse,
  withoutVersions,
} from "./matrix.ts";
import {ON_BOTH_SYSTEMS} from "./other-systems.ts";
import {jobHasAccess} from "./plain-job.ts";
import {folderInput, ONLY_CI_KNOWS_FOLDER, OWN_FILE, opaqueScript, scriptsOfSteps} from "./steps.ts";

const MAX_WORKFLOWS = 60;
const MAX_JOBS = 100;
const MAX_DEPTH = 4;
const MAX_STEPS = 20_000;
/** More lines that a matrix makes of one step are listed. */
const MAX_LINES = 20;
const TOO_MANY_LINES = `the matrix of CI makes more than ${MAX_LINES} such lines`;
const CHANGE_EVENTS = ["push", "pull_request", "merge_group"];

export const githubWorkflows: Ecosystem = {
  name: "github-workflows",
  title: "GitHub workflows",
  manifests: [".github/workflows/*.yml", ".github/workflows/*.yaml"],
  where: "beside",
  detect: detectScripts(readScripts),
};

function readScripts(project: Project, notes: Note[]): CiScript[] {
  // `test.yml` comes before `test-nightly.yml`: of two runs of one command, its variables count.
  const stem = (file: string): string => file.replace(/\.\w+$/, "");
  const files = workflowFiles(project).sort((a, b) => (stem(a) < stem(b) ? -1 : Number(stem(a) > stem(b))));
  const about = WORKFLOWS;
  if (files.length > MAX_WORKFLOWS)
    notes.push({about, text: `only the first ${MAX_WORKFLOWS} of ${files.length} were looked at`});
  const budget = {steps: MAX_STEPS};
  const scripts = files
    .slice(0, MAX_WORKFLOWS)
    .flatMap((file) => scriptsOfWorkflow({project, file, key: "", notes, budget, above: [file]}));
  // If nothing runs on pull requests, CI's checks are those of a push.
  const ofPull = scripts.filter(({isRequired}) => isRequired !== false);
  const required = ofPull.length > 0 ? ofPull : scripts;
  if (budget.steps <= 0)
    notes.push({about, text: `only the first ${MAX_STEPS} steps were looked at: there are too many`});
  return required;
}

function scriptsOfWorkflow(here: CiLocation): CiScript[] {
  const {project, file, notes} = here;
  const workflow = project.yaml(file);
  const on = valueAt(workflow, "on");
  const why = whyUntriggered(on);
  const isCalled =
    why === ONLY_CALLED && workflowFiles(project).some((other) => project.text(other)?.includes(`/${file}`));
  // Assay's own workflow is started by comments.
  const isAssay = STARTS_ASSAY.test(project.text(file) ?? "");
  if (why !== null && workflow !== undefined && !isCalled && !isAssay)
    notes.push({about: file, text: `left out: ${why}`});
  if (why !== null) return [];
  const [event = "push", ...otherEvents] = changeEvents(on);
  const onPull = event !== "push";
  // For a pull request, commands decide, not names. A push may also start what publishes the merged change.
  const whyNoCheckHere = onPull ? null : notACheck(file.replace(/^.*\//, ""), textAt(workflow, "name"));
  const blocked = whyNoCheckHere === null ? null : whyNoCheckHere.replace(/^its/, "the workflow's");
  const jobs = {...here, workflow, inputs: new Map(), event, blocked};
  const scripts = scriptsOfJobs(jobs);
  const known = new Set(scripts.map(placeAndText));
  for (const other of otherEvents)
    scripts.push(
      ...scriptsOfJobs({...jobs, event: other, notes: []}).filter((script) => !known.has(placeAndText(script))),
    );
  return onPull ? scripts : scripts.flatMap((one) => (one.blocked === null ? [{...one, isRequired: false}] : []));
}

const placeAndText = ({file, key, cwd, text}: CiScript): string => [file, key, cwd, text].join("\0");

/** The events of a change that start a workflow: a pull request and its place in a merge queue, or else a push. */
export function changeEvents(on: unknown): string[] {
  const events = ["pull_request", "merge_group"].filter((event) => eventNames(on).includes(event));
  return events.length > 0 ? events : ["push"];
}

const eventNames = (on: unknown): readonly unknown[] =>
  typeof on === "string" ? [on] : Array.isArray(on) ? on : [...mapOf(on).keys()];

const ONLY_CALLED = "it only runs where it is called";
const ON_TARGET =
  "`pull_request_target` starts it for a pull request, with the rights of the base branch and, by default, on its code";

/** Why no push and no pull request starts this workflow; null if one does. */
export function whyUntriggered(on: unknown): string | null {
  const events = eventNames(on);
  if (!events.some((event) => CHANGE_EVENTS.includes(String(event))))
    return events.includes("workflow_call")
      ? ONLY_CALLED
      : events.includes("pull_request_target")
        ? ON_TARGET
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

function scriptsOfJobs(here: Jobs): CiScript[] {
  const {file, notes} = here;
  const jobs = [...mapOf(valueAt(here.workflow, "jobs"))];
  const outputs = new Map<string, string | undefined>();
  const outputOf = (id: string, name: string): string | undefined => {
    const output = `${id} ${name}`;
    // Jobs that need each other have no outputs.
    if (!outputs.has(output)) {
      outputs.set(output, undefined);
      outputs.set(output, outputOfJob({...here, notes: [], outputOf}, valueAt(here.workflow, "jobs", id), name));
    }
    return outputs.get(output);
  };
  if (jobs.length > MAX_JOBS)
    notes.push({about: file, text: `only the first ${MAX_JOBS} of its ${jobs.length} jobs were looked at`});
  return jobs.slice(0, MAX_JOBS).flatMap(([id, job]) => {
    const whyNoCheck = here.event !== "push" ? null : notACheck(id, textAt(job, "name"));
    const blocked = here.blocked ?? whyNoCheck?.replace(/^its/, "the job's") ?? needOf(job);
    return scriptsOfJob({...here, key: id, blocked, outputOf}, job);
  });
}

/**
 * The need of a job that Assay does not provide, or the reason why the job decides nothing; null if there is neither.
 */
function needOf(job: unknown): string | null {
  const services = [...mapOf(valueAt(job, "services")).keys()];
  if (services.length > 0) return `CI starts ${services.join(", ")} next to it`;
  if (valueAt(job, "continue-on-error") === true) return "CI continues when it fails";
  const environment = valueAt(job, "environment");
  const name = textAt(environment, "name") ?? environment;
  // A name that is an expression is usually empty on a pull request.
  if (name === undefined || name === null || name === "" || String(name).includes("${{")) return null;
  return `it runs in the protected environment \`${String(name)}\``;
}

function scriptsOfJob(here: JobRun, job: unknown): CiScript[] {
  const {project, workflow, budget} = here;
  const uses = textAt(job, "uses");
  const scriptsByKey = new Map<string, CiScript>();
  const axes = computedAxes(here, job);
  const use = matrixUse(textOfWork(job), textOfTools(project, workflow, job));
  // Of the rows that differ in versions only, the first one counts; another one only for the steps that it adds.
  const seenByRow = new Map<string, Set<string>>();
  const linesByStep = new Map<string, number>();
  for (const {matrix, system} of rowsOfJob(here, job, {axes, use})) {
    const run = {matrix, axes, system};
    const [lookup, conditions] = [lookupOfJob(here, job, run), conditionsOfJob(here, job, run)];
    if (budget.steps-- <= 0 || !mayHold(valueAt(job, "if"), conditions)) continue;
    const isForeign = system === "Windows" || (system === "macOS" && hasLinuxJob(workflow));
    const blocked = here.blocked ?? (isForeign ? `CI runs it on ${system} only` : null);
    const place = {...here, blocked};
    const scripts =
      uses === null
        ? scriptsOfSteps(
            valueAt(job, "steps"),
            stepPlace(place, job, {lookup, conditions, ofTools: use.ofTools, system}),
          )
        : // The inputs of a called workflow decide its conditions.
          calledWorkflow(place, uses, filledInputs(valueAt(job, "with"), conditions));
    const row = `${system} ${withoutVersions(matrix, use)}`;
    const seen = seenByRow.get(row) ?? new Set();
    const seenOnLinux = seenByRow.get(`Linux ${withoutVersions(withoutMachine(job, matrix), use)}`) ?? new Set();
    const stepOf = ({file, key, source}: CiScript): string => [file, key, source].join("\0");
    const isOfOlderVersion = seen.size > 0 ? {isOfOlderVersion: true as const} : {};
    const newScripts = scripts.filter((script) => {
      const {source} = script;
      if (source === undefined) return true;
      const isSame = seenOnLinux.has(stepOf(script)) && !readsMachine(job, source);
      return !isSame && !seen.has(stepOf(script));
    });
    seenByRow.set(row, new Set([...seen, ...scripts.map(stepOf)]));
    for (const script of newScripts) {
      const key = `${script.file}\0${script.cwd}\0${script.text}\0${JSON.stringify([script.env, script.setVariables])}`;
      const sameScript = scriptsByKey.get(key);
      if (sameScript === undefined || (sameScript.blocked !== null && script.blocked === null)) {
        const lines = (linesByStep.get(stepOf(script)) ?? 0) + Number(script.blocked === null);
        linesByStep.set(stepOf(script), lines);
        const blocked = lines > MAX_LINES ? {blocked: script.blocked ?? TOO_MANY_LINES} : {};
        scriptsByKey.set(key, {...script, ...isOfOlderVersion, ...blocked});
      } else if (sameScript.blocked !== script.blocked && [sameScript, script].every(isForeignOnly))
        scriptsByKey.set(key, {...sameScript, blocked: ON_BOTH_SYSTEMS});
    }
  }
  const id = `${here.file} ${here.key}`;
  const isInContainer = valueAt(job, "container") !== undefined;
  const hasAccess = jobHasAccess(workflow, job);
  return [...scriptsByKey.values()].map((script) => ({
    ...script,
    job: script.job ?? id,
    ...(isInContainer && {isInContainer}),
    ...((hasAccess || script.usesSecret) && {hasAccess: true as const}),
  }));
}

/** The rows of a job's matrix, with the best one first. */
function rowsOfJob(
  {file, key, notes}: Jobs,
  job: unknown,
  {axes, use}: {readonly axes: unknown; readonly use: MatrixUse},
): {readonly matrix: Combination; readonly system: string}[] {
  const rows = combinationsOf(axes).map((matrix) => ({matrix, system: systemOf(job, matrix)}));
  const text = `of its matrix, at most ${MAX_COMBINATIONS} rows were looked at`;
  if (rows.length === MAX_COMBINATIONS) notes.push({about: `${file} ${key}`, text});
  // "It needs a tool that Linux lacks" is a better reason than "it also runs on Windows". Few machines have a version
  // that is not released yet.
  const rankOf = ({matrix, system}: {matrix: Combination; system: string}): number =>
    (system === "Linux" ? 0 : 2) + Number(isUnreleased(matrix));
  return rows.sort((a, b) => rankOf(a) - rankOf(b) || compareVersions(b.matrix, a.matrix, use));
}

const namesMachine = (job: unknown, key: string): boolean =>
  JSON.stringify(valueAt(job, "runs-on") ?? null).includes(`matrix.${key}`);

/** The values of a row that do not decide on which machine it runs. */
const withoutMachine = (job: unknown, matrix: Combination): Combination =>
  Object.fromEntries(Object.entries(matrix).filter(([key]) => !namesMachine(job, key)));

/** True for the text of a step that has other commands on another machine. */
const readsMachine = (job: unknown, source: string): boolean =>
  [...source.matchAll(/\bmatrix\.([\w-]+)|\brunner\.os\b/g)].some(
    ([, key]) => key === undefined || namesMachine(job, key),
  );

const isForeignOnly = ({blocked}: CiScript): boolean => /^CI runs it on .* only$/.test(blocked ?? "");

/** Where other jobs run on Linux, a job that only runs on macOS needs it. */
const hasLinuxJob = (workflow: unknown): boolean =>
  [...mapOf(valueAt(workflow, "jobs")).values()].some((job) =>
    /ubuntu|linux/i.test(JSON.stringify([valueAt(job, "runs-on"), valueAt(job, "strategy")])),
  );

/** The operating system of the machine; the matrix may give its label. */
export function systemOf(job: unknown, matrix: Combination): "Linux" | "macOS" | "Windows" {
  const label = valueAt(job, "runs-on");
  const lookup: Lookup = ([context, ...keys]) => (context === "matrix" ? (valueAt(matrix, ...keys) ?? "") : undefined);
  const name = typeof label === "string" ? filledValue(label, lookup) : label;
  if (!isElsewhere(name)) return "Linux";
  return /windows|vs20\d\d/i.test(JSON.stringify(name)) ? "Windows" : "macOS";
}

function filledInputs(given: unknown, lookup: Lookup): ReadonlyMap<string, unknown> {
  return new Map(
    [...mapOf(given)].map(([name, value]) => [name, typeof value === "string" ? fillIn(value, lookup) : value]),
  );
}

/** An input with the commands that a workflow of another repository runs in the checkout. */
const COMMAND_INPUT = /^(?:(?:unit|lint|test|tests|check|build|run)[-_])?(?:command|commands|script|cmd|run)$/i;

function scriptsOfInputs({file, key, blocked}: Jobs, given: ReadonlyMap<string, unknown>): CiScript[] {
  const cwd = enter(".", folderInput((name) => given.get(name)) || ".");
  return [...given].flatMap(([name, text]): CiScript[] => {
    if (!COMMAND_INPUT.test(name) || typeof text !== "string") return [];
    if (cwd === null) return [opaqueScript({here: {file, key}, command: text, why: ONLY_CI_KNOWS_FOLDER})];
    return [{file, key, text, cwd, env: {}, blocked, isRequired: true}];
  });
}

function calledWorkflow(here: Jobs, uses: string, given: ReadonlyMap<string, unknown>): CiScript[] {
  const {project, notes, above} = here;
  const file = uses.replace(OWN_FILE, "");
  const isOwn = OWN_FILE.test(uses);
  if (!isOwn || above.includes(file) || above.length > MAX_DEPTH || !project.has(file)) {
    const why = isOwn ? "the workflow it calls is not there, or calls back" : "its steps are in another repository";
    notes.push({about: `${here.file} ${here.key}`, text: `left out: ${why}`});
    const opaque = opaqueScript({here, command: `uses: ${uses}`, why: here.blocked ?? why});
    return isOwn ? [opaque] : [opaque, ...scriptsOfInputs(here, given)];
  }
  const workflow = project.yaml(file);
  const declared = [...mapOf(valueAt(workflow, "on", "workflow_call", "inputs"))];
  const defaults = declared.map(([name, input]): [string, unknown] => [name, valueAt(input, "default")]);
  const inputs = new Map([...defaults, ...given]);
  return scriptsOfJobs({...here, file, workflow, inputs, above: [...above, file]});
}
