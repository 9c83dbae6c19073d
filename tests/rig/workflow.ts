/** Walks a workflow file as GitHub does: its own parser and expression evaluator; what a step does is the caller's to say. */
import {data, Evaluator, Lexer, Parser} from "@actions/expressions";
import {convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow} from "@actions/workflow-parser";
import {parse} from "yaml";
import {at, isObject, type Json} from "./json.ts";

export interface Step {
  readonly job: string;
  readonly uses: string;
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

/** Runs the jobs in their order (each `needs` stands above it) and gives how each ended. Throws for a file that GitHub refuses. */
export async function walkWorkflow(o: {
  text: string;
  /** `github`, `secrets` and `inputs` for the whole, `runner` by job */
  contexts: Readonly<Record<string, Json>>;
  runner: (job: string) => Json;
  act: (step: Step) => Promise<StepEnd>;
}): Promise<Record<string, JobEnd>> {
  const parsed = parseWorkflow({name: "workflow.yml", content: o.text}, new NoOperationTraceWriter());
  if (parsed.value === undefined) throw new Error("GitHub's parser gives nothing");
  const template = await convertWorkflowTemplate(parsed.context, parsed.value);
  const errors = parsed.context.errors.getErrors();
  if (errors.length > 0) throw new Error(errors.map(({message}) => message).join("; "));
  const source: unknown = parse(o.text);
  const ended: Record<string, JobEnd> = {};
  for (const job of template.jobs) {
    if (job.type !== "job") throw new Error(`${job.id.value} calls another workflow`);
    const id = job.id.value;
    const written = at(source, "jobs", id);
    const needs = Object.fromEntries((job.needs ?? []).map(({value}) => [value, ended[value]]));
    const isGood = Object.values(needs).every((one) => one?.result === "success");
    const contexts = {...o.contexts, needs: json(needs)};
    if (!isTrue(evaluate(expressionOf(job.if), {contexts, isGood}))) {
      ended[id] = {result: "skipped", outputs: {}};
      continue;
    }
    const permissions = textsOf(at(written, "permissions"), {contexts, isGood});
    const steps: Record<string, Json> = {};
    const list: unknown = at(written, "steps");
    let jobIsGood = true;
    for (const [index, step] of job.steps.entries()) {
      const now = {contexts: {...contexts, steps: json(steps), runner: o.runner(id)}, isGood: jobIsGood};
      if (!isTrue(evaluate(expressionOf(step.if), now))) continue;
      const raw: unknown = Array.isArray(list) ? list[index] : undefined;
      const uses = at(raw, "uses");
      if (typeof uses !== "string") throw new Error(`${id}: the rig runs no scripts`);
      const end = await o.act({
        job: id,
        uses,
        with: textsOf(at(raw, "with"), now),
        env: textsOf(at(raw, "env"), now),
        permissions,
      });
      steps[step.id] = {outputs: json(end.outputs), outcome: end.isGood ? "success" : "failure"};
      if (!end.isGood && at(raw, "continue-on-error") !== true) jobIsGood = false;
    }
    const outputs = textsOf(at(written, "outputs"), {contexts: {...contexts, steps: json(steps)}, isGood: jobIsGood});
    ended[id] = {result: jobIsGood ? "success" : "failure", outputs};
  }
  return ended;
}

interface Now {
  readonly contexts: Readonly<Record<string, Json>>;
  readonly isGood: boolean;
}

/** The parser gives conditions as `${{ … }}`, with the `success()` that GitHub adds. */
function expressionOf(condition: {toString(): string} | undefined): string {
  return (condition?.toString() ?? "success()").replace(/^\$\{\{\s*|\s*\}\}$/g, "");
}

function evaluate(expression: string, {contexts, isGood}: Now): data.ExpressionData {
  const flag = (name: string, value: boolean) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  });
  const functions = [flag("always", true), flag("success", isGood), flag("failure", !isGood), flag("cancelled", false)];
  const {tokens} = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const context: unknown = JSON.parse(JSON.stringify(contexts), data.reviver);
  if (!(context instanceof data.Dictionary)) throw new Error("the contexts are no dictionary");
  return new Evaluator(tree, context, new Map(functions.map((one) => [one.name, one]))).evaluate();
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
