/** The values that a GitHub job's steps and expressions start with, as far as the workflow determines them. */
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {filledValue, fillIn, type Lookup, surelyHolds} from "./expression.ts";
import type {CiLocation} from "./jobs.ts";
import type {Combination} from "./matrix.ts";
import {defaultShell} from "./step-shell.ts";
import {filledEnv, plainEnv} from "./step-variables.ts";
import {checkoutFolder, otherRepository, type StepLocation, scriptsOfSteps} from "./steps.ts";
import {withWritten} from "./written-values.ts";

/** The jobs of a workflow. */
export interface Jobs extends CiLocation {
  readonly workflow: unknown;
  /** why no command of these jobs becomes a stage */
  readonly blocked: string | null;
  readonly inputs: ReadonlyMap<string, unknown>;
  readonly event: string;
}

/** A job with the outputs of the jobs that it needs. */
export interface JobRun extends Jobs, Pick<JobContext, "outputOf"> {}

interface JobContext {
  readonly matrix: Combination;
  /** the `strategy.matrix` of the job */
  readonly axes: unknown;
  readonly env: Readonly<Record<string, string>>;
  readonly inputs: ReadonlyMap<string, unknown>;
  readonly event: string;
  readonly system: string;
  /** the output of an earlier job; undefined if only a run knows it */
  readonly outputOf: (job: string, name: string) => unknown;
}

function lookupIn(job: JobContext): Lookup {
  const {matrix, axes, env, inputs, event, system, outputOf} = job;
  const pull = event === "pull_request";
  const knownValues: Readonly<Record<string, unknown>> = {
    matrix,
    env,
    inputs: Object.fromEntries(inputs),
    runner: {os: system, arch: "X64"},
    github: {
      event_name: event,
      ref_type: "branch",
      workspace: "$GITHUB_WORKSPACE",
      ...(pull ? {ref: "refs/pull/1/merge", event: {action: "synchronize"}} : {}),
      ...(event === "merge_group" && {ref: "refs/heads/gh-readonly-queue/main/pr-1"}),
    },
  };
  return (path) => {
    const [context = "", ...keys] = path;
    if (context === "needs" && keys[1] === "outputs") return outputOf(keys[0] ?? "", keys[2] ?? "");
    const value = valueAt(knownValues, context, ...keys);
    // A key that is missing in a matrix combination is empty there, unless an earlier job computes the values.
    if (value === undefined && context === "matrix" && isComputed(axes, keys[0] ?? "")) return undefined;
    if (value === undefined && (context === "matrix" || context === "inputs")) return "";
    return typeof value === "string" && value.includes("${{") ? undefined : value;
  };
}

const isComputed = (axes: unknown, key: string): boolean =>
  [axes, valueAt(axes, key), valueAt(axes, "include")].some((value) => typeof value === "string");

const envOf = ({workflow}: Jobs, job: unknown): Record<string, string> => ({
  ...plainEnv(valueAt(workflow, "env")),
  ...plainEnv(valueAt(job, "env")),
});

/** The value of an expression in a job for an unmerged pull request. */
export const lookupOfJob = (here: JobRun, job: unknown, run: Pick<JobContext, "matrix" | "axes" | "system">): Lookup =>
  lookupIn({...here, ...run, env: envOf(here, job)});

/** The lookup of the conditions of a job and its steps, which no output of an earlier job decides. */
export const conditionsOfJob = (
  here: JobRun,
  job: unknown,
  run: Pick<JobContext, "matrix" | "axes" | "system">,
): Lookup => lookupOfJob({...here, outputOf: () => undefined}, job, run);

/** Where the steps of a job begin. */
export function stepPlace(
  here: Jobs,
  job: unknown,
  row: Pick<StepLocation, "lookup" | "conditions" | "ofTools"> & {readonly system: string},
): StepLocation {
  const {workflow} = here;
  const {lookup, conditions, ofTools, system} = row;
  return {
    ...here,
    cwd: fillIn(workingFolder(job) ?? workingFolder(workflow) ?? ".", lookup),
    env: {...filledEnv(valueAt(workflow, "env"), row), ...filledEnv(valueAt(job, "env"), row)},
    lookup,
    conditions,
    ofTools,
    shell: defaultShell(job, workflow),
    checkout: checkoutFolder(valueAt(job, "steps")),
    otherRepository: otherRepository(valueAt(job, "steps")),
    written: {env: new Map(), outputs: new Map()},
    isOnMac: system === "macOS",
  };
}

/** The matrix of a job, with the values that earlier jobs compute, as far as the workflow determines them. */
export function computedAxes(here: JobRun, job: unknown): unknown {
  const lookup = lookupOfJob(here, job, {matrix: {}, axes: "", system: "Linux"});
  const compute = (value: unknown): unknown => (typeof value === "string" ? filledValue(value, lookup) : value);
  const axes = compute(valueAt(job, "strategy", "matrix"));
  const entries = [...mapOf(axes)];
  return entries.length === 0 ? axes : Object.fromEntries(entries.map(([key, value]) => [key, compute(value)]));
}

/** The output of a job without a matrix; undefined if only a run knows it. */
export function outputOfJob(here: JobRun, job: unknown, name: string): string | undefined {
  const text = textAt(job, "outputs", name);
  if (text === null || valueAt(job, "strategy") !== undefined) return undefined;
  const run = {matrix: {}, axes: undefined, system: "Linux"};
  const [lookup, conditions] = [lookupOfJob(here, job, run), conditionsOfJob(here, job, run)];
  if (!surelyHolds(valueAt(job, "if"), conditions)) return undefined;
  const place = stepPlace(here, job, {lookup, conditions, ofTools: new Set(), system: "Linux"});
  scriptsOfSteps(valueAt(job, "steps"), place);
  const value = fillIn(text, withWritten(lookup, place.written));
  return value.includes("${{") ? undefined : value;
}

const workingFolder = (holder: unknown): string | null => textAt(holder, "defaults", "run", "working-directory");
