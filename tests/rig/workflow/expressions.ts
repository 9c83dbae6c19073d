/** Evaluates the expressions of a workflow file with GitHub's own evaluator. */
import {data, Evaluator, Lexer, Parser} from "@actions/expressions";
import {TokenType} from "@actions/expressions/lexer";
import {isObject, type Json} from "../json.ts";

export type Contexts = Readonly<Record<string, Json>>;

/** What the status functions are about: the job, for a step; the jobs that it needs, for a job. */
export type Status = "success" | "failure" | "cancelled" | "skipped";

export interface Scope {
  readonly contexts: Contexts;
  readonly status: Status;
  /** for `hashFiles` */
  readonly hasFile?: (path: string) => boolean;
}

const STATUS_FUNCTIONS = ["always", "success", "failure", "cancelled"];

/** The result of an expression, which is given without its `${{ }}`. */
export function evaluate(expression: string, {contexts, status, hasFile}: Scope): data.ExpressionData {
  const flag = (name: string, value: boolean) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  });
  const hashFiles = {
    name: "hashFiles",
    minArgs: 1,
    maxArgs: 255,
    call: (...paths: data.ExpressionData[]) =>
      new data.StringData(paths.some((path) => hasFile?.(path.coerceString())) ? "a hash" : ""),
  };
  const functions = [
    hashFiles,
    flag("always", true),
    flag("success", status === "success"),
    flag("failure", status === "failure"),
    flag("cancelled", status === "cancelled"),
  ];
  const {tokens} = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const context: unknown = JSON.parse(JSON.stringify(contexts), data.reviver);
  if (!(context instanceof data.Dictionary)) throw new Error("the contexts are no dictionary");
  return new Evaluator(tree, context, new Map(functions.map((one) => [one.name.toLowerCase(), one]))).evaluate();
}

/** Whether a job or step with this `if:` runs. GitHub adds `success() &&` to a condition that calls no status function. */
export function isMet(condition: unknown, scope: Scope): boolean {
  const written = condition === undefined ? "" : String(condition).trim();
  const bare = written.replace(/^\$\{\{\s*|\s*\}\}$/g, "");
  if (bare === "") return scope.status === "success";
  const {tokens} = new Lexer(bare).lex();
  const asksStatus = tokens.some(
    ({type, lexeme}, index) =>
      type === TokenType.IDENTIFIER &&
      STATUS_FUNCTIONS.includes(lexeme.toLowerCase()) &&
      tokens[index + 1]?.type === TokenType.LEFT_PAREN,
  );
  const whole = asksStatus ? bare : `success() && (${bare})`;
  return evaluate(whole, scope).coerceString() === "true";
}

/** A text of the file with its expressions evaluated. */
export const textOf = (value: unknown, scope: Scope): string =>
  String(value).replaceAll(/\$\{\{(.*?)\}\}/gs, (_, inner: string) => evaluate(inner.trim(), scope).coerceString());

/** A mapping of the file as texts. */
export function textsOf(mapping: unknown, scope: Scope): Record<string, string> {
  if (!isObject(mapping)) return {};
  return Object.fromEntries(Object.entries(mapping).map(([key, value]) => [key, textOf(value, scope)]));
}

/** A copy that holds nothing but JSON. */
export function json(value: unknown): Json {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (!isObject(copy)) throw new Error("not an object");
  return copy;
}
