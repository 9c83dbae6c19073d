/** Walks a workflow file as GitHub does: its own parser and expression evaluator; what a step does is the caller's to say. */
import {data, Evaluator, Lexer, Parser} from "@actions/expressions";
import {convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow} from "@actions/workflow-parser";
import type {WorkflowJob} from "@actions/workflow-parser/model/workflow-template";
import {type FileReference, parseFileReference} from "@actions/workflow-parser/workflows/file-reference";
import {parse} from "yaml";
import {at, isObject, type Json} from "./json.ts";

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
}

export interface StepEnd {
  readonly isGood: boolean;
  readonly outputs: Readonly<Record<string, string>>;
}

export interface JobEnd {
  readonly result: "success" | "failure" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
}

/** A workflow file by the reference in a `uses:`; null where there is none. */
export type Called = (o: {owner: string; repository: string; path: string}) => string | null;

/**
 * Runs the jobs in their order (each `needs` stands above it) and gives how each ended; those of a called workflow are among
 * them, by their own names. Throws for a file that GitHub refuses.
 */
export async function walkWorkflow(o: {
  text: string;
  /** workflows that a job may call */
  called: Called;
  /** `github`, `secrets` and `inputs` for the whole, `runner` by job */
  contexts: Contexts;
  runner: (job: string) => Json;
  /** for `hashFiles` */
  hasFile: (job: string, path: string) => boolean;
  /** GitHub drops a job's output in which it finds one of these (actions/runner, JobExtension.cs) */
  masked: readonly string[];
  act: (step: Step) => Promise<StepEnd>;
}): Promise<Record<string, JobEnd>> {
  const texts = new Map<string, string>();
  const parsed = parseWorkflow({name: "workflow.yml", content: o.text}, new NoOperationTraceWriter());
  if (parsed.value === undefined) throw new Error("GitHub's parser gives nothing");
  const files = {
    async getFileContent(reference: FileReference) {
      const content = "owner" in reference ? o.called(reference) : null;
      if (content === null) throw new Error(`there is no ${reference.path}`);
      texts.set(reference.path, content);
      return {name: reference.path, content};
    },
  };
  const template = await convertWorkflowTemplate(parsed.context, parsed.value, files, {fetchReusableWorkflowDepth: 1});
  const errors = parsed.context.errors.getErrors();
  if (errors.length > 0) throw new Error(errors.map(({message}) => message).join("; "));
  const ended: Record<string, JobEnd> = {};
  await walkJobs({jobs: template.jobs, source: parse(o.text), contexts: o.contexts, most: null});
  return ended;

  async function walkJobs(file: Part & {readonly jobs: readonly WorkflowJob[]}): Promise<void> {
    for (const job of file.jobs) {
      const id = job.id.value;
      if (id in ended) throw new Error(`two jobs are called ${id}`);
      ended[id] = await walkJob(job, file);
    }
  }

  async function walkJob(job: WorkflowJob, file: Part): Promise<JobEnd> {
    const written = at(file.source, "jobs", job.id.value);
    const needs = Object.fromEntries((job.needs ?? []).map(({value}) => [value, ended[value]]));
    const isGood = Object.values(needs).every((one) => one?.result === "success");
    const now = {contexts: {...file.contexts, needs: json(needs)}, isGood};
    if (!isTrue(evaluate(expressionOf(job.if), now))) return {result: "skipped", outputs: {}};
    const permissions = textsOf(at(written, "permissions"), now);
    if (file.most !== null) refuseMore({job: job.id.value, permissions, most: file.most});
    if (job.type === "job") return runMachines({...o, job, written, permissions, now});
    const {jobs = []} = job;
    const source: unknown = parse(texts.get(parseFileReference(job.ref.value).path) ?? "");
    const contexts = {...file.contexts, ...handedTo({source, written, now})};
    await walkJobs({jobs, source, contexts, most: permissions});
    const isRed = jobs.some(({id}) => ended[id.value]?.result === "failure");
    return {result: isRed ? "failure" : "success", outputs: {}};
  }
}

/** A file whose jobs are walked: what stands in it, what its expressions see, and what its caller may (null where nobody called). */
interface Part {
  readonly source: unknown;
  readonly contexts: Contexts;
  readonly most: Readonly<Record<string, string>> | null;
}

type Contexts = Readonly<Record<string, Json>>;

/** GitHub does not start a called workflow of which a job wants more than its caller has. */
function refuseMore(o: {
  job: string;
  permissions: Readonly<Record<string, string>>;
  most: NonNullable<Part["most"]>;
}): void {
  const levels = ["none", "read", "write"];
  for (const [scope, level] of Object.entries(o.permissions)) {
    const has = o.most[scope] ?? "none";
    if (levels.indexOf(level) > levels.indexOf(has))
      throw new Error(`${o.job} wants ${scope}: ${level}, and may ${has}`);
  }
}

/** What a called workflow knows: its declared inputs and secrets, as its caller hands them on, and no others. */
function handedTo(o: {source: unknown; written: unknown; now: Now}): Record<"inputs" | "secrets", Json> {
  const declared = (what: string) => {
    const found = at(o.source, "on", "workflow_call", what);
    return isObject(found) ? Object.entries(found) : [];
  };
  const [inputs, secrets] = [textsOf(at(o.written, "with"), o.now), textsOf(at(o.written, "secrets"), o.now)];
  const values = declared("inputs").map(([name, input]) => [name, inputs[name] ?? String(at(input, "default") ?? "")]);
  return {
    inputs: json(Object.fromEntries(values)),
    secrets: json(Object.fromEntries(declared("secrets").map(([name]) => [name, secrets[name] ?? ""]))),
  };
}

/** A job's machines, one after the other: one, or one for each value of the matrix's only axis. An empty output changes nothing. */
async function runMachines(o: Omit<Parameters<typeof runSteps>[0], "machine">): Promise<JobEnd> {
  const id = o.job.id.value;
  const matrix = at(o.written, "strategy", "matrix");
  if (!isObject(matrix)) return runSteps({...o, machine: id});
  const [axis = "", values] = Object.entries(matrix)[0] ?? [];
  if (!Array.isArray(values) || Object.keys(matrix).length !== 1) throw new Error(`${id}: the rig knows one axis only`);
  let end: JobEnd = {result: "success", outputs: {}};
  for (const value of values) {
    const contexts = {...o.now.contexts, matrix: json({[axis]: value})};
    const {result, outputs} = await runSteps({...o, machine: `${id}-${value}`, now: {...o.now, contexts}});
    const said = Object.entries(outputs).filter(([, text]) => text !== "");
    end = {
      result: result === "failure" ? result : end.result,
      outputs: {...end.outputs, ...Object.fromEntries(said)},
    };
  }
  return end;
}

async function runSteps(o: {
  job: Extract<WorkflowJob, {type: "job"}>;
  written: unknown;
  permissions: Readonly<Record<string, string>>;
  now: Now;
  machine: string;
  runner: (job: string) => Json;
  hasFile: (job: string, path: string) => boolean;
  masked: readonly string[];
  act: (step: Step) => Promise<StepEnd>;
}): Promise<JobEnd> {
  const {job, written, permissions} = o;
  const steps: Record<string, Json> = {};
  const list: unknown = at(written, "steps");
  let jobIsGood = true;
  for (const [index, step] of job.steps.entries()) {
    const contexts = {...o.now.contexts, steps: json(steps), runner: o.runner(o.machine)};
    const now = {contexts, isGood: jobIsGood, hasFile: (path: string) => o.hasFile(o.machine, path)};
    if (!isTrue(evaluate(expressionOf("if" in step ? step.if : undefined), now))) continue;
    const raw: unknown = Array.isArray(list) ? list[index] : undefined;
    const [uses, run] = [at(raw, "uses"), at(raw, "run")];
    const end = await o.act({
      job: o.machine,
      uses: typeof uses === "string" ? uses : "",
      run: typeof run === "string" ? run : "",
      with: textsOf(at(raw, "with"), now),
      env: textsOf(at(raw, "env"), now),
      permissions,
    });
    steps[step.id] = {outputs: json(end.outputs), outcome: end.isGood ? "success" : "failure"};
    if (!end.isGood && at(raw, "continue-on-error") !== true) jobIsGood = false;
  }
  const contexts = {...o.now.contexts, steps: json(steps)};
  const outputs = textsOf(at(written, "outputs"), {contexts, isGood: jobIsGood});
  const shown = Object.entries(outputs).filter(([, text]) => !o.masked.some((value) => text.includes(value)));
  return {result: jobIsGood ? "success" : "failure", outputs: Object.fromEntries(shown)};
}

interface Now {
  readonly contexts: Readonly<Record<string, Json>>;
  readonly isGood: boolean;
  readonly hasFile?: (path: string) => boolean;
}

/** The parser gives conditions as `${{ … }}`, with the `success()` that GitHub adds. */
function expressionOf(condition: {toString(): string} | undefined): string {
  return (condition?.toString() ?? "success()").replace(/^\$\{\{\s*|\s*\}\}$/g, "");
}

/** What an expression gives, without its `${{ }}`. */
export function evaluate(expression: string, {contexts, isGood, hasFile}: Now): data.ExpressionData {
  const flag = (name: string, value: boolean) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  });
  const hashFiles = {
    name: "hashFiles",
    minArgs: 1,
    maxArgs: 1,
    call: (path: data.ExpressionData) => new data.StringData(hasFile?.(path.coerceString()) ? "a hash" : ""),
  };
  const functions = [
    hashFiles,
    flag("always", true),
    flag("success", isGood),
    flag("failure", !isGood),
    flag("cancelled", false),
  ];
  const {tokens} = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const context: unknown = JSON.parse(JSON.stringify(contexts), data.reviver);
  if (!(context instanceof data.Dictionary)) throw new Error("the contexts are no dictionary");
  return new Evaluator(tree, context, new Map(functions.map((one) => [one.name.toLowerCase(), one]))).evaluate();
}

const isTrue = (value: data.ExpressionData): boolean => value.coerceString() === "true";

/** A mapping of the file as texts, with its expressions evaluated. */
function textsOf(mapping: unknown, now: Now): Record<string, string> {
  if (!isObject(mapping)) return {};
  const text = (value: unknown) =>
    String(value).replaceAll(/\$\{\{(.*?)\}\}/g, (_, inner: string) => evaluate(inner.trim(), now).coerceString());
  return Object.fromEntries(Object.entries(mapping).map(([key, value]) => [key, text(value)]));
}

function json(value: unknown): Json {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (!isObject(copy)) throw new Error("not an object");
  return copy;
}
