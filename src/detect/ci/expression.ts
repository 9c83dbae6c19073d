/** Evaluates `${{ … }}` expressions for a pull request on Linux, as far as the workflow determines them. */
import {valueAt} from "../files/manifest-values.ts";

/** Returns the value at a path such as `["matrix", "os"]`, or undefined if only a real run knows it. */
export type Lookup = (path: readonly string[]) => unknown;

const TOKEN = /\s+|'(?:[^']|'')*'|-?\d+(?:\.\d+)?(?![\w-])|[A-Za-z_][\w-]*|==|!=|<=|>=|&&|\|\||[!<>()[\].,*]/gy;
const MAX_TEXT = 1000;

/**
 * The value of an expression without its `${{ }}`; undefined if it cannot be known. Syntax and truth follow GitHub's
 * expression reference; equality of texts ignores case, as it does on GitHub.
 */
export function evaluate(text: string, lookup: Lookup): unknown {
  const tokens = text.length <= MAX_TEXT ? tokensOf(text) : null;
  if (tokens === null) return undefined;
  const reader = {tokens, at: 0, lookup};
  const value = either(reader);
  return reader.at === tokens.length ? value : undefined;
}

/** Replaces each `${{ … }}` that has a plain value; the others stay as written. */
export function fillIn(text: string, lookup: Lookup): string {
  return text.replace(/\$\{\{(.{0,1000}?)\}\}/gs, (whole, inner: string) => {
    const value = evaluate(inner.trim(), lookup);
    return ["string", "number", "boolean"].includes(typeof value) ? String(value) : value === null ? "" : whole;
  });
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
  const value = evaluate(bare.trim(), lookup);
  return value === undefined ? undefined : truth(value);
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  readonly lookup: Lookup;
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    if (match[0].trim() !== "") tokens.push(match[0]);
    if (TOKEN.lastIndex === text.length) return tokens;
  }
  return null;
}

function takeToken(reader: Reader, token: string): boolean {
  if (reader.tokens[reader.at] !== token) return false;
  reader.at++;
  return true;
}

const either = (reader: Reader): unknown => readChain(reader, "||", both);
const both = (reader: Reader): unknown => readChain(reader, "&&", readComparison);

/** A true operand decides a chain of `||`, and a false operand a chain of `&&`, even after an unknown operand. */
function readChain(reader: Reader, sign: "||" | "&&", next: (reader: Reader) => unknown): unknown {
  const decides = (value: unknown): boolean => truth(value) === (sign === "||");
  let operand = next(reader);
  while (takeToken(reader, sign)) {
    const right = next(reader);
    if (operand === undefined) operand = right !== undefined && decides(right) ? right : undefined;
    else if (!decides(operand)) operand = right;
  }
  return operand;
}

function readComparison(reader: Reader): unknown {
  const operand = readOperand(reader);
  for (const sign of ["==", "!=", "<", "<=", ">", ">="]) {
    if (!takeToken(reader, sign)) continue;
    const right = readOperand(reader);
    if (operand === undefined || right === undefined) return undefined;
    if (sign === "==") return isEqual(operand, right);
    if (sign === "!=") return !isEqual(operand, right);
    return undefined;
  }
  return operand;
}

function readOperand(reader: Reader): unknown {
  if (takeToken(reader, "!")) {
    const value = readOperand(reader);
    return value === undefined ? undefined : !truth(value);
  }
  if (takeToken(reader, "(")) {
    const value = either(reader);
    return takeToken(reader, ")") ? value : undefined;
  }
  const token = reader.tokens[reader.at++] ?? "";
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  if (/^-?\d/.test(token)) return Number(token);
  if (token === "true" || token === "false") return token === "true";
  if (token === "null") return null;
  if (!/^[A-Za-z_]/.test(token)) return undefined;
  if (!takeToken(reader, "(")) return reader.lookup(pathFrom(reader, token));
  const result = callFunction(token.toLowerCase(), argumentsOf(reader));
  const [, ...keys] = pathFrom(reader, "");
  return keys.reduce(
    (inner: unknown, key) => (Array.isArray(inner) ? inner[Number(key)] : valueAt(inner, key)),
    result,
  );
}

function argumentsOf(reader: Reader): unknown[] {
  const values: unknown[] = [];
  while (reader.at < reader.tokens.length && !takeToken(reader, ")")) {
    values.push(either(reader));
    if (!takeToken(reader, ",") && reader.tokens[reader.at] !== ")") {
      reader.at = reader.tokens.length + 1;
      return [];
    }
  }
  return values;
}

function pathFrom(reader: Reader, first: string): string[] {
  const path = [first];
  for (;;) {
    if (takeToken(reader, ".")) path.push(reader.tokens[reader.at++] ?? "");
    else if (takeToken(reader, "[")) {
      path.push(String(readOperand(reader)));
      takeToken(reader, "]");
    } else return path;
  }
}

function callFunction(name: string, values: readonly unknown[]): unknown {
  if (name === "always" || name === "success") return true;
  if (name === "failure" || name === "cancelled") return false;
  const [text, part] = values;
  if (name === "fromjson") return typeof text === "string" ? parsedJson(text) : undefined;
  if (typeof text !== "string" || typeof part !== "string") return undefined;
  const [whole, wanted] = [text.toLowerCase(), part.toLowerCase()];
  if (name === "startswith") return whole.startsWith(wanted);
  if (name === "endswith") return whole.endsWith(wanted);
  return name === "contains" ? whole.includes(wanted) : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const truth = (value: unknown): boolean => value !== false && value !== null && value !== "" && value !== 0;

function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a.toLowerCase() === b.toLowerCase();
  // GitHub compares values of different types as numbers.
  return (
    a === b || (typeof a !== typeof b && a !== null && b !== null && a !== "" && b !== "" && Number(a) === Number(b))
  );
}
