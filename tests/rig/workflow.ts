/** Walks a workflow file as GitHub does: conditions, concurrency, cancellation, outputs. What a step does is the caller's to say. */
import {parse} from "yaml";
import {at, isObject, type Json} from "./json.ts";
import type {ConcurrencyGroups} from "./workflow/concurrency.ts";
import {type Contexts, isMet, json, type Scope, type Status, textOf, textsOf} from "./workflow/expressions.ts";
import {RULES, type Rules} from "./workflow/rules.ts";
import {runMachines} from "./workflow/steps.ts";

export interface Step {
  /** the machine: the job's name, in a matrix with its value */
  readonly job: string;
  /** the action; empty for a script */
  readonly uses: string;
  /** the script; empty for an action */
  readonly run: string;
  readonly with: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly permissions: Readonly<Record<string, string>>;
  /** aborted when the runner cancels this step */
  readonly signal: AbortSignal;
}

type Texts = Readonly<Record<string, string>>;

export interface StepEnd {
  readonly isGood: boolean;
  readonly outputs: Texts;
  /** runs after all steps of the job */
  readonly post?: () => Promise<Pick<StepEnd, "isGood" | "outputs">>;
}

export interface JobEnd {
  readonly result: Status;
  readonly outputs: Texts;
}

export interface Walk {
  readonly text: string;
  /** a workflow file by the reference in a `uses:`; null where there is none */
  readonly called: (options: {owner: string; repository: string; path: string}) => string | null;
  /** the text of a composite action by the reference in a `uses:`; null for any other action */
  readonly composite: (uses: string) => string | null;
  /** `github`, `secrets` and `inputs` for the whole, `runner` by job */
  readonly contexts: Contexts;
  readonly runner: (job: string) => Json;
  /** for `hashFiles` */
  readonly hasFile: (job: string, path: string) => boolean;
  /** GitHub drops a job's output in which it finds one of these */
  readonly masked: readonly string[];
  readonly act: (step: Step) => Promise<StepEnd>;
  /** of the repository; without them nothing waits */
  readonly groups?: ConcurrencyGroups;
  /** aborted: somebody cancels the run */
  readonly cancel?: AbortController;
  /** told when a job starts, and when it ends */
  readonly onJob?: (name: string, status: "in_progress" | "completed") => void;
  /** told when the run or one of its jobs has to wait in a group */
  readonly onWait?: () => void;
  readonly rules?: Partial<Rules>;
  /** the machines of a matrix run at the same time */
  readonly isParallel?: boolean;
}

export interface WalkEnd {
  /** `cancelled` without any job: the run was dropped while it waited */
  readonly result: Status;
  readonly jobs: Readonly<Record<string, JobEnd>>;
}

/** A file whose jobs are walked: its content, what its expressions see, and its caller's rights (null where nobody called). */
interface Part {
  readonly source: unknown;
  readonly contexts: Contexts;
  readonly most: Texts | null;
}

/** Runs the jobs in their order (each `needs` stands above it). The jobs of a called workflow are among them, by their own names. */
export async function walkWorkflow(walk: Walk): Promise<WalkEnd> {
  const rules = {...RULES, ...walk.rules};
  const run = walk.cancel ?? new AbortController();
  const ended: Record<string, JobEnd> = {};
  const source: unknown = parse(walk.text);
  const whole: Scope = {contexts: walk.contexts, status: "success"};
  const leave = await enterGroup({written: source, scope: whole, controller: run});
  if (leave === null) return {result: "cancelled", jobs: ended};
  const jobs = await walkJobs({source, contexts: walk.contexts, most: null}).finally(leave);
  return {result: resultOf(jobs.map((id) => ended[id])), jobs: ended};

  /** Waits for its turn in the group of this workflow or job; null when it was dropped. */
  async function enterGroup(options: {written: unknown; scope: Scope; controller: AbortController}) {
    const found = at(options.written, "concurrency");
    if (found === undefined || walk.groups === undefined || !rules.concurrency) return () => {};
    const group = textOf(isObject(found) ? found["group"] : found, options.scope);
    const queue = at(found, "queue") === "max" ? "max" : "single";
    const cancelsRunning = textOf(at(found, "cancel-in-progress") ?? false, options.scope) === "true";
    const {controller} = options;
    return walk.groups.enter({
      group,
      queue,
      cancelsRunning,
      cancel: () => controller.abort(),
      signal: controller.signal,
      ...(walk.onWait !== undefined && {onWait: walk.onWait}),
    });
  }

  async function walkJobs(part: Part): Promise<string[]> {
    const written = at(part.source, "jobs");
    if (!isObject(written)) throw new Error("there are no jobs");
    const alongside: Promise<unknown>[] = [];
    for (const [id, job] of Object.entries(written)) {
      if (id in ended) throw new Error(`two jobs are called ${id}`);
      const end = walkJob(id, job, part).then((one) => {
        ended[id] = one;
      });
      // the others run one after the other, also where GitHub would run them in parallel
      if (id === "progress") alongside.push(end);
      else await end;
    }
    await Promise.all(alongside);
    return Object.keys(written);
  }

  async function walkJob(id: string, written: unknown, part: Part): Promise<JobEnd> {
    const needs = Object.fromEntries(needsOf(written).map((one) => [one, ended[one]]));
    const ancestors = ancestorsOf(needsOf(written), part.source).map((one) => ended[one]);
    const contexts = {...part.contexts, needs: json(needs)};
    const isCancelled = () => rules.cancellation && run.signal.aborted;
    const scope: Scope = {contexts, status: isCancelled() ? "cancelled" : statusAfter(ancestors)};
    const runsWith = (status: Status) => !rules.conditions || isMet(at(written, "if"), {contexts, status});
    if (!runsWith(scope.status)) return {result: "skipped", outputs: {}};
    const controller = new AbortController();
    // GitHub evaluates the condition again: a job with `always()` goes on.
    const onCancel = () => (rules.cancellation && runsWith("cancelled") ? undefined : controller.abort());
    run.signal.addEventListener("abort", onCancel);
    const leaveJob = await enterGroup({written, scope, controller});
    try {
      if (leaveJob === null) return {result: "cancelled", outputs: {}};
      walk.onJob?.(String(at(written, "name")), "in_progress");
      return await runJob({id, written, part, scope, signal: controller.signal});
    } finally {
      walk.onJob?.(String(at(written, "name")), "completed");
      leaveJob?.();
      run.signal.removeEventListener("abort", onCancel);
    }
  }

  async function runJob({
    id,
    written,
    part,
    scope,
    signal,
  }: {
    id: string;
    written: unknown;
    part: Part;
    scope: Scope;
    signal: AbortSignal;
  }) {
    const permissions = textsOf(at(written, "permissions") ?? at(part.source, "permissions"), scope);
    if (part.most !== null) refuseMore({job: id, permissions, most: part.most});
    const uses = at(written, "uses");
    if (typeof uses !== "string") return runMachines({walk, rules, id, written, permissions, scope, signal});
    const [, owner = "", repository = "", path = ""] = /^([^/]+)\/([^/]+)\/([^@]+)@/.exec(uses) ?? [];
    const text = walk.called({owner, repository, path});
    if (text === null) throw new Error(`there is no ${uses}`);
    const inner: unknown = parse(text);
    const contexts = {...part.contexts, ...handedTo({source: inner, written, scope})};
    const leaveInner = await enterGroup({written: inner, scope: {...scope, contexts}, controller: run});
    if (leaveInner === null) return {result: "cancelled" as const, outputs: {}};
    const jobs = await walkJobs({source: inner, contexts, most: permissions}).finally(leaveInner);
    return {result: resultOf(jobs.map((one) => ended[one])), outputs: {}};
  }
}

const needsOf = (written: unknown): string[] => {
  const found = at(written, "needs");
  return (Array.isArray(found) ? found : found === undefined ? [] : [found]).map(String);
};

/** `success()` asks about every job before this one, not about those in `needs:` alone. */
function ancestorsOf(ids: readonly string[], source: unknown): string[] {
  return [...new Set(ids.flatMap((id) => [id, ...ancestorsOf(needsOf(at(source, "jobs", id)), source)]))];
}

/** The result of several jobs together. */
function resultOf(jobs: readonly (JobEnd | undefined)[]): Status {
  const results = jobs.map((one) => one?.result);
  return (["failure", "cancelled", "success"] as const).find((one) => results.includes(one)) ?? "skipped";
}

/** What the status functions of a job say when these are the jobs before it. */
function statusAfter(jobs: readonly (JobEnd | undefined)[]): Status {
  if (jobs.every((one) => one?.result === "success")) return "success";
  return jobs.some((one) => one?.result === "failure") ? "failure" : "skipped";
}

/** GitHub does not start a called workflow of which a job wants more than its caller has. */
function refuseMore(options: {job: string; permissions: Texts; most: Texts}): void {
  const levels = ["none", "read", "write"];
  for (const [scope, level] of Object.entries(options.permissions)) {
    const has = options.most[scope] ?? "none";
    if (levels.indexOf(level) > levels.indexOf(has))
      throw new Error(`${options.job} wants ${scope}: ${level}, and may ${has}`);
  }
}

/** What a called workflow knows: its declared inputs and secrets, as its caller hands them on, and no others. */
function handedTo(options: {source: unknown; written: unknown; scope: Scope}): Record<"inputs" | "secrets", Json> {
  const declared = (what: string) => {
    const found = at(options.source, "on", "workflow_call", what);
    return isObject(found) ? Object.entries(found) : [];
  };
  const [inputs, secrets] = [
    textsOf(at(options.written, "with"), options.scope),
    textsOf(at(options.written, "secrets"), options.scope),
  ];
  const values = declared("inputs").map(([name, input]) => [name, inputs[name] ?? String(at(input, "default") ?? "")]);
  return {
    inputs: json(Object.fromEntries(values)),
    secrets: json(Object.fromEntries(declared("secrets").map(([name]) => [name, secrets[name] ?? ""]))),
  };
}
