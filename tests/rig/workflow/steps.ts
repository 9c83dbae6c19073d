/** Runs the steps of one job as the runner does: conditions, cancellation, `post`, and the job's outputs. */
import {parse} from "yaml";
import {at, isObject, type Json} from "../json.ts";
import type {JobEnd, StepEnd, Walk} from "../workflow.ts";
import {isMet, json, type Scope, type Status, textOf, textsOf} from "./expressions.ts";
import type {Rules} from "./rules.ts";

interface JobRun {
  readonly walk: Walk;
  readonly rules: Rules;
  readonly id: string;
  readonly written: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly scope: Scope;
  /** aborted when the job is cancelled */
  readonly signal: AbortSignal;
}

/** A job's machines: one, or one for each value of the matrix's only axis. An empty output changes nothing. */
export async function runMachines(run: JobRun): Promise<JobEnd> {
  const {id, scope} = run;
  const matrix = at(run.written, "strategy", "matrix");
  if (!isObject(matrix)) return runSteps({...run, machine: id});
  const [axis = "", given] = Object.entries(matrix)[0] ?? [];
  const values: unknown = typeof given === "string" ? JSON.parse(textOf(given.replace("fromJSON", ""), scope)) : given;
  if (!Array.isArray(values) || Object.keys(matrix).length !== 1) throw new Error(`${id}: the rig knows one axis only`);
  let end: JobEnd = {result: "success", outputs: {}};
  const running: Promise<JobEnd>[] = [];
  for (const value of values) {
    const contexts = {...scope.contexts, matrix: json({[axis]: value})};
    const machine = values.length === 1 ? id : `${id}-${value}`;
    const steps = runSteps({...run, machine, scope: {...scope, contexts}});
    running.push(steps);
    // one after the other unless a test measures time, because scripted turns have an order
    if (run.walk.isParallel !== true) await steps;
  }
  for (const {result, outputs} of await Promise.all(running)) {
    const said = Object.entries(outputs).filter(([, text]) => text !== "");
    end = {result: result === "success" ? end.result : result, outputs: {...end.outputs, ...Object.fromEntries(said)}};
  }
  return end;
}

async function runSteps(run: JobRun & {readonly machine: string}): Promise<JobEnd> {
  const {walk, rules, machine, signal} = run;
  const steps: Record<string, Json> = {};
  const posts: {readonly id: string; readonly post: NonNullable<StepEnd["post"]>}[] = [];
  let hasFailed = false;
  const status = (): Status => {
    if (signal.aborted && rules.cancellation) return "cancelled";
    return hasFailed || signal.aborted ? "failure" : "success";
  };
  const scope = (): Scope => ({
    contexts: {...run.scope.contexts, steps: json(steps), runner: walk.runner(machine)},
    status: status(),
    hasFile: (path) => walk.hasFile(machine, path),
  });

  async function runPost({id, post}: (typeof posts)[number]): Promise<void> {
    const end = await post();
    if (!end.isGood) hasFailed = true;
    if (!rules.noPostOutputs)
      steps[id] = {...steps[id], outputs: {...asObject(steps[id]?.["outputs"]), ...end.outputs}};
  }

  for (const raw of stepsIn(at(run.written, "steps"), walk)) {
    const now = scope();
    const [id, uses, script] = ["id", "uses", "run"].map((key) => at(raw, key)).map((one) => String(one ?? ""));
    const runsWith = (one: Status) => !rules.conditions || isMet(at(raw, "if"), {...now, status: one});
    if (!runsWith(now.status)) {
      steps[id ?? ""] = {outputs: {}, outcome: "skipped", conclusion: "skipped"};
      continue;
    }
    const controller = new AbortController();
    const onCancel = () => (rules.cancellation && runsWith("cancelled") ? undefined : controller.abort());
    signal.addEventListener("abort", onCancel);
    const end = await walk.act({
      job: machine,
      uses: uses ?? "",
      run: script ?? "",
      with: textsOf(at(raw, "with"), now),
      env: textsOf(at(raw, "env"), now),
      permissions: run.permissions,
      signal: controller.signal,
    });
    signal.removeEventListener("abort", onCancel);
    const isExcused = textOf(at(raw, "continue-on-error") ?? false, now) === "true";
    if (!end.isGood && !isExcused) hasFailed = true;
    const outcome = end.isGood ? "success" : "failure";
    steps[id ?? ""] = {outputs: json(end.outputs), outcome, conclusion: isExcused ? "success" : outcome};
    if (end.post !== undefined) posts.unshift({id: id ?? "", post: end.post});
    if (!rules.postsAtEnd) for (const post of posts.splice(0)) await runPost(post);
  }
  for (const post of posts) await runPost(post);
  const outputs = Object.entries(textsOf(at(run.written, "outputs"), scope()));
  const isMasked = (text: string) => rules.masks && walk.masked.some((value) => text.includes(value));
  return {result: status(), outputs: Object.fromEntries(outputs.filter(([, text]) => !isMasked(text)))};
}

/** The steps of a composite action stand in its place: the job is their job, and it fails with them. */
function stepsIn(list: unknown, walk: Walk): unknown[] {
  return (Array.isArray(list) ? list : []).flatMap((step) => {
    const text = walk.composite(String(at(step, "uses") ?? ""));
    if (text === null) return [step];
    const others = isObject(step) ? Object.keys(step).filter((key) => key !== "uses") : [];
    if (others.length > 0) throw new Error(`the rig does not know ${others.join(", ")} at a composite action`);
    return stepsIn(at(parse(text), "runs", "steps"), walk);
  });
}

const asObject = (value: unknown): Json => (isObject(value) ? value : {});
