/** Evaluates `${{ … }}` expressions for a pull request on Linux, as far as the workflow determines them. */
import {
  ContextAccess,
  type Expr,
  type ExprVisitor,
  Grouping,
  IndexAccess,
  Logical,
  Star,
  Unary,
} from "@actions/expressions/ast";
import {BooleanData, type ExpressionData, replacer, reviver} from "@actions/expressions/data/index";
import {wellKnownFunctions} from "@actions/expressions/funcs";
import {Lexer, TokenType} from "@actions/expressions/lexer";
import {Parser} from "@actions/expressions/parser";
import {equals, greaterThan, lessThan, truthy} from "@actions/expressions/result";
import {valueAt} from "../files/manifest-values.ts";

/** Returns the value at a path such as `["matrix", "os"]`, or undefined if only a real run knows it. */
export type Lookup = (path: readonly string[]) => unknown;

const MAX_TEXT = 1000;
const MAX_RESULT = 10_000;
/** https://docs.github.com/actions/reference/workflows-and-actions/contexts */
const CONTEXTS = [
  "env",
  "github",
  "inputs",
  "job",
  "jobs",
  "matrix",
  "needs",
  "runner",
  "secrets",
  "steps",
  "strategy",
  "vars",
];
/** Of the other contexts only some keys are known. */
const KNOWN_WHOLE = ["inputs", "matrix"];
/** What a step of a job that goes well is told. */
const OF_STATUS: Readonly<Record<string, boolean>> = {always: true, success: true, failure: false, cancelled: false};

/**
 * The value of an expression without its `${{ }}`; undefined if it cannot be known. GitHub's own parser, functions and
 * comparisons decide.
 */
export function evaluate(text: string, lookup: Lookup): unknown {
  try {
    return text.length <= MAX_TEXT ? parse(text).accept(valuesFrom(lookup)) : undefined;
  } catch {
    // no expression, or one that fails on GitHub, too
    return undefined;
  }
}

/** Replaces each `${{ … }}` that has a plain value; the others stay as written. */
export function fillIn(text: string, lookup: Lookup): string {
  return text.replace(/\$\{\{(.{0,1000}?)\}\}/gs, (whole, inner: string) => {
    const value = evaluate(inner.trim(), lookup);
    return ["string", "number", "boolean"].includes(typeof value) ? String(value) : value === null ? "" : whole;
  });
}

/** The value of a text that may be one `${{ … }}` as a whole, such as a list; otherwise the text with all of them filled in. */
export function filledValue(text: string, lookup: Lookup): unknown {
  const whole = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(text)?.[1];
  return (whole === undefined ? undefined : evaluate(whole.trim(), lookup)) ?? fillIn(text, lookup);
}

/** False only if the condition can never hold; `if` may be written with or without `${{ }}`. */
export const mayHold = (condition: unknown, lookup: Lookup): boolean => holds(condition, lookup) !== false;

/** True only if the condition always holds, or there is none. */
export const surelyHolds = (condition: unknown, lookup: Lookup): boolean => holds(condition, lookup) === true;

/** Undefined if only a run knows the value. */
function holds(condition: unknown, lookup: Lookup): boolean | undefined {
  if (typeof condition === "boolean") return condition;
  if (typeof condition !== "string") return true;
  const bare = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(condition)?.[1] ?? condition;
  if (bare.includes("${{")) return undefined;
  try {
    return bare.length <= MAX_TEXT ? truthOf(parse(bare.trim()), valuesFrom(lookup)) : undefined;
  } catch {
    return undefined;
  }
}

/** The truth of an expression may be known where its value is not: of `unknown || 'text'`. */
function truthOf(expr: Expr, values: ExprVisitor<unknown>): boolean | undefined {
  if (expr instanceof Grouping) return truthOf(expr.group, values);
  if (expr instanceof Logical) {
    const truths = expr.args.map((arg) => truthOf(arg, values));
    const decisive = expr.operator.type === TokenType.OR;
    return truths.includes(decisive) ? decisive : truths.includes(undefined) ? undefined : !decisive;
  }
  if (expr instanceof Unary) {
    const truth = truthOf(expr.expr, values);
    return truth === undefined ? undefined : !truth;
  }
  const value = expr.accept(values);
  return value === undefined ? undefined : truthy(dataOf(value));
}

function parse(text: string): Expr {
  const functions = [...Object.keys(OF_STATUS), "hashFiles"].map((name) => ({
    name,
    minArgs: 0,
    maxArgs: 255,
    call: () => new BooleanData(false),
  }));
  return new Parser(new Lexer(text).lex().tokens, CONTEXTS, functions).parse();
}

/** Computes plain values; an unknown operand makes the result unknown. */
function valuesFrom(lookup: Lookup): ExprVisitor<unknown> {
  const visitor: ExprVisitor<unknown> = {
    visitLiteral: ({literal}) => plainOf(literal),
    visitGrouping: ({group}) => group.accept(visitor),
    visitUnary: (unary) => truthOf(unary, visitor),
    visitBinary({left, operator, right}) {
      const [one, other] = [left.accept(visitor), right.accept(visitor)];
      return one === undefined || other === undefined ? undefined : compare(operator.type, dataOf(one), dataOf(other));
    },
    visitLogical({operator, args}) {
      let value: unknown;
      for (const arg of args) {
        value = arg.accept(visitor);
        if (value === undefined || truthy(dataOf(value)) === (operator.type === TokenType.OR)) break;
      }
      return value;
    },
    visitContextAccess: (context) => atPath(context, []),
    visitIndexAccess(access) {
      const keys: unknown[] = [];
      let expr: Expr = access;
      while (expr instanceof IndexAccess) {
        if (expr.index instanceof Star) return undefined;
        keys.unshift(expr.index.accept(visitor));
        expr = expr.expr;
      }
      if (keys.includes(undefined)) return undefined;
      const path = keys.map(String);
      if (expr instanceof ContextAccess) return atPath(expr, path);
      return path.reduce(
        (inner: unknown, key) => (Array.isArray(inner) ? inner[Number(key)] : valueAt(inner, key)),
        expr.accept(visitor),
      );
    },
    visitFunctionCall({functionName, args}) {
      const name = functionName.lexeme.toLowerCase();
      const values = args.map((arg) => arg.accept(visitor));
      if (Object.hasOwn(OF_STATUS, name)) return OF_STATUS[name];
      const called = wellKnownFunctions[name];
      if (called === undefined || values.includes(undefined)) return undefined;
      const result = plainOf(called.call(...values.map(dataOf)));
      // Nested calls of `format` can grow without bound.
      return typeof result === "string" && result.length > MAX_RESULT ? undefined : result;
    },
  };
  const atPath = ({name}: ContextAccess, keys: readonly string[]): unknown => {
    const context = name.lexeme.toLowerCase();
    const value = lookup([context, ...keys]);
    return typeof value === "object" && value !== null && !KNOWN_WHOLE.includes(context) ? undefined : value;
  };
  return visitor;
}

function compare(operator: TokenType, left: ExpressionData, right: ExpressionData): boolean | undefined {
  if (operator === TokenType.EQUAL_EQUAL) return equals(left, right);
  if (operator === TokenType.BANG_EQUAL) return !equals(left, right);
  if (operator === TokenType.GREATER) return greaterThan(left, right);
  if (operator === TokenType.GREATER_EQUAL) return equals(left, right) || greaterThan(left, right);
  if (operator === TokenType.LESS) return lessThan(left, right);
  return operator === TokenType.LESS_EQUAL ? equals(left, right) || lessThan(left, right) : undefined;
}

const dataOf = (value: unknown): ExpressionData => JSON.parse(JSON.stringify(value), reviver);
const plainOf = (data: ExpressionData): unknown => JSON.parse(JSON.stringify(data, replacer));
